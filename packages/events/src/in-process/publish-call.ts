import type { Clock } from '@tollgate/core';
import { busUnavailable } from '../event-bus';

/** One publish call on its way to every group: settles once, whatever comes first. */
export interface PublishCall {
  readonly promise: Promise<void>;
  /** One event was handled by one group. */
  handledOne(): void;
  /** A group let go of an event without handling it. */
  fail(internalMessage: string): void;
}

/** Waits for `expected` event and group pairs (0 resolves at once) for at most `timeoutMs`. */
export function createPublishCall(expected: number, clock: Clock, timeoutMs: number): PublishCall {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = expected;
  const timer = clock.schedule(timeoutMs, () => fail(`not handled within ${timeoutMs} ms`));
  const fail = (internalMessage: string) => {
    timer.cancel();
    reject(busUnavailable(internalMessage));
  };
  const settleWhenDone = () => {
    if (left > 0) return;
    timer.cancel();
    resolve();
  };
  settleWhenDone();
  return {
    promise,
    handledOne() {
      left -= 1;
      settleWhenDone();
    },
    fail,
  };
}
