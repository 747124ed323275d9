import { DAY_MS } from '@tollgate/core';
import type { DenialCount } from './denial';

/** Recent denials are forgotten so long after their last one. */
export const RECENT_DENIALS_KEPT_MS = DAY_MS;

/** When denials are called sustained. */
export interface SustainedRule {
  /** Denials in N of the last N + 1 windows count as sustained; this is N. */
  readonly windowsNeeded: number;
  /** The least time between two reports of one account and key. */
  readonly quietMs: number;
}

/** Sustained denials that are to be told. */
export interface SustainedReport {
  readonly eventId: string;
  readonly atMs: number;
  readonly reason: string;
  readonly count: number;
}

/** The recent denials of one account and key. */
export interface RecentDenials {
  readonly windows: readonly {
    /** By the wall clock; the name is the released one. */
    readonly startMs: number;
    readonly denials: readonly { readonly id: string; readonly count: number }[];
  }[];
  /** Start of the window that completed the last report; null before the first. */
  readonly reportedAtMs: number | null;
  /** A report that may not have reached every endpoint yet. */
  readonly report: SustainedReport | null;
}

export const NO_RECENT_DENIALS: RecentDenials = { windows: [], reportedAtMs: null, report: null };

/** Gateways × reasons that are told apart within one window; more are not counted. */
const DENIALS_PER_WINDOW_MAX = 100;

/**
 * The rule of `rate_limit.sustained`: one key is denied for want of room in a limit, and that goes
 * on. `requests.refused` is another report of the same denials and of those for want of credit or of
 * a right: it tells at the first of them, for the account as a whole (`denial-spell.ts`).
 *
 * Adds a denial to the recent ones; the same object when nothing changes, for example because the
 * denial came before. Sustained means denials in `windowsNeeded` of the newest `windowsNeeded + 1`
 * windows: gateways flush on clocks of their own, so one window may stay empty by chance.
 */
export function addDenial(
  recent: RecentDenials,
  denial: DenialCount,
  rule: SustainedRule,
  newEventId: () => string,
): RecentDenials {
  const { windowMs } = denial;
  const startMs = Math.floor(denial.atMs / windowMs) * windowMs;
  const newestMs = Math.max(startMs, ...recent.windows.map((window) => window.startMs));
  const oldestMs = newestMs - rule.windowsNeeded * windowMs;
  if (startMs < oldestMs || denial.count === 0) return recent;
  const kept = recent.windows.filter((window) => window.startMs >= oldestMs);
  const present = kept.find((window) => window.startMs === startMs);
  const known = present?.denials ?? [];
  if (known.length >= DENIALS_PER_WINDOW_MAX || known.some(({ id }) => id === denial.id))
    return recent;
  const grown = { startMs, denials: [...known, { id: denial.id, count: denial.count }] };
  const windows = [...kept.filter((window) => window !== present), grown];
  const silent = recent.reportedAtMs !== null && newestMs - recent.reportedAtMs < rule.quietMs;
  if (windows.length < rule.windowsNeeded || silent || recent.report !== null) {
    return { ...recent, windows };
  }
  const counts = windows.flatMap((window) => window.denials.map(({ count }) => count));
  const report = {
    eventId: newEventId(),
    atMs: newestMs + windowMs,
    reason: denial.reason,
    count: counts.reduce((sum, count) => sum + count, 0),
  };
  return { windows, reportedAtMs: newestMs, report };
}
