import { createId } from '@tollgate/core';
import { recordExpiryNotice } from '../domain/api-key';
import type { Dependencies } from '../operations/dependencies';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A key that is first seen within the nearer bound gets the nearer notice only. */
const NOTICES = [
  { daysBefore: 7, nearerDays: 1 },
  { daysBefore: 1, nearerDays: 0 },
] as const;
const BATCH = 100;

/**
 * Publishes `key.expiring` for keys that expire within 7 days and within 1 day, each once; answers
 * for how many. Only the leader runs it.
 */
export async function notifyExpiringKeys({
  clock,
  keys,
  outbox,
}: Pick<Dependencies, 'clock' | 'keys' | 'outbox'>): Promise<number> {
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
      const next = recordExpiryNotice(key, daysBefore, source);
      // A key that somebody changed meanwhile is looked at again in the next round.
      if (!(await keys.update(next))) continue;
      await outbox.relayKey(next);
      noticed += 1;
    }
  }
  return noticed;
}
