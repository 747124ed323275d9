import type { RecordPlace, UsageOutcome, UsageRecord, UsageStart } from '@tollgate/core';

/** What the spool gives a record: its number, gapless from 1 within the lease, and who wrote it. */
export type GivenPlace = Pick<RecordPlace, 'epoch' | 'holder' | 'number'>;

/**
 * The record that ends a request. Member by member: spread together it would take 2.5 µs instead of
 * 0.1, for each request.
 */
export function toUsageRecord(
  start: UsageStart,
  outcome: UsageOutcome,
  { number, holder, epoch }: GivenPlace,
): UsageRecord {
  return {
    kind: 'usage',
    accountId: start.accountId,
    lease: start.lease,
    number,
    holder,
    epoch,
    endedAt: outcome.endedAt,
    requestId: start.requestId,
    clientRequestId: start.clientRequestId,
    keyId: start.keyId,
    userId: start.userId,
    model: start.model,
    requestedModel: start.requestedModel,
    channelId: start.channelId,
    ownChannel: start.ownChannel,
    priceVersion: start.priceVersion,
    prices: start.prices,
    promptTokens: outcome.promptTokens,
    completionTokens: outcome.completionTokens,
    cachedTokens: outcome.cachedTokens,
    cacheWriteTokens: outcome.cacheWriteTokens,
    reasoningTokens: outcome.reasoningTokens,
    promptAudioTokens: outcome.promptAudioTokens,
    completionAudioTokens: outcome.completionAudioTokens,
    reserved: start.reserved,
    amount: outcome.amount,
    source: outcome.source,
    reason: outcome.reason,
    status: outcome.status,
    errorCode: outcome.errorCode,
    stream: start.stream,
    attempts: outcome.attempts,
    failedAttempts: outcome.failedAttempts,
    latencyMs: outcome.latencyMs,
    firstTokenMs: outcome.firstTokenMs,
    startedAt: start.startedAt,
    limitsLeft: start.limitsLeft,
    ignoredMembers: start.ignoredMembers,
    vendorAbsorbed: outcome.vendorAbsorbed,
    budget: start.budget,
  };
}
