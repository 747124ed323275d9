import { DAY_MS, eachLimit, LIMIT_NAMES, SECOND_MS } from '@tollgate/core';

/**
 * What each kind of limit is called where they are set. The longest wait stands first, so
 * that a refusal names the time after which a retry can succeed.
 */
const LIMIT_OF = {
  rpd: 'requestsPerDay',
  rpm: 'requestsPerMinute',
  concurrency: 'concurrentRequests',
} as const;

/** The limits of a subject; an absent one is unlimited. */
export type RequestLimits = {
  readonly [Name in (typeof LIMIT_OF)[LimitKind]]?: number | undefined;
};

export type LimitKind = keyof typeof LIMIT_OF;
export const LIMIT_KINDS = Object.keys(LIMIT_OF) as readonly LimitKind[];

/** The number that bounds this kind; undefined when nothing does. */
export function limitIn(limits: RequestLimits, kind: LimitKind): number | undefined {
  return limits[LIMIT_OF[kind]];
}

/** Whether anything is limited. */
export function hasLimit(limits: RequestLimits): boolean {
  for (const name of LIMIT_NAMES) if (limits[name] !== undefined) return true;
  return false;
}

/** The limits alone, of a message that has them among its other fields. */
export function limitsFrom(source: RequestLimits): RequestLimits {
  return eachLimit((name) => source[name]);
}

/** Something that is counted: an account, a key, or whom a throttle counts (account or network). */
export interface LimitSubject {
  /** Unique among all subjects of one limiter. */
  readonly id: string;
  readonly limits: RequestLimits;
}

/** A subject's counters right after a decision. */
export interface LimitState {
  readonly limits: RequestLimits;
  /** Requests in the last sixty seconds, this one included when it was admitted. */
  readonly minuteCount: number;
  /** Milliseconds until the oldest counted second leaves the window; 0 for an empty window. */
  readonly minuteResetMs: number;
  /** Requests of this UTC day. */
  readonly dayCount: number;
  readonly dayResetMs: number;
}

/** Where an ended request stays counted: in the minute alone when nothing was done for the client. */
export type CountedIn = 'minute_and_day' | 'minute';

/** One admitted request. Released exactly once, when its last byte has left; never waits. */
export interface Permit {
  release(countedIn: CountedIn): void;
}

export interface Admitted {
  readonly admitted: true;
  readonly states: readonly LimitState[];
  readonly permit: Permit;
}

export interface LimitRefusal {
  readonly admitted: false;
  readonly states: readonly LimitState[];
  /** Index of the subject whose limit was hit. */
  readonly subjectIndex: number;
  readonly kind: LimitKind;
  /** When the same request could be admitted at the earliest. */
  readonly retryAfterMs: number;
}

export type LimitDecision = Admitted | LimitRefusal;

/**
 * Admits a request against all subjects at once: it is counted for every subject or for none. The
 * minute is a sliding window of sixty one-second buckets, the day is the UTC day, and concurrency
 * is what is in flight.
 */
export interface RequestLimiter {
  acquire(subjects: readonly LimitSubject[]): LimitDecision | Promise<LimitDecision>;
  /** Ends timers and connections. */
  close(): Promise<void>;
}

/** A place is free when some running request ends, which nobody can foresee: retry soon. */
export const CONCURRENCY_RETRY_MS = 1000;
export const MINUTE_BUCKETS = 60;
/** The sliding window of the minute. */
export const WINDOW_MS = MINUTE_BUCKETS * SECOND_MS;

/**
 * How long a limit of 0 makes wait: until its window is over, whatever is counted. No retry is
 * admitted then either, unless somebody raised the limit.
 */
export function closedWaitMs(kind: LimitKind, now: number): number {
  return kind === 'rpd' ? DAY_MS - (now % DAY_MS) : WINDOW_MS;
}
