import type { IdentityClient } from '../../clients/control-plane';
import { toPerson, toUserWithAccount } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { registerUserSchema } from './schema';

/** Identity refuses with FORBIDDEN while registration is closed. */
export function createRegisterUser(identity: IdentityClient): Operation {
  return operation(registerUserSchema, async ({ body, context }) => {
    const { user, account, replayed } = await identity.createUser(
      {
        ...toPerson(body),
        registration: true,
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUserWithAccount(owed(user), owed(account)), replayed };
  });
}
