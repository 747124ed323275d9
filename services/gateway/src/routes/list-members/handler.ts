import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toPage } from '../resources/page';
import { toUser } from '../resources/user';
import { type Operation, operation } from '../route';
import { listMembersSchema } from './schema';

export function createListMembers(identity: IdentityClient): Operation {
  return operation(listMembersSchema, async ({ principal, query, context }) => {
    const { limit, cursor = '' } = query;
    const actor = toActor(principal);
    const { users, nextCursor } = await identity.listMembers({ actor, limit, cursor }, context.rpc);
    return { data: toPage(users.map(toUser), nextCursor) };
  });
}
