import type { WebhookClient } from '../../clients/control-plane';
import { toIdempotency } from '../resources/idempotency';
import { owed } from '../resources/values';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { rotateWebhookSecretSchema } from './schema';

/** The signing secret is in this answer and in no other. */
export function createRotateWebhookSecret(webhook: WebhookClient): Operation {
  return operation(rotateWebhookSecretSchema, async ({ principal, params, body, context }) => {
    const { endpoint, secret, replayed } = await webhook.rotateSecret(
      {
        accountId: principal.accountId,
        endpointId: params.id,
        gracePeriodSeconds: body.grace_period_seconds,
        ...toIdempotency(context.idempotency),
      },
      context.rpc,
    );
    const data = toWebhook(owed(endpoint));
    return { data: replayed ? data : { ...data, secret }, replayed };
  });
}
