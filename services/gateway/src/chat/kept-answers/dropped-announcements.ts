import {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  createOwnerQueues,
  delay,
  type Logger,
} from '@tollgate/core';
import type { CompletionCall } from '../../clients/completion/client';
import type { ControlPlane } from '../../clients/control-plane';

/** Withdraws the announcement of a request that was never begun; returns at once. */
export type DropAnnouncement = (call: Announced) => void;

type Announced = Pick<CompletionCall, 'accountId' | 'requestId' | 'traceparent'>;

export interface DropAnnouncementDependencies {
  readonly billing: Pick<ControlPlane['billing'], 'dropAnswer'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Waiting {
  readonly call: Announced;
  readonly sinceMs: number;
}

/**
 * Announcements that are withdrawn at the same time; few, because credit leases are asked for in the
 * same moment when the database is back.
 */
const AT_ONCE_MAX = 8;
/** About 2 MB: half a minute without a database at 300 requests a second. */
const WAITING_MAX = 10_000;
/** So that the announcements of one account leave room for others'. */
const WAITING_OF_ACCOUNT_MAX = 1_000;
/** What fails later than this is given up: a change of the database's primary takes less. */
const TRIED_MS_MAX = 120_000;
const BACKOFF: BackoffPolicy = { initialMs: 100, maxMs: 10_000 };

/**
 * Accounts have turns. An announcement that could not be withdrawn goes to the end of its account's
 * queue, and each further failure makes the pause before the next attempt longer: neither one that
 * always fails nor a billing that does not answer is asked without end. An announcement that is given
 * up keeps its Idempotency-Key until the request could no longer run.
 */
export function createDropAnnouncement(deps: DropAnnouncementDependencies): DropAnnouncement {
  const { billing, clock, logger } = deps;
  const waiting = createOwnerQueues<Waiting>();
  let workers = 0;
  const giveUp = ({ requestId }: Announced, error?: unknown) =>
    logger.warn({ error, requestId }, 'a request that was not begun keeps its Idempotency-Key');

  const work = async (): Promise<void> => {
    let failures = 0;
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      const { accountId, requestId, traceparent } = next.call;
      try {
        await billing.dropAnswer({ accountId, requestId }, { requestId, accountId, traceparent });
        failures = 0;
      } catch (error) {
        if (clock.monotonicMs() - next.sinceMs > TRIED_MS_MAX) giveUp(next.call, error);
        else waiting.add(accountId, next);
        await delay(clock, backoffDelayMs(BACKOFF, failures));
        failures += 1;
      }
    }
    workers -= 1;
  };
  return (call) => {
    const { accountId } = call;
    if (waiting.size >= WAITING_MAX || waiting.sizeOf(accountId) >= WAITING_OF_ACCOUNT_MAX) {
      giveUp(call);
      return;
    }
    waiting.add(accountId, { call, sinceMs: clock.monotonicMs() });
    if (workers === AT_ONCE_MAX) return;
    workers += 1;
    void work();
  };
}
