import type { Logger } from '@tollgate/core';
import type { Endpoint } from '../domain/endpoint';
import type { Wakeup } from '../domain/ports';
import type { Fact } from '../domain/webhook-event';
import { type AppendDeliveryOptions, appendDelivery } from './append-delivery';
import { type HoldDeliveriesOptions, holdDeliveries } from './hold-deliveries';
import type { SetAside } from './set-aside';

/** What announcing works with. */
export interface AnnounceFactOptions extends AppendDeliveryOptions, HoldDeliveriesOptions {
  readonly dispatcher: Wakeup;
  readonly logger: Logger;
  readonly setAside: SetAside;
  /** Deliveries that may wait for one endpoint. */
  readonly pendingMax: number;
  readonly onAppended: () => void;
  readonly onAutoDisabled: () => void;
}

/** Counting a long queue costs time: the bound is looked at once in this many deliveries. */
const BOUND_CHECK_EVERY = 100;

/**
 * Appends the fact to every endpoint that it is for; one that cannot take it keeps it from no
 * other. Announcing again changes nothing.
 */
export async function announceFact(options: AnnounceFactOptions, fact: Fact): Promise<void> {
  const subscribers = await options.endpoints.subscribers(fact.audience, fact.type);
  for (const endpoint of subscribers) {
    await options.setAside(endpoint.id, () => announceTo(options, endpoint, fact));
  }
  if (subscribers.length > 0) options.dispatcher.wake();
}

async function announceTo(
  options: AnnounceFactOptions,
  endpoint: Endpoint,
  fact: Fact,
): Promise<void> {
  const { delivery, appended } = await appendDelivery(options, endpoint, fact);
  if (!appended) return;
  options.onAppended();
  if (delivery.sequence % BOUND_CHECK_EVERY === 0) await boundQueue(options, endpoint);
}

/** An endpoint that takes so much less than happens is disabled, with what waits held. */
async function boundQueue(options: AnnounceFactOptions, endpoint: Endpoint): Promise<void> {
  const { endpoints, deliveries, pendingMax } = options;
  if ((await deliveries.countWaiting(endpoint.id, pendingMax)) < pendingMax) return;
  if (!(await endpoints.autoDisable(endpoint.id, endpoint.url))) return;
  options.onAutoDisabled();
  options.logger.warn({ endpointId: endpoint.id }, 'webhook endpoint disabled: its queue is full');
  await holdDeliveries(options, endpoint.id);
}
