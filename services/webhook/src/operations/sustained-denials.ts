import { AppError, type Clock, createId } from '@tollgate/core';
import { retryContended } from '@tollgate/mongo';
import type { DenialCount } from '../domain/denial';
import type { EndpointStore, RecentDenialsStore } from '../domain/ports';
import {
  addDenial,
  RECENT_DENIALS_KEPT_MS,
  type SustainedReport,
  type SustainedRule,
} from '../domain/sustained-denials';
import type { WebhookEvent } from '../domain/webhook-event';
import { isSubscribed } from './enqueue-event';

export interface SustainedDenialsOptions {
  readonly recentDenials: RecentDenialsStore;
  readonly endpoints: Pick<EndpointStore, 'subscribers'>;
  readonly rule: SustainedRule;
  readonly clock: Clock;
  enqueue(event: WebhookEvent): Promise<void>;
}

const UPDATE_ATTEMPTS_MAX = 20;

/**
 * Tells accounts that subscribe to it when their requests are denied again and again. Of what was
 * denied before the recent denials that are kept nobody knows any more whether it was told.
 */
export async function reportSustainedDenials(
  options: SustainedDenialsOptions,
  denials: readonly DenialCount[],
): Promise<void> {
  const wanted = new Map<string, boolean>();
  const keptSinceAtMs = options.clock.now() - RECENT_DENIALS_KEPT_MS;
  for (const denial of denials) {
    if (denial.atMs < keptSinceAtMs) continue;
    const { accountId } = denial;
    const isWanted =
      wanted.get(accountId) ?? (await isSubscribed(options, accountId, 'rate_limit.sustained'));
    wanted.set(accountId, isWanted);
    if (isWanted) await reportDenial(options, denial);
  }
}

/**
 * The report is stored with the denial that completed it and taken away once it is enqueued: a
 * crash in between enqueues it again, under the same id.
 */
async function reportDenial(options: SustainedDenialsOptions, denial: DenialCount): Promise<void> {
  const { recentDenials, rule } = options;
  const { accountId, keyId } = denial;
  const count = async () => {
    const { recent, revision } = await recentDenials.find(accountId, keyId);
    const next = addDenial(recent, denial, rule, () => createId('event'));
    if (next === recent) return { next, revision };
    const isWritten = await recentDenials.update(accountId, keyId, next, revision);
    return isWritten ? { next, revision: revision + 1 } : undefined;
  };
  const { next, revision } = await retryContended(count, {
    attemptsMax: UPDATE_ATTEMPTS_MAX,
    failure: () =>
      new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'recent denials are contended' }),
  });
  if (next.report === null) return;
  await options.enqueue(toEvent(denial, next.report));
  // The replica that changed them meanwhile enqueues the report again; that changes nothing.
  await recentDenials.update(accountId, keyId, { ...next, report: null }, revision);
}

function toEvent({ accountId, keyId }: DenialCount, report: SustainedReport): WebhookEvent {
  const { eventId, atMs, reason, count } = report;
  return {
    key: eventId,
    eventId,
    type: 'rate_limit.sustained',
    atMs,
    audience: { kind: 'account', accountId },
    data: { account_id: accountId, key_id: keyId, reason, count },
  };
}
