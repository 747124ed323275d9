import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toDeleted } from '../resources/deleted';
import { type Operation, operation } from '../route';
import { deleteKeySchema } from './schema';

export function createDeleteKey(identity: IdentityClient): Operation {
  return operation(deleteKeySchema, async ({ principal, params, context }) => {
    await identity.deleteApiKey({ actor: toActor(principal), keyId: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  });
}
