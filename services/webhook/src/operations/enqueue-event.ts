import { MINUTE_MS, type WebhookEventType } from '@tollgate/core';
import type { Wakeup } from '@tollgate/jobs';
import type { Endpoint } from '../domain/endpoint';
import type { EndpointStore } from '../domain/ports';
import type { WebhookEvent } from '../domain/webhook-event';
import {
  type AppendDeliveryOptions,
  appendDelivery,
  type DisableEndpointOptions,
  disableEndpoint,
} from './endpoint-queue';
import type { RunIsolated } from './run-isolated';

export interface EnqueueEventOptions extends AppendDeliveryOptions, DisableEndpointOptions {
  readonly wakeup: Pick<Wakeup, 'wake'>;
  readonly runIsolated: RunIsolated;
  /** Deliveries that may wait for one endpoint. */
  readonly pendingMax: number;
  readonly onAppended: () => void;
}

/** Counting a long queue costs time: the bound is looked at once in this many deliveries. */
const BOUND_CHECK_EVERY = 100;

/** By so much the clock of whoever publishes may be behind the one of this process. */
const CLOCK_DIFFERENCE_MS_MAX = 5 * MINUTE_MS;

/**
 * Appends the event to every endpoint that it is for; one that cannot take it keeps it from no
 * other. A repetition changes nothing. The bus may repeat days: no endpoint hears of what was before
 * it was made.
 */
export async function enqueueEvent(
  options: EnqueueEventOptions,
  event: WebhookEvent,
): Promise<void> {
  const subscribers = await options.endpoints.subscribers(event.audience, event.type);
  for (const endpoint of subscribers) {
    if (event.atMs < endpoint.createdAtMs - CLOCK_DIFFERENCE_MS_MAX) continue;
    await options.runIsolated(endpoint.id, () => enqueueFor(options, endpoint, event));
  }
  if (subscribers.length > 0) options.wakeup.wake();
}

async function enqueueFor(
  options: EnqueueEventOptions,
  endpoint: Endpoint,
  event: WebhookEvent,
): Promise<void> {
  const { delivery, appended } = await appendDelivery(options, endpoint, event);
  if (!appended) return;
  options.onAppended();
  if (delivery.sequence % BOUND_CHECK_EVERY === 0) await boundQueue(options, endpoint);
}

/** An endpoint that takes so much less than happens is disabled, with what waits held. */
async function boundQueue(options: EnqueueEventOptions, endpoint: Endpoint): Promise<void> {
  const { deliveries, pendingMax } = options;
  if ((await deliveries.countWaiting(endpoint.id, pendingMax)) < pendingMax) return;
  await disableEndpoint(options, endpoint, 'its queue is full');
}

/** Whether any endpoint of the account is to get events of the type. */
export async function isSubscribed(
  { endpoints }: { readonly endpoints: Pick<EndpointStore, 'subscribers'> },
  accountId: string,
  type: WebhookEventType,
): Promise<boolean> {
  return (await endpoints.subscribers({ kind: 'account', accountId }, type)).length > 0;
}
