import type { Clock } from '@tollgate/core';
import type { ControlPlane } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { loadSpending, toKey } from '../resources/key';
import { toPage } from '../resources/page';
import { type Operation, operation } from '../route';
import { listKeysSchema } from './schema';

/** Members see the keys that they made, everybody else all keys of the account. */
export function createListKeys({ identity, billing }: ControlPlane, clock: Clock): Operation {
  return operation(listKeysSchema, async ({ principal, query, context: { rpc } }) => {
    const { limit, cursor = '' } = query;
    const actor = toActor(principal);
    const { apiKeys, nextCursor } = await identity.listApiKeys({ actor, limit, cursor }, rpc);
    const budgets = await loadSpending(billing, principal.accountId, apiKeys, rpc);
    const items = apiKeys.map((key) => toKey(key, budgets.get(key.id), clock.now()));
    return { data: toPage(items, nextCursor) };
  });
}
