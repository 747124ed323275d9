import { createSystemClock } from '@tollgate/core';

/**
 * kafkajs 2.2.4 arms a timer after every answer, for a queue that is nearly always empty. Its delay
 * is `throttledUntil - now`, which without throttling is about minus the present time: Node answers
 * with TimeoutNegativeWarning and runs it after 1 ms, and the callback arms the next one, so that
 * each connection wakes its process a thousand times a second for as long as it lives. The timer is
 * only of use while a request waits, and enqueuing one arms it. So: no request, no timer.
 */
interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly throttledUntil: number;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** How soon a queue that waits for free slots is looked at, milliseconds, as in kafkajs. */
const CHECK_INTERVAL_MS = 10;

let isCorrected = false;

/** Puts the corrected timer in place, once per process; leaves a kafkajs it does not know alone. */
export function correctRequestQueueTimer(): void {
  if (isCorrected) return;
  isCorrected = true;
  // The class has no public door, and kafkajs declares no `exports` that would close this one.
  const requestQueue: unknown = require('kafkajs/src/network/requestQueue');
  if (typeof requestQueue !== 'function') return;
  const prototype = requestQueue.prototype as RequestQueue;
  if (typeof prototype.scheduleCheckPendingRequests !== 'function') return;
  const clock = createSystemClock();
  prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const throttledForMs = this.throttledUntil - clock.now();
    const delayMs = throttledForMs > 0 ? throttledForMs : CHECK_INTERVAL_MS;
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, delayMs);
  };
}
