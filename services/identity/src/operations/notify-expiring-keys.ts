import { createId } from '@tollgate/core';
import { noticeExpiry } from '../domain/api-key';
import type { Dependencies } from './dependencies';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A key that is first seen within the nearer bound gets the nearer notice only. */
const NOTICES = [
  { daysBefore: 7, nearerDays: 1 },
  { daysBefore: 1, nearerDays: 0 },
] as const;
const BATCH = 100;

/** Tells owners of keys that expire within 7 days and within 1 day, each once. Leader only. */
export function createNotifyExpiringKeys(deps: Pick<Dependencies, 'clock' | 'keys' | 'relay'>) {
  const { clock, keys, relay } = deps;
  return async (): Promise<number> => {
    let noticed = 0;
    for (const { daysBefore, nearerDays } of NOTICES) {
      const now = clock.now();
      const due = await keys.listExpiring({
        after: now + nearerDays * DAY_MS,
        until: now + daysBefore * DAY_MS,
        daysBefore,
        limit: BATCH,
      });
      for (const key of due) {
        const source = { id: createId('event'), at: now, actor: undefined };
        const next = noticeExpiry(key, daysBefore, source);
        // A key that somebody changed meanwhile is looked at again in the next round.
        if (!(await keys.update(next))) continue;
        await relay.announceKey(next);
        noticed += 1;
      }
    }
    return noticed;
  };
}
