import type { Clock } from '@tollgate/core';
import type { ControlPlane } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { loadSpending, toKey, toKeySettings } from '../resources/key';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { updateKeySchema } from './schema';

/** Members of the body that are left out keep their value. */
export function createUpdateKey({ identity, billing }: ControlPlane, clock: Clock): Operation {
  return operation(updateKeySchema, async ({ principal, params, body, context: { rpc } }) => {
    const { status, ...settings } = body;
    const disabled = status === undefined ? undefined : status === 'disabled';
    const answer = await identity.updateApiKey(
      {
        actor: toActor(principal),
        keyId: params.id,
        settings: toKeySettings(settings, disabled),
      },
      rpc,
    );
    const key = owed(answer.apiKey);
    const budgets = await loadSpending(billing, principal.accountId, [key], rpc);
    return { data: toKey(key, budgets.get(key.id), clock.now()) };
  });
}
