import type { WebhookClient } from '../../clients/control-plane';
import { owed } from '../resources/values';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { rotateWebhookSecretSchema } from './schema';

export function createRotateWebhookSecret(webhook: WebhookClient): Operation {
  return operation(rotateWebhookSecretSchema, async ({ principal, params, body, context }) => {
    const { endpoint, secret } = await webhook.rotateSecret(
      {
        accountId: principal.accountId,
        endpointId: params.id,
        gracePeriodSeconds: body.grace_period_seconds,
      },
      context.rpc,
    );
    return { data: { ...toWebhook(owed(endpoint)), secret } };
  });
}
