import type { Clock } from '@tollgate/core';
import { createEvent, type EventBus, toOutgoing } from '@tollgate/events';
import type { DenialCount } from '../limits/denial-counter';

const PUBLISH_TIMEOUT_MS = 5000;

/** Publishes windows of refusals on the denials topic. */
export function createDenialPublisher(
  bus: EventBus,
  gatewayId: string,
  clock: Clock,
): (counts: readonly DenialCount[]) => Promise<void> {
  return (counts) =>
    bus.publish(
      counts.map((count) => {
        const event = createEvent(
          'denials.counted',
          {
            account_id: count.accountId,
            key_id: count.keyId ?? null,
            reason: count.reason,
            count: count.count,
            window_start: count.windowStart,
            window_seconds: count.windowSeconds,
            gateway_id: gatewayId,
          },
          clock,
        );
        return toOutgoing(count.accountId, event);
      }),
      { timeoutMs: PUBLISH_TIMEOUT_MS },
    );
}
