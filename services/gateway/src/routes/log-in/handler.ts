import type { IdentityClient } from '../../clients/control-plane';
import { toSession } from '../resources/user';
import { type Operation, operation } from '../route';
import { logInSchema } from './schema';

/** Unknown users and wrong passwords get the same answer in the same time; identity sees to it. */
export function createLogIn(identity: IdentityClient): Operation {
  return operation(logInSchema, async ({ body, context }) => {
    const { email, password } = body;
    const { remoteAddress } = context;
    const { session } = await identity.login({ email, password, remoteAddress }, context.rpc);
    return { data: toSession(session) };
  });
}
