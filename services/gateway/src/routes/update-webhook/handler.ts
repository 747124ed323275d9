import type { webhookV1 } from '@tollgate/protos';
import type { WebhookClient } from '../../clients/control-plane';
import { actsAsOperator } from '../../domain/principal';
import { owed } from '../resources/values';
import { toWebhook } from '../resources/webhook';
import { type Operation, operation } from '../route';
import { updateWebhookSchema } from './schema';

const STATUSES = {
  enabled: 'ENDPOINT_STATUS_ENABLED',
  disabled: 'ENDPOINT_STATUS_DISABLED',
} as const;

/** Members that are left out keep their value. */
export function createUpdateWebhook(webhook: WebhookClient): Operation {
  return operation(updateWebhookSchema, async ({ principal, params, body, context }) => {
    const request: webhookV1.UpdateEndpointRequest = {
      accountId: principal.accountId,
      endpointId: params.id,
      operator: actsAsOperator(principal),
    };
    if (body.url !== undefined) request.url = body.url;
    if (body.events !== undefined) request.events = { values: body.events };
    if (body.status !== undefined) request.status = STATUSES[body.status];
    if (body.description !== undefined) request.description = body.description;
    const { endpoint } = await webhook.updateEndpoint(request, context.rpc);
    return { data: toWebhook(owed(endpoint)) };
  });
}
