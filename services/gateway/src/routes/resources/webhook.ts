import type { webhookV1 } from '@tollgate/protos';
import { z } from 'zod';
import { isoTime, textOrNull } from './values';

const EVENTS_MAX = 64;

/** What an endpoint can subscribe to. */
const EVENTS = [
  'balance.low',
  'balance.exhausted',
  'credits.added',
  'plan.changed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'key.expiring',
  'key.budget_exceeded',
  'channel.disabled',
  'channel.recovered',
  'rate_limit.sustained',
  'webhook.test',
] as const;

/** An endpoint that receives events; its signing secret is never in it. */
export const webhookSchema = z.object({
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

/** With the signing secret, shown once. */
export const webhookWithSecretSchema = webhookSchema.extend({
  secret: z.string().optional().meta({ description: 'whsec_...; shown once.' }),
});

export const webhookUrl = z.string().min(1).max(2048);
export const webhookEvents = z.array(z.enum(EVENTS)).min(1).max(EVENTS_MAX);
export const webhookDescription = z.string().max(500);

/** One attempt to deliver an event, and how it stands. */
export const deliverySchema = z.object({
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

export function toWebhook(endpoint: webhookV1.Endpoint__Output): z.infer<typeof webhookSchema> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status.replace('ENDPOINT_STATUS_', '').toLowerCase() as 'enabled',
    description: endpoint.description,
    created_at: endpoint.createdAt,
    last_delivery_at: textOrNull(endpoint.lastDeliveryAt),
    last_status_code: endpoint.lastStatusCode ?? null,
    consecutive_failures: endpoint.consecutiveFailures,
  };
}

export function toDelivery(delivery: webhookV1.Delivery__Output): z.infer<typeof deliverySchema> {
  return {
    id: delivery.id,
    webhook_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    sequence: Number(delivery.sequence),
    status: delivery.status.replace('DELIVERY_STATUS_', '').toLowerCase() as 'pending',
    attempts: delivery.attempts,
    last_status_code: delivery.lastStatusCode ?? null,
    last_error: textOrNull(delivery.lastError),
    next_attempt_at: textOrNull(delivery.nextAttemptAt),
    created_at: delivery.createdAt,
    delivered_at: textOrNull(delivery.deliveredAt),
  };
}
