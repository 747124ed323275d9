import type { WebhookClient } from '../../clients/control-plane';
import { toIdempotency } from '../resources/idempotency';
import { owed } from '../resources/values';
import { toDelivery } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { testWebhookSchema } from './schema';

export function createTestWebhook(webhook: WebhookClient): Operation {
  return operation(testWebhookSchema, async ({ principal, params, context }) => {
    const { accountId } = principal;
    const { delivery, replayed } = await webhook.sendTest(
      { accountId, endpointId: params.id, ...toIdempotency(context.idempotency) },
      context.rpc,
    );
    return { data: toDelivery(owed(delivery)), replayed };
  });
}
