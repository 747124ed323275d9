import type { WebhookClient } from '../../clients/control-plane';
import { toPage } from '../resources/page';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { listWebhooksSchema } from './schema';

export function createListWebhooks(webhook: WebhookClient): Operation {
  return operation(listWebhooksSchema, async ({ principal, query, context }) => {
    const { accountId } = principal;
    const { limit, cursor = '' } = query;
    const answer = await webhook.listEndpoints({ accountId, limit, cursor }, context.rpc);
    return { data: toPage(answer.endpoints.map(toWebhook), answer.nextCursor) };
  });
}
