import {
  ENDPOINT_BOUNDS,
  MINUTE_MS,
  toIsoTime,
  WEBHOOK_EVENT_TYPES,
  withoutUndefined,
} from '@tollgate/core';
import type { webhookV1 } from '@tollgate/protos';
import { fromProtoName, toProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { actsAsOperator } from '../../auth/principal';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { type Operation, operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { ROTATE_AGAIN, toIdempotency, toReplay } from '../payloads/idempotency';
import { listOf, toPageAnswer } from '../payloads/paging';
import {
  deletedSchema,
  gracePeriodBody,
  HTTP_URL,
  HTTP_URL_RULE,
  idParams,
  isoTime,
  named,
  noFields,
  toDeleted,
} from '../payloads/values';

const EVENTS_MAX = 64;
/** The deliveries around a request: how long before and after it, and how many. */
const BEFORE_MINUTES = 1;
const AFTER_MINUTES = 5;
const DELIVERIES_MAX = 20;

/** An endpoint that receives events; its signing secret is never in it. */
const webhookSchema = named('Webhook', {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  status: z.enum(['enabled', 'disabled', 'auto_disabled']),
  description: z.string(),
  created_at: isoTime,
  last_delivery_at: isoTime.nullable(),
  last_status_code: z.int().nullable(),
  consecutive_failures: z.int(),
});

/** A webhook with its signing secret, which is shown once. */
const webhookWithSecretSchema = named('WebhookWithSecret', {
  ...webhookSchema.shape,
  secret: z.string().optional().describe('whsec_...; shown once.'),
});

const webhookUrl = z.string().min(1).max(ENDPOINT_BOUNDS.urlLengthMax).meta({ pattern: HTTP_URL });
const URL_RULE = { url: HTTP_URL_RULE };
const webhookEvents = z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).max(EVENTS_MAX);
const webhookDescription = z.string().max(ENDPOINT_BOUNDS.descriptionLengthMax);

/** An event on its way to one endpoint, and how many attempts were made. */
const deliverySchema = named('Delivery', {
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  sequence: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  attempts: z.int(),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: isoTime.nullable(),
  created_at: isoTime,
  delivered_at: isoTime.nullable(),
});

/** What the account was told by webhook while the request ran, and soon before and after. */
export const deliveriesSchema = z
  .array(deliverySchema)
  .nullable()
  .describe(
    `Webhook deliveries of the account from ${BEFORE_MINUTES} min before its beginning to ` +
      `${AFTER_MINUTES} min after its end, the first ${DELIVERIES_MAX}: an event such as ` +
      'balance.low is of the account, not of one request. Null when they cannot be read now.',
  );

export const listWebhooks = operation(
  {
    summary: 'List the webhook endpoints of the account',
    ...listOf(webhookSchema),
  },
  async ({ principal, query }, { webhook }) => {
    const { accountId } = principal;
    const answer = await webhook.listEndpoints({ accountId, ...query });
    return { data: toPageAnswer(answer.endpoints.map(toWebhook), answer.nextCursor) };
  },
);

/** The signing secret is in this answer and in no other. */
export const createWebhook = operation(
  {
    summary: 'Create a webhook endpoint',
    body: z.strictObject({
      url: webhookUrl,
      events: webhookEvents,
      description: webhookDescription.default(''),
    }),
    rules: URL_RULE,
    data: webhookWithSecretSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { webhook }) => {
    const { idempotency } = context;
    const { endpoint, secret, replayed } = await webhook.createEndpoint({
      accountId: principal.accountId,
      ...body,
      operator: actsAsOperator(principal),
      ...toIdempotency(idempotency),
    });
    const data = toWebhook(required(endpoint));
    return {
      data: replayed ? data : { ...data, secret },
      ...toReplay(replayed, 'the secret', 'rotate it'),
    };
  },
);

export const getWebhook = operation(
  {
    summary: 'Get one webhook endpoint',
    params: idParams,
    data: webhookSchema,
  },
  async ({ principal, params }, { webhook }) => {
    const { accountId } = principal;
    const { endpoint } = await webhook.getEndpoint({ accountId, endpointId: params.id });
    return { data: toWebhook(required(endpoint)) };
  },
);

/** Fields that are left out keep their value. */
export const updateWebhook = operation(
  {
    summary: 'Change a webhook endpoint',
    params: idParams,
    body: z.strictObject({
      url: webhookUrl.optional(),
      events: webhookEvents.optional(),
      status: z.enum(['enabled', 'disabled']).optional(),
      description: webhookDescription.optional(),
    }),
    rules: URL_RULE,
    data: webhookSchema,
  },
  async ({ principal, params, body }, { webhook }) => {
    const { url, events, status, description } = body;
    const request = withoutUndefined({
      accountId: principal.accountId,
      endpointId: params.id,
      operator: actsAsOperator(principal),
      url,
      events: events && { values: events },
      status: status && toProtoName('ENDPOINT_STATUS', status),
      description,
    });
    const { endpoint } = await webhook.updateEndpoint(request);
    return { data: toWebhook(required(endpoint)) };
  },
);

export const replaceWebhook: Operation = {
  ...updateWebhook,
  schema: {
    ...updateWebhook.schema,
    summary: 'Set all of a webhook endpoint: what is left out takes its default',
    body: z.strictObject({
      url: webhookUrl,
      events: webhookEvents,
      status: z.enum(['enabled', 'disabled']).default('enabled'),
      description: webhookDescription.default(''),
    }),
  },
};

export const deleteWebhook = operation(
  {
    summary: 'Delete a webhook endpoint',
    params: idParams,
    data: deletedSchema,
  },
  async ({ principal, params }, { webhook }) => {
    const { accountId } = principal;
    await webhook.deleteEndpoint({ accountId, endpointId: params.id });
    return { data: toDeleted(params.id) };
  },
);

/** The signing secret is in this answer and in no other. */
export const rotateWebhookSecret = operation(
  {
    summary: 'Give a webhook endpoint a new signing secret',
    params: idParams,
    body: gracePeriodBody('How long deliveries are signed with both secrets.'),
    data: webhookWithSecretSchema,
    idempotency: 'optional',
  },
  async ({ principal, params, body, context }, { webhook }) => {
    const { endpoint, secret, replayed } = await webhook.rotateSecret({
      accountId: principal.accountId,
      endpointId: params.id,
      gracePeriodSeconds: body.grace_period_seconds,
      ...toIdempotency(context.idempotency),
    });
    const data = toWebhook(required(endpoint));
    return {
      data: replayed ? data : { ...data, secret },
      ...toReplay(replayed, 'the new secret', ROTATE_AGAIN),
    };
  },
);

export const testWebhook = operation(
  {
    summary: 'Send a test event to a webhook endpoint',
    params: idParams,
    body: noFields,
    data: deliverySchema,
    idempotency: 'optional',
  },
  async ({ principal, params, context }, { webhook }) => {
    const { accountId } = principal;
    const { delivery, replayed } = await webhook.sendTest({
      accountId,
      endpointId: params.id,
      ...toIdempotency(context.idempotency),
    });
    return { data: toDelivery(required(delivery)), replayed };
  },
);

export const listDeliveries = operation(
  {
    summary: 'List what was delivered to a webhook endpoint',
    params: idParams,
    ...listOf(deliverySchema),
  },
  async ({ principal, params, query }, { webhook }) => {
    const { accountId } = principal;
    const request = { accountId, endpointId: params.id, ...query };
    const { deliveries, nextCursor } = await webhook.listDeliveries(request);
    return { data: toPageAnswer(deliveries.map(toDelivery), nextCursor) };
  },
);

export const redeliver = operation(
  {
    summary: 'Deliver an event again',
    params: idParams,
    body: noFields,
    data: deliverySchema,
    idempotency: 'optional',
  },
  async ({ principal, params, context }, { webhook }) => {
    const { accountId } = principal;
    const { delivery, replayed } = await webhook.redeliver({
      accountId,
      deliveryId: params.id,
      ...toIdempotency(context.idempotency),
    });
    return { data: toDelivery(required(delivery)), replayed };
  },
);

export async function readDeliveries(
  accountId: string,
  { startAtMs, endAtMs }: { readonly startAtMs: number; readonly endAtMs: number },
  { webhook }: Pick<Services, 'webhook'>,
): Promise<z.infer<typeof deliveriesSchema>> {
  const span = {
    start: toIsoTime(startAtMs - BEFORE_MINUTES * MINUTE_MS),
    end: toIsoTime(endAtMs + AFTER_MINUTES * MINUTE_MS),
  };
  const asked = { accountId, ...span, limit: DELIVERIES_MAX };
  // The rest of the story is told without them; the log of the call has the failure.
  const found = await orUndefined(() => webhook.listAccountDeliveries(asked));
  return found?.deliveries.map(toDelivery) ?? null;
}

function toWebhook(endpoint: webhookV1.Endpoint__Output) {
  return answerOf(webhookSchema, endpoint, {
    status:
      fromProtoName(webhookSchema.shape.status.options, 'ENDPOINT_STATUS', endpoint.status) ??
      'disabled',
  });
}

function toDelivery(delivery: webhookV1.Delivery__Output) {
  return answerOf(deliverySchema, delivery, {
    webhook_id: delivery.endpointId,
    status:
      fromProtoName(deliverySchema.shape.status.options, 'DELIVERY_STATUS', delivery.status) ??
      'pending',
  });
}
