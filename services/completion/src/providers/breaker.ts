/** When a model of a channel is left alone. */
export interface BreakerLimits {
  /** Share of failed calls in ten seconds that opens the breaker, percent. */
  readonly failurePercent: number;
  /** Calls in ten seconds before the share counts. */
  readonly callsMin: number;
  /** How long it stays open before one call may try, and how long that call is waited for. */
  readonly openMs: number;
}

export type BreakerState = 'closed' | 'half_open' | 'open';

/** What a call showed. An aborted call and a refused request show nothing. */
export type Verdict = 'worked' | 'failed' | 'unknown';

/** One call that was let through; its end is told once. */
export interface Passage {
  settle(verdict: Verdict): void;
}

const BUCKET_MS = 1000;
const BUCKETS = 10;

interface Bucket {
  readonly startMs: number;
  calls: number;
  failures: number;
}

/**
 *   closed ──too many failed──▶ open ──time──▶ half open ──worked──▶ closed
 *                                 ▲                 │
 *                                 └────failed───────┘
 *
 * Half open lets one call through and stays so until one has worked or failed. The next one may
 * try when that one says nothing about the vendor, or takes longer than the breaker was open. It
 * owns no timer, because there is one for each model of each channel. Times are monotonic
 * milliseconds.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  #buckets: Bucket[] = [];
  #openUntilMs: number | undefined;
  #cooldownUntilMs = 0;
  /** Until then the call that tries is waited for. */
  #trialUntilMs = 0;
  /** Counts openings and closings: a call of an earlier period decides nothing in a later one. */
  #period = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  stateAt(nowMs: number): BreakerState {
    if (this.#openUntilMs === undefined) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'half_open';
  }

  /** How long the vendor still wants to be left alone; 0 when it does not. */
  cooldownMsAt(nowMs: number): number {
    return Math.max(0, this.#cooldownUntilMs - nowMs);
  }

  /** How long no call is let through because of failures; 0 when one is. */
  waitMsAt(nowMs: number): number {
    if (this.#openUntilMs === undefined) return 0;
    if (nowMs < this.#openUntilMs) return this.#openUntilMs - nowMs;
    return Math.max(0, this.#trialUntilMs - nowMs);
  }

  /** The vendor wants to be left alone for a time. That is no failure: it works, but not for us. */
  coolDown(durationMs: number, nowMs: number): void {
    this.#cooldownUntilMs = Math.max(this.#cooldownUntilMs, nowMs + durationMs);
  }

  /** Lets one call through; undefined while it should not be made. */
  pass(clock: () => number): Passage | undefined {
    const nowMs = clock();
    if (this.waitMsAt(nowMs) > 0 || this.cooldownMsAt(nowMs) > 0) return undefined;
    const trial = this.#openUntilMs !== undefined;
    const period = this.#period;
    const untilMs = nowMs + this.#limits.openMs;
    if (trial) this.#trialUntilMs = untilMs;
    let settled = false;
    return {
      settle: (verdict) => {
        if (settled || period !== this.#period) return;
        settled = true;
        if (trial) this.#settleTrial(verdict, untilMs, clock());
        else this.#count(verdict, clock());
      },
    };
  }

  #settleTrial(verdict: Verdict, untilMs: number, nowMs: number): void {
    if (untilMs === this.#trialUntilMs) this.#trialUntilMs = 0;
    if (verdict === 'failed') this.#open(nowMs);
    if (verdict !== 'worked') return;
    this.#openUntilMs = undefined;
    this.#buckets = [];
    this.#period += 1;
  }

  #count(verdict: Verdict, nowMs: number): void {
    if (verdict === 'unknown') return;
    const startMs = nowMs - (nowMs % BUCKET_MS);
    let bucket = this.#buckets.at(-1);
    if (bucket?.startMs !== startMs) {
      const oldestMs = startMs - (BUCKETS - 1) * BUCKET_MS;
      bucket = { startMs, calls: 0, failures: 0 };
      this.#buckets = [...this.#buckets.filter((each) => each.startMs >= oldestMs), bucket];
    }
    bucket.calls += 1;
    if (verdict === 'worked') return;
    bucket.failures += 1;
    const calls = this.#buckets.reduce((sum, each) => sum + each.calls, 0);
    const failures = this.#buckets.reduce((sum, each) => sum + each.failures, 0);
    const { callsMin, failurePercent } = this.#limits;
    if (calls >= callsMin && failures * 100 >= calls * failurePercent) this.#open(nowMs);
  }

  #open(nowMs: number): void {
    this.#openUntilMs = nowMs + this.#limits.openMs;
    this.#buckets = [];
    this.#period += 1;
  }
}
