import { AppError, createId } from '@tollgate/core';
import { retryContended } from '@tollgate/mongo';
import type { DenialStore, EndpointStore } from '../domain/ports';
import {
  addDenial,
  type Denial,
  type SustainedReport,
  type SustainedRule,
} from '../domain/sustained-denials';
import type { WebhookEvent } from '../domain/webhook-event';

export interface ReportDenialsOptions {
  readonly denials: DenialStore;
  readonly endpoints: Pick<EndpointStore, 'subscribers'>;
  readonly rule: SustainedRule;
  announce(event: WebhookEvent): Promise<void>;
}

const UPDATE_ATTEMPTS_MAX = 20;

/** Tells accounts that subscribe to it when their requests are refused again and again. */
export async function reportDenials(
  options: ReportDenialsOptions,
  denials: readonly Denial[],
): Promise<void> {
  const wanted = new Map<string, boolean>();
  for (const denial of denials) {
    const { accountId } = denial;
    if (!wanted.has(accountId)) wanted.set(accountId, await isWanted(options, accountId));
    if (wanted.get(accountId)) await reportDenial(options, denial);
  }
}

async function isWanted({ endpoints }: ReportDenialsOptions, accountId: string): Promise<boolean> {
  const audience = { kind: 'account', accountId } as const;
  return (await endpoints.subscribers(audience, 'rate_limit.sustained')).length > 0;
}

/**
 * The report is stored with the denial that completed it and taken away once it is announced: a
 * crash in between announces it again, under the same id.
 */
async function reportDenial(options: ReportDenialsOptions, denial: Denial): Promise<void> {
  const { denials, rule } = options;
  const { accountId, keyId } = denial;
  const count = async () => {
    const { run, revision } = await denials.get(accountId, keyId);
    const next = addDenial(run, denial, rule, () => createId('event'));
    if (next === run) return { next, revision };
    const isWritten = await denials.replace(accountId, keyId, next, revision);
    return isWritten ? { next, revision: revision + 1 } : undefined;
  };
  const { next, revision } = await retryContended(count, {
    attemptsMax: UPDATE_ATTEMPTS_MAX,
    failure: () =>
      new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'a run of denials is contended' }),
  });
  if (next.report === null) return;
  await options.announce(toEvent(denial, next.report));
  // The replica that changed the run meanwhile announces the report again; that changes nothing.
  await denials.replace(accountId, keyId, { ...next, report: null }, revision);
}

function toEvent({ accountId, keyId }: Denial, report: SustainedReport): WebhookEvent {
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
