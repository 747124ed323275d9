import type { IdentityClient } from '../../clients/control-plane';
import { type Operation, operation } from '../route';
import { logOutSchema } from './schema';

export function createLogOut(identity: IdentityClient): Operation {
  return operation(logOutSchema, async ({ principal, sessionId, body, context }) => {
    const { userId } = principal;
    const ended = body.all_sessions ? '' : sessionId;
    await identity.logout({ userId, sessionId: ended }, context.rpc);
    return { data: { logged_out: true } };
  });
}
