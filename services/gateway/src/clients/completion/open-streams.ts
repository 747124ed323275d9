import { AppError, type Clock, type Timer } from '@tollgate/core';
import type { CompletionStream } from './stream';

/** Deadlines are looked at together, at most this often, milliseconds. */
const SWEEP_MS = 10;

/**
 * The streams that are not over. One timer serves all their deadlines: it is set for the earliest
 * that may be due, because most end long before and a timer for each would be waste.
 */
export class OpenStreams {
  readonly #clock: Clock;
  readonly #streams = new Set<CompletionStream>();
  #earliestMs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #onIdle: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: CompletionStream): void {
    this.#streams.add(stream);
    if (stream.options.untilMs >= this.#earliestMs) return;
    this.#earliestMs = stream.options.untilMs;
    this.#watch();
  }

  remove(stream: CompletionStream): void {
    if (this.#streams.delete(stream) && this.#streams.size === 0) this.#onIdle();
  }

  /** Resolves when none is left. */
  idle(): Promise<void> {
    if (this.#streams.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  cutAll(internalMessage: string): void {
    for (const stream of [...this.#streams]) stream.cut(internalMessage);
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
    for (const stream of this.#streams) {
      const { untilMs } = stream.options;
      // Whoever still reads a whole answer is judged by how it reads: the answer is paid for.
      if (stream.answered) continue;
      if (untilMs <= nowMs) stream.fail(timeout());
      else earliestMs = Math.min(earliestMs, untilMs);
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
