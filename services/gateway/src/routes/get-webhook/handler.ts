import type { WebhookClient } from '../../clients/control-plane';
import { owed } from '../resources/values';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { getWebhookSchema } from './schema';

export function createGetWebhook(webhook: WebhookClient): Operation {
  return operation(getWebhookSchema, async ({ principal, params, context }) => {
    const { accountId } = principal;
    const { endpoint } = await webhook.getEndpoint(
      { accountId, endpointId: params.id },
      context.rpc,
    );
    return { data: toWebhook(owed(endpoint)) };
  });
}
