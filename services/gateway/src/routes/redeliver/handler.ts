import type { WebhookClient } from '../../clients/control-plane';
import { toIdempotency } from '../resources/idempotency';
import { owed } from '../resources/values';
import { toDelivery } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { redeliverSchema } from './schema';

export function createRedeliver(webhook: WebhookClient): Operation {
  return operation(redeliverSchema, async ({ principal, params, context }) => {
    const { accountId } = principal;
    const { delivery, replayed } = await webhook.redeliver(
      { accountId, deliveryId: params.id, ...toIdempotency(context.idempotency) },
      context.rpc,
    );
    return { data: toDelivery(owed(delivery)), replayed };
  });
}
