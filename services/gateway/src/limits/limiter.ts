/** The three limits of a subject; an absent one is unlimited. */
export interface RequestLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerDay?: number | undefined;
  readonly concurrentRequests?: number | undefined;
}

export const LIMIT_NAMES = [
  'requestsPerMinute',
  'requestsPerDay',
  'concurrentRequests',
] as const satisfies readonly (keyof RequestLimits)[];

/** Something that is counted: an account, a key, or whom a throttle counts (account or network). */
export interface LimitSubject {
  /** Unique among all subjects of one limiter. */
  readonly id: string;
  readonly limits: RequestLimits;
}

export type LimitDimension = 'rpm' | 'rpd' | 'concurrency';

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

/** Where an ended request stays counted; not in the day when nothing was done for the client. */
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
  readonly dimension: LimitDimension;
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

/** The longest wait first, so that a refusal names the time after which a retry can succeed. */
export const DIMENSIONS: readonly LimitDimension[] = ['rpd', 'rpm', 'concurrency'];

/** A place is free when some running request ends, which nobody can foresee: retry soon. */
export const CONCURRENCY_RETRY_MS = 1000;
export const MINUTE_BUCKETS = 60;
