import type { Clock } from '@tollgate/core';
import type { ControlPlane } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { loadSpending, toKey } from '../resources/key';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { rotateKeySchema } from './schema';

/** Same id, new secret; the old one works until `previous_expires_at`. */
export function createRotateKey({ identity, billing }: ControlPlane, clock: Clock): Operation {
  return operation(rotateKeySchema, async ({ principal, params, body, context }) => {
    const { idempotency, rpc } = context;
    const { apiKey, secret, replayed } = await identity.rotateApiKey(
      {
        actor: toActor(principal),
        keyId: params.id,
        gracePeriodSeconds: body.grace_period_seconds,
        idempotency,
      },
      rpc,
    );
    const source = owed(apiKey);
    const budgets = await loadSpending(billing, principal.accountId, [source], rpc);
    const key = toKey(source, budgets.get(source.id), clock.now());
    return { data: replayed ? key : { ...key, key: secret }, replayed };
  });
}
