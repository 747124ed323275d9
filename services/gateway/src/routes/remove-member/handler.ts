import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toDeleted } from '../resources/deleted';
import { type Operation, operation } from '../route';
import { removeMemberSchema } from './schema';

export function createRemoveMember(identity: IdentityClient): Operation {
  return operation(removeMemberSchema, async ({ principal, params, context }) => {
    await identity.removeMember({ actor: toActor(principal), userId: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  });
}
