import { LIVE_MS } from './queries';

/** What a query has, and since when. */
interface Answered {
  readonly data: unknown;
  readonly error: Error | null;
  /** 0 before the first answer. */
  readonly dataUpdatedAt: number;
}

/** What is asked for again every few seconds and has no newer answer than this is not of now. */
const OLD_MS = 3 * LIVE_MS;

/**
 * When the oldest of the answers came that are not confirmed any more: one that is kept while the
 * next fails, or does not come, says nothing of now. Undefined while none is, and before anything
 * was answered.
 */
export function staleSince(queries: readonly Answered[], nowMs: number): number | undefined {
  const stale = queries
    .filter(({ data }) => data !== undefined)
    .filter(({ error, dataUpdatedAt }) => error !== null || nowMs - dataUpdatedAt > OLD_MS)
    .map(({ dataUpdatedAt }) => dataUpdatedAt);
  return stale.length === 0 ? undefined : Math.min(...stale);
}
