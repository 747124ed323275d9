import type { WebhookClient } from '../../clients/control-plane';
import { owed } from '../resources/values';
import { toDelivery } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { redeliverSchema } from './schema';

export function createRedeliver(webhook: WebhookClient): Operation {
  return operation(redeliverSchema, async ({ principal, params, context }) => {
    const { accountId } = principal;
    const { delivery } = await webhook.redeliver({ accountId, deliveryId: params.id }, context.rpc);
    return { data: toDelivery(owed(delivery)) };
  });
}
