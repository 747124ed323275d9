import { checkTexts, type SpoolRecord } from '@tollgate/billing/testing';
import type { NumberedRecord } from '@tollgate/completion/testing';
import { toIsoTime } from '@tollgate/core';

/** A record of completion as billing takes it: what the two edges between them amount to. */
export function toSpoolRecord(record: NumberedRecord): SpoolRecord {
  const { accountId, lease, number, holder, epoch } = record;
  const place = { accountId, lease, number, holder, epoch, endedAt: toIsoTime(record.endedAtMs) };
  if (record.kind === 'close') return { ...place, kind: 'close' };
  const { budget } = record;
  return checkTexts({
    ...place,
    kind: 'usage',
    requestId: record.requestId,
    clientRequestId: record.clientRequestId ?? undefined,
    keyId: record.keyId,
    userId: record.userId ?? undefined,
    model: record.model,
    requestedModel: record.requestedModel,
    channelId: record.channelId ?? undefined,
    ownChannel: record.ownChannel,
    priceVersion: record.priceVersion,
    prices: record.prices,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    cachedTokens: record.cachedTokens,
    drawn: record.reserved,
    amount: record.amount,
    source: record.source,
    reason: record.reason,
    status: record.status,
    errorCode: record.errorCode ?? undefined,
    stream: record.stream,
    attempts: record.attempts,
    latencyMs: record.latencyMs,
    firstTokenMs: record.firstTokenMs ?? undefined,
    startedAt: toIsoTime(record.startedAtMs),
    vendorAbsorbed: record.vendorAbsorbed,
    budget: budget === null ? undefined : { limit: budget.limit, period: budget.period },
  });
}
