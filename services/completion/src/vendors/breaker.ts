/** When a model of a channel is left alone. */
export interface BreakerLimits {
  /** Share of failed calls in ten seconds that opens the breaker, percent. */
  readonly failurePercent: number;
  /** Calls in ten seconds before the share counts. */
  readonly callsMin: number;
  /**
   * How long it stays open before one call may try, and how long that call is waited for. Doubled
   * with each relapse, twice at most.
   */
  readonly openMs: number;
}

export type BreakerState = 'closed' | 'half_open' | 'open';

/** The result of a call. An aborted call and a refused request show nothing. */
export type Verdict = 'worked' | 'failed' | 'unknown';

/** One call that was let through. */
export interface Passage {
  /** Nothing came for longer than is usual: a suspicion, and the failure of a trial. */
  fallSilent(): void;
  /** Reports the result; only the first report counts. */
  report(verdict: Verdict): void;
}

const BUCKET_MS = 1000;
const BUCKETS = 10;

const DOUBLINGS_MAX = 2;
/** Calls that decide whether a breaker opens again that closed lately. */
const PROBATION_CALLS_MIN = 3;

/** The results of calls of the last ten seconds. */
export interface Tally {
  readonly calls: number;
  readonly failures: number;
  /** Failures, and calls that are silent for longer than is usual. */
  readonly suspicions: number;
  /** Suspicions since the last call that worked. */
  readonly inRow: number;
}

interface Bucket {
  readonly startMs: number;
  calls: number;
  failures: number;
  silences: number;
}

/**
 *   closed ──too many failed──▶ open ──time──▶ half open ──worked──▶ closed
 *                                 ▲                 │
 *                                 └────failed───────┘
 *
 * Half open lets one call through and stays so until one has worked or failed. The next one may
 * try when that one says nothing about the vendor, or takes longer than the breaker was open. A
 * closed one is on probation until as many calls as are counted at least have not opened it again.
 *
 * Whoever compares channels may `demote` a closed one: it goes through the same states, but is only
 * to be asked last, so calls pass. It owns no timer, because there is one for each model of each
 * channel. Times are monotonic milliseconds.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  #buckets: Bucket[] = [];
  #openUntilMs: number | undefined;
  #cooldownUntilMs = 0;
  /** Until then the call that tries is waited for. */
  #trialUntilMs = 0;
  /** Open only in comparison to others. */
  #demoted = false;
  #inRow = 0;
  /** Openings since it was last off probation. */
  #relapses = 0;
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

  /** The results of the last ten seconds; none of those before it opened. */
  tallyAt(nowMs: number): Tally {
    const oldestMs = startOfBucket(nowMs) - (BUCKETS - 1) * BUCKET_MS;
    let [calls, failures, suspicions] = [0, 0, 0];
    for (const bucket of this.#buckets) {
      if (bucket.startMs < oldestMs) continue;
      calls += bucket.calls;
      failures += bucket.failures;
      suspicions += bucket.failures + bucket.silences;
    }
    return { calls, failures, suspicions, inRow: this.#inRow };
  }

  /** True while others are to be asked first. */
  isDemotedAt(nowMs: number): boolean {
    return this.#demoted && this.#pauseMsAt(nowMs) > 0;
  }

  /** How long no call is let through because of failures; 0 when one is. */
  waitMsAt(nowMs: number): number {
    return this.#demoted ? 0 : this.#pauseMsAt(nowMs);
  }

  #pauseMsAt(nowMs: number): number {
    if (this.#openUntilMs === undefined) return 0;
    if (nowMs < this.#openUntilMs) return this.#openUntilMs - nowMs;
    return Math.max(0, this.#trialUntilMs - nowMs);
  }

  /** Others of the model do better: they are to be asked first for a time. */
  demote(nowMs: number): void {
    if (this.#openUntilMs !== undefined) return;
    this.#open(nowMs);
    this.#demoted = true;
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
    let reported = false;
    return {
      fallSilent: () => {
        if (reported || period !== this.#period) return;
        if (trial) this.#endTrial('failed', untilMs, clock());
        else this.#count('silent', clock());
      },
      report: (verdict) => {
        if (reported || period !== this.#period) return;
        reported = true;
        if (trial) this.#endTrial(verdict, untilMs, clock());
        else this.#count(verdict, clock());
      },
    };
  }

  #endTrial(verdict: Verdict, untilMs: number, nowMs: number): void {
    if (untilMs === this.#trialUntilMs) this.#trialUntilMs = 0;
    if (verdict === 'failed') this.#open(nowMs);
    if (verdict !== 'worked') return;
    this.#openUntilMs = undefined;
    this.#demoted = false;
    this.#inRow = 0;
    this.#buckets = [];
    this.#period += 1;
  }

  #count(verdict: Verdict | 'silent', nowMs: number): void {
    if (verdict === 'unknown') return;
    const bucket = this.#bucketAt(nowMs);
    bucket.calls += 1;
    if (verdict === 'failed') bucket.failures += 1;
    if (verdict === 'silent') bucket.silences += 1;
    this.#inRow = verdict === 'worked' ? 0 : this.#inRow + 1;
    const { calls, failures } = this.tallyAt(nowMs);
    const { callsMin, failurePercent } = this.#limits;
    const isBad = failures * 100 >= calls * failurePercent;
    const onProbation = this.#relapses > 0;
    const needed = onProbation ? Math.min(PROBATION_CALLS_MIN, callsMin) : callsMin;
    if (verdict === 'failed' && isBad && calls >= needed) this.#open(nowMs);
    else if (onProbation && calls >= callsMin) this.#relapses = 0;
  }

  #bucketAt(nowMs: number): Bucket {
    const startMs = startOfBucket(nowMs);
    const last = this.#buckets.at(-1);
    if (last?.startMs === startMs) return last;
    const oldestMs = startMs - (BUCKETS - 1) * BUCKET_MS;
    const bucket = { startMs, calls: 0, failures: 0, silences: 0 };
    this.#buckets = [...this.#buckets.filter((each) => each.startMs >= oldestMs), bucket];
    return bucket;
  }

  #open(nowMs: number): void {
    const doublings = Math.min(this.#relapses, DOUBLINGS_MAX);
    this.#openUntilMs = nowMs + this.#limits.openMs * 2 ** doublings;
    this.#relapses += 1;
    this.#buckets = [];
    this.#period += 1;
  }
}

function startOfBucket(nowMs: number): number {
  return nowMs - (nowMs % BUCKET_MS);
}
