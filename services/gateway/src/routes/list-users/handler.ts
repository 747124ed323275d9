import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toPage } from '../resources/page';
import { toUser } from '../resources/user';
import { type Operation, operation } from '../route';
import { listUsersSchema } from './schema';

export function createListUsers(identity: IdentityClient): Operation {
  return operation(listUsersSchema, async ({ principal, query, context }) => {
    const { limit, cursor = '', account_id: accountId = '' } = query;
    const { users, nextCursor } = await identity.listUsers(
      { actor: toActor(principal), accountId, limit, cursor },
      context.rpc,
    );
    const items = users.map((user) => ({ ...toUser(user), account_id: user.accountId }));
    return { data: toPage(items, nextCursor) };
  });
}
