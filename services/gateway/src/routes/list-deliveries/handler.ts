import type { WebhookClient } from '../../clients/control-plane';
import { toPage } from '../resources/page';
import { toDelivery } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { listDeliveriesSchema } from './schema';

export function createListDeliveries(webhook: WebhookClient): Operation {
  return operation(listDeliveriesSchema, async ({ principal, params, query, context }) => {
    const { accountId } = principal;
    const { limit, cursor = '' } = query;
    const request = { accountId, endpointId: params.id, limit, cursor };
    const { deliveries, nextCursor } = await webhook.listDeliveries(request, context.rpc);
    return { data: toPage(deliveries.map(toDelivery), nextCursor) };
  });
}
