import { AppError, type Clock, type Timer } from '@tollgate/core';
import type { CompletionRequest } from './completion-request';

/** Deadlines are looked at together, at most this often, milliseconds. */
const SWEEP_MS = 10;

/**
 * The requests that are not over. One timer serves all their deadlines: it is set for the earliest
 * that may be due, because most requests end long before and a timer for each would be waste.
 */
export class OpenRequests {
  readonly #clock: Clock;
  readonly #requests = new Set<CompletionRequest>();
  #earliestMs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #onIdle: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#requests.size;
  }

  add(request: CompletionRequest): void {
    this.#requests.add(request);
    if (request.options.deadlineMs >= this.#earliestMs) return;
    this.#earliestMs = request.options.deadlineMs;
    this.#watch();
  }

  remove(request: CompletionRequest): void {
    if (this.#requests.delete(request) && this.#requests.size === 0) this.#onIdle();
  }

  /** Resolves when none is left. */
  idle(): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  cutAll(internalMessage: string): void {
    for (const request of [...this.#requests]) request.cut(internalMessage);
  }

  close(): void {
    this.#timer?.cancel();
  }

  #watch(): void {
    this.#timer?.cancel();
    const leftMs = this.#earliestMs - this.#clock.monotonicMs();
    this.#timer = this.#clock.schedule(Math.max(SWEEP_MS, leftMs), () => this.#sweep());
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const request of this.#requests) {
      const { deadlineMs } = request.options;
      if (deadlineMs <= nowMs) request.fail(timeout());
      else earliestMs = Math.min(earliestMs, deadlineMs);
    }
    this.#earliestMs = earliestMs;
    this.#timer = undefined;
    if (earliestMs !== Number.POSITIVE_INFINITY) this.#watch();
  }
}

function timeout(): AppError {
  // Work may have been spent at a vendor, so nobody should repeat this by itself.
  return new AppError('UPSTREAM_TIMEOUT', { retryable: false });
}
