import { AppError, type Clock, createId, type Logger, toIsoTime } from '@tollgate/core';
import { retryContended } from '@tollgate/mongo';
import { composeBody, type Delivery } from '../domain/delivery';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { DeliveryStore, EndpointStore } from '../domain/ports';
import type { WebhookEvent } from '../domain/webhook-event';

export interface AppendDeliveryOptions {
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
}

export interface HoldDeliveriesOptions extends AppendDeliveryOptions {
  readonly endpoints: EndpointStore;
}

export interface DisableEndpointOptions extends HoldDeliveriesOptions {
  readonly logger: Logger;
  readonly onAutoDisabled: () => void;
}

/** Losing more often against others who append to the same endpoint is a fault, not bad luck. */
const APPEND_ATTEMPTS_MAX = 50;

/**
 * Gives the event its one place in the sequence of the endpoint, or finds the one that it has.
 *
 * One insert does both, guarded by two unique indexes: number n + 1 is written only by somebody who
 * saw n taken, and only if nobody took n + 1 and the event is not in the sequence yet. There is no
 * counter that a crash could leave ahead of the deliveries, so there is no gap.
 *
 * Kept deliveries alone do not tell the newest number, because finished ones expire. The endpoint's
 * `lastSequence` is raised to a delivery's number days before that delivery expires, so that the
 * larger of the two is exact even if the endpoint was read a while ago.
 */
export function appendDelivery(
  { deliveries, clock }: AppendDeliveryOptions,
  endpoint: Endpoint,
  event: WebhookEvent,
): Promise<{ readonly delivery: Delivery; readonly appended: boolean }> {
  const attempt = async () => {
    const standing = await deliveries.findOfEvent(endpoint.id, event.key);
    if (standing !== undefined) return { delivery: standing, appended: false };
    const newest = Math.max(endpoint.lastSequence, await deliveries.newestSequence(endpoint.id));
    if (!Number.isSafeInteger(newest)) throw new Error(`${endpoint.id} has no readable sequence`);
    const delivery = toDelivery(endpoint, event, newest + 1, clock.now());
    return (await deliveries.insert(delivery)) ? { delivery, appended: true } : undefined;
  };
  const attemptsMax = APPEND_ATTEMPTS_MAX;
  const failure = () =>
    new AppError('SERVICE_UNAVAILABLE', {
      internalMessage: `no place in the sequence of ${endpoint.id} after ${attemptsMax} attempts`,
    });
  return retryContended(attempt, { attemptsMax, failure });
}

function toDelivery(
  endpoint: Endpoint,
  event: WebhookEvent,
  sequence: number,
  now: number,
): Delivery {
  const { eventId, type, atMs } = event;
  const createdAt = toIsoTime(atMs);
  return {
    id: createId('delivery'),
    endpointId: endpoint.id,
    accountId: endpoint.accountId,
    sequence,
    eventKey: event.key,
    eventId,
    eventType: type,
    body: composeBody({ eventId, type, createdAt }, sequence, event.data),
    status: 'pending',
    attempts: 0,
    attemptsInRound: 0,
    lastStatusCode: null,
    lastError: '',
    dueAtMs: now,
    claimedUntilAtMs: 0,
    createdAtMs: now,
    deliveredAtMs: null,
  };
}

/** Disables an endpoint, with what waits held; not one that was disabled or given another URL. */
export async function disableEndpoint(
  options: DisableEndpointOptions,
  endpoint: Endpoint,
  reason: string,
): Promise<void> {
  if (!(await options.endpoints.autoDisable(endpoint.id, endpoint.url))) return;
  options.onAutoDisabled();
  options.logger.warn({ endpointId: endpoint.id, reason }, 'webhook endpoint disabled');
  await holdDeliveries(options, endpoint.id);
}

/** Holds what waits for a disabled endpoint until it is enabled, or until it is too old to keep. */
export async function holdDeliveries(
  { endpoints, deliveries, clock }: HoldDeliveriesOptions,
  endpointId: EndpointId,
): Promise<void> {
  const newest = await deliveries.newestSequence(endpointId);
  // Held deliveries expire: their numbers must be known to be taken before.
  await endpoints.raiseSequence(endpointId, newest);
  await deliveries.pause(endpointId, newest, clock.now());
  // Its owner may have enabled it just before the pause, and must not wait for ever.
  const endpoint = await endpoints.find(endpointId);
  if (endpoint?.status === 'enabled') await deliveries.resume(endpointId, clock.now());
}
