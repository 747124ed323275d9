import { DAY_MS } from '@tollgate/core';
import { isolateOne } from '@tollgate/jobs';
import { type ApiKey, recordExpiryNotice } from '../domain/api-key';
import { changeBy } from '../domain/events';
import type { Dependencies } from './dependencies';

/** A key that is first seen within the nearer bound gets the nearer notice only. */
const NOTICES = [
  { daysBefore: 7, nearerDays: 1 },
  { daysBefore: 1, nearerDays: 0 },
] as const;
const PAGE = 100;

type NoticeDependencies = Pick<Dependencies, 'clock' | 'logger' | 'keys' | 'relay'>;

/**
 * Publishes `key.expiring` for all keys that expire within 7 days and within 1 day, each once;
 * answers for how many. Only the leader runs it.
 */
export async function notifyExpiringKeys(
  deps: NoticeDependencies,
  signal: AbortSignal,
): Promise<number> {
  let noticed = 0;
  for (const { daysBefore, nearerDays } of NOTICES) {
    const now = deps.clock.now();
    const untilAtMs = now + daysBefore * DAY_MS;
    let fromAtMs = now + nearerDays * DAY_MS + 1;
    let left: readonly ApiKey[] = [];
    let page: readonly ApiKey[];
    do {
      const exceptIds = left.map(({ id }) => id);
      page = await deps.keys.listExpiring({
        fromAtMs,
        untilAtMs,
        daysBefore,
        exceptIds,
        limit: PAGE,
      });
      const leftOfPage = await notifyEach(deps, page, daysBefore);
      noticed += page.length - leftOfPage.length;
      fromAtMs = page.at(-1)?.settings.expiresAt ?? fromAtMs;
      // Only those that the next page would begin with have to be named.
      left = [...left, ...leftOfPage].filter(({ settings }) => settings.expiresAt === fromAtMs);
      // At most a page is published at once.
      await deps.relay.idle();
    } while (page.length === PAGE && !signal.aborted);
  }
  return noticed;
}

/** Answers the keys without a notice: the next round looks at them again. */
async function notifyEach(
  { clock, logger, keys, relay }: NoticeDependencies,
  page: readonly ApiKey[],
  daysBefore: number,
): Promise<readonly ApiKey[]> {
  const left: ApiKey[] = [];
  for (const key of page) {
    const next = recordExpiryNotice(key, daysBefore, changeBy(undefined, clock.now()));
    await isolateOne(
      async () => {
        // False when somebody changed the key meanwhile.
        if (await keys.update(next)) await relay.relayKey(next);
        else left.push(key);
      },
      (error) => {
        logger.warn({ keyId: key.id, error }, 'a notice of expiry failed; others go on');
        left.push(key);
      },
    );
  }
  return left;
}
