import { AppError, type Clock, createId, toIsoTime } from '@tollgate/core';
import { composeBody, type Delivery } from '../domain/delivery';
import type { Endpoint } from '../domain/endpoint';
import type { DeliveryStore } from '../domain/ports';
import type { Fact } from '../domain/webhook-event';

/** What appending works with. */
export interface AppendDeliveryOptions {
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
}

/** Losing this often against others who append to the same endpoint means that something is off. */
const APPEND_ATTEMPTS = 50;

/**
 * Gives the fact its one place in the sequence of the endpoint, or finds the one that it has.
 *
 * One insert does both, guarded by two unique indexes: number n + 1 is written only by somebody who
 * saw n taken, and only if nobody took n + 1 and the fact is not in the sequence yet. There is no
 * counter that a crash could leave ahead of the deliveries, so there is no gap.
 *
 * Kept deliveries alone do not tell the newest number, because finished ones expire. The endpoint's
 * `lastSequence` is raised to a delivery's number days before that delivery expires, so that the
 * larger of the two is exact even if the endpoint was read a while ago.
 */
export async function appendDelivery(
  { deliveries, clock }: AppendDeliveryOptions,
  endpoint: Endpoint,
  fact: Fact,
): Promise<{ readonly delivery: Delivery; readonly appended: boolean }> {
  for (let attempt = 0; attempt < APPEND_ATTEMPTS; attempt += 1) {
    const standing = await deliveries.find(endpoint.id, fact.key);
    if (standing !== undefined) return { delivery: standing, appended: false };
    const newest = Math.max(endpoint.lastSequence, await deliveries.newestSequence(endpoint.id));
    if (!Number.isSafeInteger(newest)) throw new Error(`${endpoint.id} has no readable sequence`);
    const delivery = toDelivery(endpoint, fact, newest + 1, clock.now());
    if (await deliveries.insert(delivery)) return { delivery, appended: true };
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: `no place in the sequence of ${endpoint.id} after ${APPEND_ATTEMPTS} tries`,
  });
}

function toDelivery(endpoint: Endpoint, fact: Fact, sequence: number, nowMs: number): Delivery {
  const { eventId, type, atMs } = fact;
  const createdAt = toIsoTime(atMs);
  return {
    id: createId('delivery'),
    endpointId: endpoint.id,
    accountId: endpoint.accountId,
    sequence,
    factKey: fact.key,
    eventId,
    eventType: type,
    body: composeBody({ eventId, type, createdAt }, sequence, fact.data),
    status: 'pending',
    attempts: 0,
    attemptsInRound: 0,
    lastStatusCode: null,
    lastError: '',
    dueAtMs: nowMs,
    claimedUntilMs: 0,
    createdAtMs: nowMs,
    deliveredAtMs: null,
  };
}
