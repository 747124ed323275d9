import type { Clock } from '@tollgate/core';
import type { VendorFailure } from '../domain/vendor';
import { notSent } from '../domain/vendor-failures';
import { Countdown } from './countdown';
import { type MissingPart, timedOut } from './protocol/failures';
import type { AnswerTimeouts } from './protocol/vendor-protocol';

/** How long a refusal is read, or a body after the end of its answer. */
const TAIL_MS_MAX = 1000;
/** From the last finish reason to the vendor's last word: its counts, and that nothing follows. */
const LAST_WORD_MS_MAX = 5000;

/**
 * The bounds of time of one answer: that of its present phase, and that of all of it. `stop` hears of
 * one that is passed. The first phase is that of a call which has its turn at once. Time in which a
 * slow reader holds its vendor up counts for neither: nothing can come then.
 */
export class AnswerTimes {
  readonly #clock: Clock;
  readonly #timeouts: AnswerTimeouts;
  readonly #streamed: boolean;
  readonly #stop: (failure: VendorFailure) => void;
  readonly #calledMs: number;
  readonly #total: Countdown;
  #phase: Countdown;
  #isHeldUp = false;
  #sentMs: number | undefined;

  constructor(
    clock: Clock,
    timeouts: AnswerTimeouts,
    streamed: boolean,
    stop: (failure: VendorFailure) => void,
  ) {
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#streamed = streamed;
    this.#stop = stop;
    this.#calledMs = clock.monotonicMs();
    const { connectionMs, totalMs } = timeouts;
    this.#total = new Countdown(clock, totalMs, this.#late('end', totalMs));
    this.#phase = new Countdown(clock, connectionMs, this.#onNoConnection);
  }

  get isSent(): boolean {
    return this.#sentMs !== undefined;
  }

  /**
   * After a time-out. A vendor that got the request works on a whole answer until it sends it, so
   * another one would be paid for the same work.
   */
  get mayTryElsewhere(): boolean {
    return this.#streamed || !this.isSent;
  }

  waitInLine(): void {
    this.#bound(this.#timeouts.queueMs, this.#onNoConnection);
  }

  /** It waits in the queue no more; what it waited there is time in which it got no connection. */
  takeTurn(): void {
    const waitedMs = this.#clock.monotonicMs() - this.#calledMs;
    this.#bound(Math.max(0, this.#timeouts.connectionMs - waitedMs), this.#onNoConnection);
  }

  send(): void {
    const { headMs } = this.#timeouts;
    this.#sentMs = this.#clock.monotonicMs();
    this.#bound(headMs, this.#late('head', headMs));
  }

  awaitFirstEvent(): void {
    const { firstEventMs } = this.#timeouts;
    this.endPhase();
    if (firstEventMs === undefined) return;
    const monotonicNowMs = this.#clock.monotonicMs();
    const takenMs = monotonicNowMs - (this.#sentMs ?? monotonicNowMs);
    this.#bound(Math.max(0, firstEventMs - takenMs), this.#late('first event', firstEventMs));
  }

  awaitLastWord(): void {
    this.#bound(LAST_WORD_MS_MAX, this.#late('end', LAST_WORD_MS_MAX));
  }

  awaitTail(onTimeout: () => void): void {
    this.#bound(TAIL_MS_MAX, onTimeout);
  }

  /** The vendor has to wait for its reader, until `goOn`. */
  holdUp(): void {
    if (this.#isHeldUp) return;
    this.#isHeldUp = true;
    this.#total.halt();
    this.#phase.halt();
  }

  goOn(): void {
    if (!this.#isHeldUp) return;
    this.#isHeldUp = false;
    this.#total.goOn();
    this.#phase.goOn();
  }

  /** The present phase has no bound any more. */
  endPhase(): void {
    this.#phase.cancel();
  }

  /** What follows the end waits for no reader. */
  end(): void {
    this.#isHeldUp = false;
    this.#phase.cancel();
    this.#total.cancel();
  }

  readonly #onNoConnection = () =>
    this.#stop(notSent('no connection to the channel was free in time'));

  #late(missing: MissingPart, withinMs: number): () => void {
    return () => this.#stop(timedOut(missing, withinMs, this.mayTryElsewhere));
  }

  #bound(delayMs: number, onTimeout: () => void): void {
    this.#phase.cancel();
    this.#phase = new Countdown(this.#clock, delayMs, onTimeout);
    if (this.#isHeldUp) this.#phase.halt();
  }
}
