import type { Clock } from '@tollgate/core';
import type { ControlPlane } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { loadSpending, toKey } from '../resources/key';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { getKeySchema } from './schema';

export function createGetKey({ identity, billing }: ControlPlane, clock: Clock): Operation {
  return operation(getKeySchema, async ({ principal, params, context: { rpc } }) => {
    const actor = toActor(principal);
    const answer = await identity.getApiKey({ actor, keyId: params.id }, rpc);
    const key = owed(answer.apiKey);
    const budgets = await loadSpending(billing, principal.accountId, [key], rpc);
    return { data: toKey(key, budgets.get(key.id), clock.now()) };
  });
}
