import { type Clock, EventKeysRefused } from '@tollgate/core';
import { createRetryTimes } from './retry-times';

/** Between two tries of what has a refused key. */
const REFUSED_RETRY_MS = 5_000;

/**
 * The keys whose items have to wait. Once an item of a key was skipped on a page, every later item
 * of that key on it is skipped too, even if the key is due by then. If the page's last item was
 * skipped, so is the beginning of the next page: no item may overtake an earlier one of its key.
 */
export function createRefusedEventKeys<Of>(clock: Clock, keyOf: ((of: Of) => string) | undefined) {
  const times = createRetryTimes(clock, REFUSED_RETRY_MS);
  const ofPage = new Set<string>();
  let last: EventKeysRefused | undefined;
  const isRefused = (of: Of): boolean => keyOf !== undefined && ofPage.has(keyOf(of));
  const addAll = (keys: Iterable<string>) => {
    for (const key of keys) ofPage.add(key);
  };
  return {
    get last() {
      return last;
    },
    beginPage(page: readonly Of[]) {
      if (keyOf !== undefined) addAll(page.map(keyOf).filter((key) => !times.isDue(key)));
    },
    /** Remembers the keys of a refusal; throws what is none. */
    note(error: unknown) {
      if (keyOf === undefined || !(error instanceof EventKeysRefused)) throw error;
      last = error;
      addAll(error.keys);
      for (const key of error.keys) times.add(key);
    },
    leaveOut: <Some extends Of>(all: readonly Some[]): readonly Some[] =>
      all.filter((of) => !isRefused(of)),
    /** Whether the page has items that wait. */
    endPage(page: readonly Of[]): boolean {
      const hasRefused = page.some(isRefused);
      const [goingOn] = page.slice(-1).filter(isRefused);
      ofPage.clear();
      if (goingOn !== undefined && keyOf !== undefined) ofPage.add(keyOf(goingOn));
      return hasRefused;
    },
    forgetPage: () => ofPage.clear(),
  };
}
