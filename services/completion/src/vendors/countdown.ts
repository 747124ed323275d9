import type { Clock, Timer } from '@tollgate/core';

/** A bound of time that can be halted: what passes meanwhile does not count. It runs from the start. */
export class Countdown {
  readonly #clock: Clock;
  readonly #onPassed: () => void;
  #leftMs: number;
  #sinceMs = 0;
  /** Undefined while it is halted. */
  #timer: Timer | undefined;
  #over = false;

  constructor(clock: Clock, durationMs: number, onPassed: () => void) {
    this.#clock = clock;
    this.#leftMs = durationMs;
    this.#onPassed = onPassed;
    this.goOn();
  }

  halt(): void {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#timer = undefined;
    this.#leftMs -= this.#clock.monotonicMs() - this.#sinceMs;
  }

  goOn(): void {
    if (this.#over || this.#timer !== undefined) return;
    this.#sinceMs = this.#clock.monotonicMs();
    this.#timer = this.#clock.schedule(Math.max(0, this.#leftMs), this.#onPassed);
  }

  cancel(): void {
    this.#over = true;
    this.#timer?.cancel();
  }
}
