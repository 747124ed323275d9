import { assertNever, type BoundedMap, type Clock, createBoundedMap, DAY_MS } from '@tollgate/core';
import {
  CONCURRENCY_RETRY_MS,
  closedWaitMs,
  LIMIT_KINDS,
  type LimitDecision,
  type LimitKind,
  type LimitState,
  type LimitSubject,
  limitIn,
  type Permit,
  type RequestLimiter,
} from './limiter';
import { createMinuteWindow, type MinuteWindow } from './minute-window';

interface Counters {
  readonly minute: MinuteWindow;
  day: number;
  dayCount: number;
  inFlight: number;
}

/** A subject as this process sees it. */
interface LocalSubject extends LimitSubject {
  /** Its requests in flight that another limiter admitted, which take their places here too. */
  readonly inFlightElsewhere?: number;
}

/** A limiter whose answer is there at once. */
export interface MemoryLimiter extends RequestLimiter {
  acquire(subjects: readonly LocalSubject[]): LimitDecision;
}

/** Counts in this process: right for one gateway, and for each of several while Redis is away. */
export function createMemoryLimiter(clock: Clock, subjectsMax: number): MemoryLimiter {
  const known = createBoundedMap<string, Counters>(subjectsMax);
  return {
    acquire(subjects) {
      const now = clock.now();
      const counters = subjects.map(({ id }) => countersOf(known, id, now));
      for (const kind of LIMIT_KINDS) {
        for (const [index, subject] of subjects.entries()) {
          const counter = counters[index];
          if (counter === undefined || !isExhausted(subject, counter, kind, now)) continue;
          const states = subjects.map((each, at) => stateOf(each, counters[at], now));
          const retryAfterMs = waitOf(subject, counter, kind, now);
          return { admitted: false, states, subjectIndex: index, kind, retryAfterMs };
        }
      }
      for (const counter of counters) {
        counter.minute.add(now);
        counter.dayCount += 1;
        counter.inFlight += 1;
      }
      const states = subjects.map((subject, at) => stateOf(subject, counters[at], now));
      return { admitted: true, states, permit: createPermit(counters) };
    },
    close: async () => {},
  };
}

function countersOf(known: BoundedMap<string, Counters>, id: string, now: number): Counters {
  let counters = known.get(id);
  const day = Math.floor(now / DAY_MS);
  if (counters === undefined) {
    counters = { minute: createMinuteWindow(), day, dayCount: 0, inFlight: 0 };
    known.set(id, counters);
  }
  if (day > counters.day) {
    counters.day = day;
    counters.dayCount = 0;
  }
  return counters;
}

function isExhausted(
  { limits, inFlightElsewhere = 0 }: LocalSubject,
  counters: Counters,
  kind: LimitKind,
  now: number,
): boolean {
  const limit = limitIn(limits, kind);
  if (limit === undefined) return false;
  switch (kind) {
    case 'rpm':
      return counters.minute.count(now) >= limit;
    case 'rpd':
      return counters.dayCount >= limit;
    case 'concurrency':
      return counters.inFlight + inFlightElsewhere >= limit;
    default:
      return assertNever(kind);
  }
}

function waitOf(
  { limits }: LimitSubject,
  counters: Counters,
  kind: LimitKind,
  now: number,
): number {
  const limit = limitIn(limits, kind) ?? 0;
  if (limit === 0) return closedWaitMs(kind, now);
  switch (kind) {
    case 'rpm':
      return counters.minute.untilAtMostMs(limit - 1, now);
    case 'rpd':
      return DAY_MS - (now % DAY_MS);
    case 'concurrency':
      return CONCURRENCY_RETRY_MS;
    default:
      return assertNever(kind);
  }
}

function stateOf(
  { limits }: LimitSubject,
  counters: Counters | undefined,
  now: number,
): LimitState {
  return {
    limits,
    minuteCount: counters?.minute.count(now) ?? 0,
    minuteResetMs: counters?.minute.resetMs(now) ?? 0,
    dayCount: counters?.dayCount ?? 0,
    dayResetMs: DAY_MS - (now % DAY_MS),
  };
}

/** Holds the counters themselves, so that a forgotten subject is released without harm. */
function createPermit(counters: readonly Counters[]): Permit {
  const days = counters.map((counter) => counter.day);
  let released = false;
  return {
    release(countedIn) {
      if (released) return;
      released = true;
      for (const [index, counter] of counters.entries()) {
        counter.inFlight -= 1;
        if (countedIn === 'minute' && counter.day === days[index]) counter.dayCount -= 1;
      }
    },
  };
}
