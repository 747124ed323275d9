import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toPerson, toRole, toUserWithAccount } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createUserSchema } from './schema';

export function createCreateUser(identity: IdentityClient): Operation {
  return operation(createUserSchema, async ({ principal, body, context }) => {
    const { user, account, replayed } = await identity.createUser(
      {
        actor: toActor(principal),
        ...toPerson(body),
        accountId: body.account_id ?? '',
        role: body.role === undefined ? 'ROLE_UNSPECIFIED' : toRole(body.role),
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUserWithAccount(owed(user), owed(account)), replayed };
  });
}
