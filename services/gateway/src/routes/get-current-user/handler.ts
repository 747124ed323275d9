import type { IdentityClient } from '../../clients/control-plane';
import { toUserWithAccount } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { getCurrentUserSchema } from './schema';

export function createGetCurrentUser(identity: IdentityClient): Operation {
  return operation(getCurrentUserSchema, async ({ principal, context }) => {
    const { user, account } = await identity.getUser({ userId: principal.userId }, context.rpc);
    return { data: toUserWithAccount(owed(user), owed(account)) };
  });
}
