import { AppError, type Clock, type Timer, TurnoverMap } from '@tollgate/core';
import type { InFlightCompletion } from './in-flight-completion';

/** Deadlines are looked at together, at most this often, milliseconds. */
const SWEEP_MS = 10;

/**
 * The completions that are not over. One timer serves all their deadlines: it is set for the earliest
 * that may be due, because most end long before and a timer for each would be waste.
 */
export class InFlightCompletions {
  readonly #clock: Clock;
  /** The completions by their numbers, which count them in the order in which they came. */
  readonly #completions = new TurnoverMap<number, InFlightCompletion>();
  #lastNumber = 0;
  #earliestMs = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  readonly #idleListeners: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(completion: InFlightCompletion): void {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#completions.set(number, completion);
    completion.onOver = () => {
      this.#completions.delete(number);
      if (this.#completions.size > 0) return;
      for (const listener of this.#idleListeners.splice(0)) listener();
    };
    if (completion.options.untilMs >= this.#earliestMs) return;
    this.#earliestMs = completion.options.untilMs;
    this.#watch();
  }

  /** Resolves when none is left. */
  idle(): Promise<void> {
    if (this.#completions.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve);
    });
  }

  cutAll(internalMessage: string): void {
    for (const completion of [...this.#completions.values()]) completion.cut(internalMessage);
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
    const monotonicNowMs = this.#clock.monotonicMs();
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const completion of this.#completions.values()) {
      const { untilMs } = completion.options;
      // Whoever still reads a whole answer is judged by how it reads: the answer is paid for.
      if (completion.hasHeldEnd) continue;
      if (untilMs <= monotonicNowMs) completion.fail(timeout());
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
