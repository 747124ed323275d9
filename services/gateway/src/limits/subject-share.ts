import { DAY_MS, LIMIT_NAMES, SECOND_MS } from '@tollgate/core';
import {
  CONCURRENCY_RETRY_MS,
  type CountedIn,
  closedWaitMs,
  LIMIT_KINDS,
  type LimitKind,
  type LimitRefusal,
  type LimitState,
  limitIn,
  MINUTE_BUCKETS,
  type RequestLimits,
  WINDOW_MS,
} from './limiter';
import type { ShareGrant, ShareRequest } from './shared-counters';

/** How often what was used is reported and the reserve is set right, milliseconds. */
export const SHARE_INTERVAL_MS = 100;
/** Unused for so long, everything in reserve is released. */
const IDLE_MS = 1000;
/** How long a refusal is repeated without asking: a flood of refused calls then costs little. */
const REFUSAL_TTL_MS = 1000;
/** The reserve lasts for so many intervals like the last one. */
const RESERVE_INTERVALS = 2.5;
/** Fewer requests in an interval are no steady use: they ask one by one. */
const STEADY_USES = 2;
/** The part of the peak that a reserve of places keeps from one interval to the next. */
const PEAK_DECAY = 0.75;

/** Times of one decision: monotonic, and as the counters have it. */
export interface ShareTime {
  readonly monotonicNowMs: number;
  readonly counterMs: number;
}

/** Why a subject has nothing left, and for how long. */
export interface ShareRefusal {
  readonly kind: LimitKind;
  readonly retryAfterMs: number;
}

/**
 * A gateway's part of one subject's limits: admissions, each of which one request uses up in
 * minute and day, and places, each of which one request has while it runs. Both are granted by the
 * shared counters, which take them for used; so whatever is decided here keeps the limits.
 *
 * Only one question about a subject is under way at a time: what it says about the share is then
 * true when it arrives, also when the answer to the one before was lost.
 */
export class SubjectShare {
  readonly id: string;
  /** Requests that wait for an answer about this subject. */
  waiting = 0;
  /** A question is under way. */
  asking = false;
  /** The counters may not know what is held here: it is told, whether it changed or not. */
  unsure = false;
  inFlight = 0;
  /** The requests in flight that were admitted without the counters. */
  inFlightAlone = 0;
  #limits: RequestLimits;
  /** The limit of 0, if there is one: it admits nothing, whatever is in reserve. */
  #closed: LimitKind | undefined;
  #admissions = 0;
  #places = 0;
  #placesTold = 0;
  #placesKeep = 0;
  #admissionsKeep = 0;
  #peak = 0;
  /** Requests that the counters have not heard of, by second; the newest last. */
  #used: [second: number, count: number][] = [];
  #usedCount = 0;
  #day = 0;
  #dayChange = 0;
  #sent: Pick<ShareRequest, 'used' | 'day' | 'dayChange'> | undefined;
  #placesNeeded = 0;
  /** Requests of the present interval, and of the one right before it; 0 when there was a gap. */
  #interval = { startMs: Number.NEGATIVE_INFINITY, uses: 0, usesBefore: 0 };
  #usedMs: number;
  #minuteCount = 0;
  #minuteResetMonotonicMs = 0;
  #dayCount = 0;
  #refusal: { kind: LimitKind; endsMs: number; askAgainMs: number } | undefined;
  #placesRefusedUntilMs = 0;

  constructor(id: string, limits: RequestLimits, monotonicNowMs: number) {
    this.id = id;
    this.#limits = limits;
    this.#closed = closedIn(limits);
    this.#usedMs = monotonicNowMs;
  }

  get limits(): RequestLimits {
    return this.#limits;
  }

  /** A changed plan or key setting holds from the next request on. */
  set limits(limits: RequestLimits) {
    if (limits === this.#limits) return;
    const before = this.#limits;
    this.#limits = limits;
    this.#closed = closedIn(limits);
    if (LIMIT_NAMES.every((name) => before[name] === limits[name])) return;
    this.#refusal = undefined;
    this.#placesRefusedUntilMs = 0;
    this.dropReserve();
  }

  /** Whether one more request fits into what is here. */
  get suffices(): boolean {
    return this.#closed === undefined && this.#hasAdmission && this.#hasPlace;
  }

  /** Whether something is here that the counters have to hear of. */
  get hasNews(): boolean {
    return this.unsure || this.#used.length > 0 || this.#dayChange !== 0 || this.#hasExcess;
  }

  /** Whether nothing is held, told or remembered any more. */
  isOver(monotonicNowMs: number): boolean {
    return (
      !this.hasNews &&
      !this.asking &&
      this.waiting === 0 &&
      this.inFlight === 0 &&
      this.#admissions === 0 &&
      this.#placesTold === 0 &&
      (this.#refusal?.askAgainMs ?? 0) <= monotonicNowMs
    );
  }

  /** Whether the interval's question has something to say: what was used, or what is released. */
  isDue(monotonicNowMs: number): boolean {
    if (this.asking) return false;
    return this.hasNews || (this.#holdsReserve && monotonicNowMs - this.#usedMs >= IDLE_MS);
  }

  /**
   * Whether the next interval has to look at it. A share without requests in flight is looked at until
   * it is over, so that it is forgotten then; with some the end of one is soon enough.
   */
  get needsInterval(): boolean {
    return this.asking || this.hasNews || this.#holdsReserve || this.inFlight === 0;
  }

  /** Why no more request fits, as far as it is known without asking. */
  refusal({ monotonicNowMs, counterMs }: ShareTime): ShareRefusal | undefined {
    const closed = this.#closed;
    if (closed !== undefined) {
      return { kind: closed, retryAfterMs: closedWaitMs(closed, counterMs) };
    }
    const refusal = this.#refusal;
    if (!this.#hasAdmission && refusal !== undefined && monotonicNowMs < refusal.askAgainMs) {
      const retryAfterMs = Math.max(1, Math.ceil(refusal.endsMs - monotonicNowMs));
      return { kind: refusal.kind, retryAfterMs };
    }
    if (this.#hasPlace || monotonicNowMs >= this.#placesRefusedUntilMs) return undefined;
    return { kind: 'concurrency', retryAfterMs: CONCURRENCY_RETRY_MS };
  }

  /** Counts one request, whoever admitted it. */
  take({ monotonicNowMs, counterMs }: ShareTime, alone: boolean): void {
    if (!alone && this.#isCounted) this.#admissions -= 1;
    this.inFlight += 1;
    if (alone) this.inFlightAlone += 1;
    if (this.inFlight > this.#peak) this.#peak = this.inFlight;
    this.#usedMs = monotonicNowMs;
    this.#measure(monotonicNowMs);
    this.#count(Math.floor(counterMs / SECOND_MS), 1);
    const day = Math.floor(counterMs / DAY_MS);
    if (day !== this.#day) this.#beginDay(day);
    this.#dayChange += 1;
  }

  /** The end of one request; true when its place should go back at once. */
  release(day: number, countedIn: CountedIn, alone: boolean): boolean {
    this.inFlight -= 1;
    if (alone) this.inFlightAlone -= 1;
    if (countedIn === 'minute' && day === this.#day) this.#dayChange -= 1;
    return this.#hasExcess;
  }

  /** Gives up what is in reserve: the counters take it for used no longer. */
  dropReserve(): void {
    this.#admissions = 0;
    this.#places = this.inFlight;
    this.unsure = true;
  }

  /** The report and question to the counters; nothing is held here beyond what it names. */
  ask({ monotonicNowMs, counterMs }: ShareTime): ShareRequest {
    this.#shrink(monotonicNowMs);
    const counted = this.#isCounted;
    const limited = this.#limits.concurrentRequests !== undefined;
    const admissionsNeeded = counted ? Math.max(0, this.waiting - this.#admissions) : 0;
    const wanted = counted ? this.#steadyUse(monotonicNowMs) + this.waiting : 0;
    const places = limited ? Math.max(this.#places, this.inFlight) : this.inFlight;
    this.#places = places;
    this.#placesNeeded = limited ? Math.max(0, this.inFlight + this.waiting - places) : 0;
    const told = { used: this.#used, day: this.#day, dayChange: this.#dayChange };
    const request: ShareRequest = {
      id: this.id,
      limits: this.#limits,
      ...told,
      admissions: this.#admissions,
      admissionsNeeded,
      admissionsSpare: Math.max(0, wanted - this.#admissions - admissionsNeeded),
      places,
      placesIdle: places - this.inFlight,
      placesNeeded: this.#placesNeeded,
    };
    this.#sent = told;
    this.#used = [];
    this.#usedCount = 0;
    this.#beginDay(Math.floor(counterMs / DAY_MS));
    this.#peak = Math.max(this.inFlight, Math.floor(this.#peak * PEAK_DECAY));
    this.#placesTold = places;
    this.unsure = false;
    this.asking = true;
    return request;
  }

  /**
   * The answer to a question of `sentMs`, which came at `cameMs`. A refusal ends when the counters
   * said; however long the answer was on its way, it decides about those who wait for it.
   */
  answered(grant: ShareGrant, sentMs: number, cameMs: number): void {
    this.asking = false;
    this.#sent = undefined;
    this.#admissions += grant.admissions;
    this.#admissionsKeep = grant.admissionsKeep;
    this.#places += grant.places;
    this.#placesTold += grant.places;
    this.#placesKeep = grant.placesKeep;
    this.#minuteCount = grant.minuteCount;
    this.#minuteResetMonotonicMs = sentMs + grant.minuteResetMs;
    this.#dayCount = grant.dayCount;
    this.#refusal = undefined;
    if (grant.refused !== undefined) {
      const endsMs = sentMs + Math.max(1, grant.waitMs);
      const askAgainMs = Math.min(endsMs, cameMs + REFUSAL_TTL_MS);
      this.#refusal = { kind: grant.refused, endsMs, askAgainMs };
    }
    if (grant.places < this.#placesNeeded) {
      this.#placesRefusedUntilMs = cameMs + SHARE_INTERVAL_MS;
    }
  }

  /**
   * Nobody knows whether the question arrived: all of it is told again. If it had, uses are counted
   * twice; so are requests that do not count in the day after all, which then admits as many more.
   */
  lost(): void {
    const sent = this.#sent;
    this.asking = false;
    this.#sent = undefined;
    this.unsure = true;
    if (sent === undefined) return;
    const since = this.#used;
    this.#used = [];
    this.#usedCount = 0;
    for (const [second, count] of [...sent.used, ...since]) this.#count(second, count);
    if (sent.day === this.#day) this.#dayChange += sent.dayChange;
  }

  /** Whether nothing of it is in a window any more, whether the counters heard of it or not. */
  isForgotten(monotonicNowMs: number): boolean {
    const busy = this.asking || this.waiting > 0 || this.inFlight > 0;
    return !busy && monotonicNowMs - this.#usedMs > WINDOW_MS;
  }

  /** The limits' state as the counters had it at their last answer, with what was used here since. */
  state({ monotonicNowMs, counterMs }: ShareTime, refused?: LimitKind): LimitState {
    const limits = this.#limits;
    const sent = this.#sent;
    let minuteCount = this.#minuteCount + this.#usedCount;
    let dayCount = this.#dayCount + this.#dayChange;
    if (sent !== undefined) {
      for (const [, count] of sent.used) minuteCount += count;
      if (sent.day === this.#day) dayCount += sent.dayChange;
    }
    let minuteResetMs = this.#minuteResetMonotonicMs - monotonicNowMs;
    const [oldest] = sent?.used[0] ?? this.#used[0] ?? [];
    if (minuteResetMs <= 0 || this.#minuteCount === 0) {
      minuteResetMs = oldest === undefined ? 0 : oldest * SECOND_MS + WINDOW_MS - counterMs;
    }
    // What others have in hand is as good as used for the client that is refused because of it.
    if (refused === 'rpm') minuteCount = Math.max(minuteCount, limits.requestsPerMinute ?? 0);
    if (refused === 'rpd') dayCount = Math.max(dayCount, limits.requestsPerDay ?? 0);
    return {
      limits,
      minuteCount,
      minuteResetMs,
      dayCount,
      dayResetMs: DAY_MS - (counterMs % DAY_MS),
    };
  }

  get #isCounted(): boolean {
    const { requestsPerMinute, requestsPerDay } = this.#limits;
    return requestsPerMinute !== undefined || requestsPerDay !== undefined;
  }

  get #hasAdmission(): boolean {
    return this.#admissions > 0 || !this.#isCounted;
  }

  get #hasPlace(): boolean {
    return this.inFlight < this.#places || this.#limits.concurrentRequests === undefined;
  }

  get #holdsReserve(): boolean {
    return this.#admissions > 0 || this.#placesTold > this.inFlight;
  }

  /** More places are free here than may be kept in reserve. */
  get #hasExcess(): boolean {
    if (this.#limits.concurrentRequests === undefined) return false;
    return this.#places - this.inFlight > this.#placesKeep;
  }

  /** What is not used any more, or more than may be kept, is given up before it is told. */
  #shrink(monotonicNowMs: number): void {
    const idle = monotonicNowMs - this.#usedMs >= IDLE_MS;
    const admissionsKeep = idle ? 0 : this.#admissionsKeep;
    this.#admissions = Math.min(this.#admissions, admissionsKeep + this.waiting);
    const unused = Math.min(this.#placesKeep, this.#peak - this.inFlight);
    const placesKeep = idle ? 0 : Math.max(0, unused);
    this.#places = Math.min(this.#places, this.inFlight + this.waiting + placesKeep);
  }

  #measure(monotonicNowMs: number): void {
    const interval = this.#interval;
    const elapsedMs = monotonicNowMs - interval.startMs;
    if (elapsedMs >= SHARE_INTERVAL_MS) {
      interval.usesBefore = elapsedMs < 2 * SHARE_INTERVAL_MS ? interval.uses : 0;
      interval.uses = 0;
      interval.startMs = monotonicNowMs;
    }
    interval.uses += 1;
  }

  /** Requests to be expected until the counters can be asked again. */
  #steadyUse(monotonicNowMs: number): number {
    const { startMs, uses, usesBefore } = this.#interval;
    if (monotonicNowMs - startMs >= 2 * SHARE_INTERVAL_MS) return 0;
    const expected = Math.max(uses, usesBefore);
    return expected < STEADY_USES ? 0 : Math.ceil(expected * RESERVE_INTERVALS);
  }

  #count(second: number, count: number): void {
    const last = this.#used.at(-1);
    if (last?.[0] === second) last[1] += count;
    else this.#used.push([second, count]);
    this.#usedCount += count;
    if (this.#used.length <= MINUTE_BUCKETS) return;
    // No window holds the oldest any more.
    this.#usedCount -= this.#used.shift()?.[1] ?? 0;
  }

  #beginDay(day: number): void {
    if (day !== this.#day) this.#dayCount = 0;
    this.#day = day;
    this.#dayChange = 0;
  }
}

/**
 * Why the subjects of a request refuse it, the longest wait first; undefined when one that lacks
 * something has to be asked about.
 */
export function limitRefusalOf(
  shares: readonly SubjectShare[],
  time: ShareTime,
): LimitRefusal | undefined {
  const refusals = shares.map((share) => (share.suffices ? undefined : share.refusal(time)));
  for (const kind of LIMIT_KINDS) {
    const subject = refusals.findIndex((refusal) => refusal?.kind === kind);
    const retryAfterMs = refusals[subject]?.retryAfterMs;
    if (retryAfterMs === undefined) continue;
    const states = shares.map((share, index) => share.state(time, refusals[index]?.kind));
    return { admitted: false, states, subjectIndex: subject, kind, retryAfterMs };
  }
  return undefined;
}

function closedIn(limits: RequestLimits): LimitKind | undefined {
  return LIMIT_KINDS.find((kind) => limitIn(limits, kind) === 0);
}
