import type { WebhookClient } from '../../clients/control-plane';
import { toDeleted } from '../resources/deleted';
import { type Operation, operation } from '../route';
import { deleteWebhookSchema } from './schema';

export function createDeleteWebhook(webhook: WebhookClient): Operation {
  return operation(deleteWebhookSchema, async ({ principal, params, context }) => {
    const { accountId } = principal;
    await webhook.deleteEndpoint({ accountId, endpointId: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  });
}
