import type { BreakerState } from '@tollgate/core';
/** When a model of a channel is left alone. */
export interface BreakerBounds {
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

/** The result of a call. An aborted call and a refused request show nothing. */
export type Verdict = 'succeeded' | 'failed' | 'unknown';

/** A call that the breaker let through. */
export interface BreakerCall {
  /** Nothing came for longer than is usual: a suspicion, and the failure of a trial. */
  fallSilent(): void;
  /** Reports the result; only the first report counts. */
  report(verdict: Verdict): void;
  /** Its exchange is over, and its result may take a while: another call may try meanwhile. */
  leave(): void;
}

const BUCKET_MS = 1000;
const BUCKETS = 10;

const DOUBLINGS_MAX = 2;
/** Calls that decide whether a breaker opens again that closed lately. */
const PROBATION_CALLS_MIN = 3;

interface Counts {
  /** Those that have a result, and those that fell silent without one. */
  calls: number;
  /** Calls that succeeded or failed. */
  results: number;
  failures: number;
  /** Failures, and calls that were silent for longer than is usual. */
  suspicions: number;
}

/** The calls of the last ten seconds. */
export interface Tally extends Readonly<Counts> {
  /** Suspicions since the last call that succeeded. */
  readonly inRow: number;
}

interface Bucket extends Counts {
  readonly startMs: number;
  /** By account; those beyond the bound are one. */
  readonly accounts: Map<string, Counts>;
}

/** Where a call that fell silent was counted: its result is counted in place of the silence. */
interface CountedSilence {
  readonly sums: readonly Counts[];
  readonly row: { suspicions: number };
}

/** What of the calls speaks against the vendor, those of one account weighed. */
interface WeighedTally {
  readonly calls: number;
  readonly bad: number;
  /** The only account that saw anything bad; undefined when it was more than one. */
  readonly account: string | undefined;
}

const NONE: Readonly<Counts> = { calls: 0, results: 0, failures: 0, suspicions: 0 };
/** What the failures and the suspicions are a share of. */
const WHOLE = { failures: 'results', suspicions: 'calls' } as const;
/** Accounts that are told apart in one second. */
const ACCOUNTS_MAX = 64;
const OTHERS = 'others';

/**
 *   closed ──too many failed──▶ open ──time──▶ half open ──succeeded──▶ closed
 *                                 ▲                 │
 *                                 └────failed───────┘
 *
 * Half open lets one call through and stays so until one has succeeded or failed. The next one may
 * try when that one says nothing about the vendor, when its exchange is over though its result is
 * not known yet, or when it takes longer than the breaker was open.
 * One that closed is on probation until `callsMin` calls have not opened it again: meanwhile three
 * calls decide.
 *
 * One account may send what only its own requests suffer from. While calls of others succeed,
 * its failures weigh at most as much as theirs together; what it opened alone is open for it alone,
 * and the first call of another account decides for all.
 *
 * Whoever compares channels may `demote` a closed one: it goes through the same states, but is only
 * to be asked last, so calls pass. It owns no timer, because there is one for each model of each
 * channel. Times are monotonic milliseconds.
 */
export class Breaker {
  readonly #bounds: BreakerBounds;
  #buckets: Bucket[] = [];
  #openUntilMs: number | undefined;
  /** How long it was opened for last: a call that tries is waited for as long. */
  #openMs = 0;
  #cooldownUntilMs = 0;
  /** Until then the call that tries is waited for. */
  #trialUntilMs = 0;
  /** Open only in comparison to others. */
  #demoted = false;
  /** Since the last call that succeeded; each such call begins a new one. */
  #row = { suspicions: 0 };
  /** Whose failures alone opened it; undefined when it was more than one account. */
  #openedBy: string | undefined;
  /** Openings since it was last off probation. */
  #relapses = 0;
  /** Counts openings and closings: a call of an earlier period decides nothing in a later one. */
  #period = 0;

  constructor(bounds: BreakerBounds) {
    this.#bounds = bounds;
  }

  stateAt(monotonicNowMs: number): BreakerState {
    if (this.#openUntilMs === undefined) return 'closed';
    return monotonicNowMs < this.#openUntilMs ? 'open' : 'half_open';
  }

  /** How long the vendor still wants to be left alone; 0 when it does not. */
  cooldownMsAt(monotonicNowMs: number): number {
    return Math.max(0, this.#cooldownUntilMs - monotonicNowMs);
  }

  /** The calls of the last ten seconds; none of those before it opened. */
  tallyAt(monotonicNowMs: number): Tally {
    const oldestMs = startOfBucket(monotonicNowMs) - (BUCKETS - 1) * BUCKET_MS;
    let counts = NONE;
    for (const bucket of this.#buckets) {
      if (bucket.startMs >= oldestMs) counts = sumOf(counts, bucket);
    }
    return { ...counts, inRow: this.#row.suspicions };
  }

  /** The last ten seconds; an account that suffers more than all others together weighs less. */
  weighedAt(monotonicNowMs: number, what: 'failures' | 'suspicions'): WeighedTally {
    const countsByAccount = new Map<string, Counts>();
    const oldestMs = startOfBucket(monotonicNowMs) - (BUCKETS - 1) * BUCKET_MS;
    for (const { accounts, startMs } of this.#buckets) {
      if (startMs < oldestMs) continue;
      for (const [account, counts] of accounts) {
        countsByAccount.set(account, sumOf(countsByAccount.get(account) ?? NONE, counts));
      }
    }
    let account: string | undefined;
    let [worst, all] = [NONE, NONE];
    for (const [name, counts] of countsByAccount) {
      all = sumOf(all, counts);
      if (counts[what] > worst[what]) [account, worst] = [name, counts];
    }
    const whole = WHOLE[what];
    const others = { calls: all[whole] - worst[whole], bad: all[what] - worst[what] };
    if (others.bad > 0 || account === OTHERS) account = undefined;
    const { [whole]: calls, [what]: bad } = this.tallyAt(monotonicNowMs);
    const othersSucceed = others.calls > others.bad;
    if (!othersSucceed || worst[what] <= others.bad) return { calls, bad, account };
    const scale = others.bad / worst[what];
    return { calls: others.calls + worst[whole] * scale, bad: 2 * others.bad, account };
  }

  /** True while others are to be asked first. */
  isDemotedAt(monotonicNowMs: number): boolean {
    return this.#demoted && this.#pauseMsAt(monotonicNowMs) > 0;
  }

  /** How long no call of the account is let through because of failures; 0 when one is. */
  waitMsAt(monotonicNowMs: number, account?: string): number {
    if (this.#demoted) return 0;
    const isOthers = this.#openedBy !== undefined && account !== this.#openedBy;
    return isOthers && account !== undefined ? 0 : this.#pauseMsAt(monotonicNowMs);
  }

  #pauseMsAt(monotonicNowMs: number): number {
    if (this.#openUntilMs === undefined) return 0;
    if (monotonicNowMs < this.#openUntilMs) return this.#openUntilMs - monotonicNowMs;
    return Math.max(0, this.#trialUntilMs - monotonicNowMs);
  }

  /** Others of the model do better: they are to be asked first for a time. */
  demote(monotonicNowMs: number): void {
    if (this.#openUntilMs !== undefined) return;
    this.#open(monotonicNowMs, undefined);
    this.#demoted = true;
  }

  /** The vendor wants to be left alone for a time. That is no failure: it answered. */
  coolDown(durationMs: number, monotonicNowMs: number): void {
    this.#cooldownUntilMs = Math.max(this.#cooldownUntilMs, monotonicNowMs + durationMs);
  }

  /** Whether a call of the account would be let through. */
  isPassable(monotonicNowMs: number, account: string): boolean {
    return this.waitMsAt(monotonicNowMs, account) === 0 && this.cooldownMsAt(monotonicNowMs) === 0;
  }

  /** Lets one call of the account through; undefined while it should not be made. */
  pass(monotonicMs: () => number, account = ''): BreakerCall | undefined {
    const monotonicNowMs = monotonicMs();
    if (!this.isPassable(monotonicNowMs, account)) return undefined;
    const trial = this.#openUntilMs !== undefined;
    const period = this.#period;
    const untilMs = monotonicNowMs + this.#openMs;
    if (trial) this.#trialUntilMs = untilMs;
    let reported = false;
    let silence: CountedSilence | undefined;
    return {
      fallSilent: () => {
        if (reported || period !== this.#period) return;
        if (trial) this.#endTrial('failed', account, untilMs, monotonicMs());
        else silence ??= this.#countSilence(account, monotonicMs());
      },
      report: (verdict) => {
        if (reported || period !== this.#period) return;
        reported = true;
        if (trial) this.#endTrial(verdict, account, untilMs, monotonicMs());
        else if (verdict !== 'unknown') this.#countResult(verdict, account, monotonicMs(), silence);
      },
      leave: () => {
        if (trial && !reported) this.#stopWaitingFor(untilMs);
      },
    };
  }

  #endTrial(verdict: Verdict, account: string, untilMs: number, monotonicNowMs: number): void {
    this.#stopWaitingFor(untilMs);
    if (verdict === 'failed') {
      this.#open(monotonicNowMs, account === this.#openedBy ? account : undefined);
    }
    if (verdict !== 'succeeded') return;
    this.#openUntilMs = undefined;
    this.#trialUntilMs = 0;
    this.#openedBy = undefined;
    this.#demoted = false;
    this.#row = { suspicions: 0 };
    this.#buckets = [];
    this.#period += 1;
    // Whose call succeeded is remembered: the failures of another account alone do not open it again.
    addTo([countsOf(this.#bucketAt(monotonicNowMs), account)], { calls: 1, results: 1 });
  }

  /** The trial that was waited for until then; a later one is waited for all the same. */
  #stopWaitingFor(untilMs: number): void {
    if (untilMs === this.#trialUntilMs) this.#trialUntilMs = 0;
  }

  #countSilence(account: string, monotonicNowMs: number): CountedSilence {
    const silence = { sums: this.#sumsOf(account, monotonicNowMs), row: this.#row };
    addTo(silence.sums, { calls: 1, suspicions: 1 });
    silence.row.suspicions += 1;
    return silence;
  }

  #countResult(
    verdict: 'succeeded' | 'failed',
    account: string,
    monotonicNowMs: number,
    silence: CountedSilence | undefined,
  ): void {
    const failures = verdict === 'failed' ? 1 : 0;
    if (silence !== undefined && verdict === 'succeeded') {
      // It stays the suspicion that it was when it fell silent, and is none of now.
      addTo(this.#sumsOf(account, monotonicNowMs), { results: 1 });
    } else {
      if (silence !== undefined) {
        addTo(silence.sums, { calls: -1, suspicions: -1 });
        silence.row.suspicions -= 1;
      }
      addTo(this.#sumsOf(account, monotonicNowMs), {
        calls: 1,
        results: 1,
        failures,
        suspicions: failures,
      });
    }
    if (verdict === 'succeeded') this.#row = { suspicions: 0 };
    else this.#row.suspicions += 1;
    const { callsMin, failurePercent } = this.#bounds;
    const onProbation = this.#relapses > 0;
    if (verdict === 'failed') {
      const { account: openedBy, bad, calls } = this.weighedAt(monotonicNowMs, 'failures');
      const isBad = bad * 100 >= calls * failurePercent;
      const needed = onProbation ? Math.min(PROBATION_CALLS_MIN, callsMin) : callsMin;
      if (isBad && calls >= needed) {
        this.#open(monotonicNowMs, openedBy);
        return;
      }
    }
    if (onProbation && this.tallyAt(monotonicNowMs).results >= callsMin) this.#relapses = 0;
  }

  /** In what a call of the account counts now. */
  #sumsOf(account: string, monotonicNowMs: number): readonly Counts[] {
    const bucket = this.#bucketAt(monotonicNowMs);
    return [bucket, countsOf(bucket, account)];
  }

  #bucketAt(monotonicNowMs: number): Bucket {
    const startMs = startOfBucket(monotonicNowMs);
    const last = this.#buckets.at(-1);
    if (last?.startMs === startMs) return last;
    const oldestMs = startMs - (BUCKETS - 1) * BUCKET_MS;
    const bucket: Bucket = { startMs, ...NONE, accounts: new Map() };
    this.#buckets = [...this.#buckets.filter((each) => each.startMs >= oldestMs), bucket];
    return bucket;
  }

  #open(monotonicNowMs: number, openedBy: string | undefined): void {
    this.#openedBy = openedBy;
    const doublings = Math.min(this.#relapses, DOUBLINGS_MAX);
    this.#openMs = this.#bounds.openMs * 2 ** doublings;
    this.#openUntilMs = monotonicNowMs + this.#openMs;
    this.#trialUntilMs = 0;
    this.#relapses += 1;
    this.#buckets = [];
    this.#period += 1;
  }
}

function countsOf({ accounts }: Bucket, account: string): Counts {
  const name = accounts.has(account) || accounts.size < ACCOUNTS_MAX ? account : OTHERS;
  const counts = accounts.get(name) ?? { ...NONE };
  accounts.set(name, counts);
  return counts;
}

function addTo(sums: readonly Counts[], more: Partial<Counts>): void {
  for (const counts of sums) Object.assign(counts, sumOf(counts, { ...NONE, ...more }));
}

function sumOf(one: Readonly<Counts>, other: Readonly<Counts>): Counts {
  return {
    calls: one.calls + other.calls,
    results: one.results + other.results,
    failures: one.failures + other.failures,
    suspicions: one.suspicions + other.suspicions,
  };
}

function startOfBucket(monotonicNowMs: number): number {
  return monotonicNowMs - (monotonicNowMs % BUCKET_MS);
}
