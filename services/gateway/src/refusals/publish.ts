import { type Clock, chunksOf, toIsoTime } from '@tollgate/core';
import {
  createEvent,
  type EventBus,
  OWNERLESS_PER_EVENT_MAX,
  REFUSALS_PER_EVENT_MAX,
  toOutgoing,
} from '@tollgate/events';
import type { DenialCounterOptions } from './denials';
import type { RefusedRequestsOptions } from './refused-requests';

const PUBLISH_TIMEOUT_MS = 5000;

/** Publishes windows of denials on the denials topic. */
export function createDenialPublisher(
  bus: Pick<EventBus, 'publish'>,
  gatewayId: string,
  clock: Clock,
): DenialCounterOptions['publish'] {
  return (counts, { startAtMs, seconds }) => {
    const window = { window_start: toIsoTime(startAtMs), window_seconds: seconds };
    const events = counts.map(({ accountId, keyId, reason, count }) => {
      const counted = { account_id: accountId, key_id: keyId ?? null, count };
      const data = { ...counted, ...window, gateway_id: gatewayId };
      // An event of its own, which stats counts as failed; an older version skips it.
      return reason === 'unserved'
        ? createEvent('unserved.counted', data, clock)
        : createEvent('denials.counted', { ...data, reason }, clock);
    });
    return bus.publish(
      events.map((event) => toOutgoing(event.data.account_id, event)),
      { timeoutMs: PUBLISH_TIMEOUT_MS },
    );
  };
}

/**
 * Publishes refused requests on the denials topic: in events of one account each, and apart those
 * with a 401 and those of a wrong path or method.
 */
export function createRefusedRequestPublisher(
  bus: EventBus,
  gatewayId: string,
  clock: Clock,
): RefusedRequestsOptions['publish'] {
  /** What events hold that are of no one account. */
  const ownerless = <Data>(requests: readonly { readonly data: Data }[]) =>
    chunksOf(requests, OWNERLESS_PER_EVENT_MAX).map((chunk) => ({
      gateway_id: gatewayId,
      requests: chunk.map(({ data }) => data),
    }));
  return (refused) => {
    const sampled = refused.filter((one) => one.type === 'refusals.sampled');
    const events = [...Map.groupBy(sampled, ({ accountId }) => accountId)].flatMap(
      ([accountId, ofAccount]) =>
        chunksOf(ofAccount, REFUSALS_PER_EVENT_MAX).map((chunk) => {
          const requests = chunk.map(({ data }) => data);
          const data = { account_id: accountId, gateway_id: gatewayId, requests };
          return toOutgoing(accountId, createEvent('refusals.sampled', data, clock));
        }),
    );
    const unauthorized = refused.filter((one) => one.type === 'refusals.unauthorized');
    for (const data of ownerless(unauthorized)) {
      events.push(toOutgoing(gatewayId, createEvent('refusals.unauthorized', data, clock)));
    }
    const unrouted = refused.filter((one) => one.type === 'refusals.unrouted');
    for (const data of ownerless(unrouted)) {
      events.push(toOutgoing(gatewayId, createEvent('refusals.unrouted', data, clock)));
    }
    return bus.publish(events, { timeoutMs: PUBLISH_TIMEOUT_MS });
  };
}
