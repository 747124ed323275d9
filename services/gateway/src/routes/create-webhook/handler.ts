import type { WebhookClient } from '../../clients/control-plane';
import { actsAsOperator } from '../../domain/principal';
import { toIdempotency } from '../resources/idempotency';
import { owed } from '../resources/values';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { createWebhookSchema } from './schema';

/** The signing secret is in this answer and in no other. */
export function createCreateWebhook(webhook: WebhookClient): Operation {
  return operation(createWebhookSchema, async ({ principal, body, context }) => {
    const { idempotency, rpc } = context;
    const { endpoint, secret, replayed } = await webhook.createEndpoint(
      {
        accountId: principal.accountId,
        ...body,
        operator: actsAsOperator(principal),
        ...toIdempotency(idempotency),
      },
      rpc,
    );
    const data = toWebhook(owed(endpoint));
    return { data: replayed ? data : { ...data, secret }, replayed };
  });
}
