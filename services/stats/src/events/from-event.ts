import { ERROR_CODES, type ErrorCode, fromIsoTime } from '@tollgate/core';
import type {
  DenialsCounted,
  LedgerAdjustmentPosted,
  LedgerEntryPosted,
  RefusalsSampled,
  RefusalsUnauthorized,
  RefusalsUnrouted,
  UnservedCounted,
  UsageRecordEvent,
} from '@tollgate/events';
import type { CountedRequests } from '../domain/denial-bucket';
import {
  type ChargedRequest,
  isRequestFault,
  isTimeout,
  type LedgerEntry,
  objectOf,
  TOKEN_COUNTS,
  type TokenCount,
} from '../domain/ledger-entry';
import type { RefusedRequest } from '../domain/ports';

/** A ledger entry as figures see it. */
export function fromLedgerEvent(entry: LedgerEntryPosted | LedgerAdjustmentPosted): LedgerEntry {
  const place = {
    accountId: entry.account_id,
    seq: BigInt(entry.seq),
    atMs: fromIsoTime(entry.at) ?? 0,
  };
  // Credits and adjustments are places in the sequence and nothing to count.
  if (!('charge' in entry) || entry.charge === null) return place;
  const { record, charged } = entry.charge;
  if (record.kind === 'close') return place;
  return { ...place, request: toChargedRequest(record, charged) };
}

type UsageEvent = Extract<UsageRecordEvent, { kind: 'usage' }>;

const TOKENS_OF_EVENT = {
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  cachedTokens: 'cached_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  reasoningTokens: 'reasoning_tokens',
  promptAudioTokens: 'prompt_audio_tokens',
  completionAudioTokens: 'completion_audio_tokens',
} as const satisfies Record<TokenCount, keyof UsageEvent>;

/** Taken from the event itself: figures need a third of a usage record. */
function toChargedRequest(record: UsageEvent, charged: string): ChargedRequest {
  return {
    model: record.model,
    keyId: record.key_id,
    userId: record.user_id ?? '',
    channelId: record.channel_id ?? '',
    succeeded: record.status === 'succeeded',
    clientGone: record.reason === 'client_gone',
    timedOut: isTimeout(record.error_code),
    invalid: isRequestFault(record.error_code),
    retried: record.attempts > 1,
    ...objectOf(TOKEN_COUNTS, (name) => record[TOKENS_OF_EVENT[name]] ?? 0),
    chargedNano: BigInt(charged),
    latencyMs: record.latency_ms,
    firstTokenMs: record.first_token_ms,
  };
}

/** Denials for want of room in a limit that one gateway counted within one window. */
export function fromDenialsEvent(id: string, denied: DenialsCounted): CountedRequests {
  return { ...toCounted(id, denied), kind: 'rate_limited' };
}

/** Requests that one gateway could not serve within one window. */
export function fromUnservedEvent(id: string, unserved: UnservedCounted): CountedRequests {
  return { ...toCounted(id, unserved), kind: 'unserved' };
}

function toCounted(id: string, denied: UnservedCounted): Omit<CountedRequests, 'kind'> {
  return {
    id,
    gatewayId: denied.gateway_id,
    accountId: denied.account_id,
    keyId: denied.key_id ?? '',
    atMs: fromIsoTime(denied.window_start) ?? 0,
    count: denied.count,
  };
}

/** Requests of one account that one gateway refused. */
export function fromRefusalsEvent(sampled: RefusalsSampled): readonly RefusedRequest[] {
  const { account_id: accountId, gateway_id: gatewayId } = sampled;
  return sampled.requests.map((one) => ({
    requestId: one.request_id,
    accountId,
    keyId: one.key_id ?? '',
    gatewayId,
    errorCode: one.error_code,
    message: one.message,
    atMs: fromIsoTime(one.at) ?? 0,
    ...(one.param ? { param: one.param } : {}),
    ...(one.requested_model ? { requestedModel: one.requested_model } : {}),
    ...(one.address ? { address: one.address } : {}),
    ...(one.rejected
      ? {
          rejected: one.rejected.map(({ channel_id, retry_after_ms: ms, ...rest }) => ({
            channelId: channel_id,
            ...rest,
            ...(ms === undefined ? {} : { retryAfterMs: ms }),
          })),
        }
      : {}),
  }));
}

const UNAUTHORIZED = 'UNAUTHORIZED' satisfies ErrorCode;

/** Requests that one gateway refused with 401, whose clients were told the same. */
export function fromUnauthorizedEvent(refused: RefusalsUnauthorized): readonly RefusedRequest[] {
  const { gateway_id: gatewayId } = refused;
  return refused.requests.map((one) => ({
    requestId: one.request_id,
    gatewayId,
    atMs: fromIsoTime(one.at) ?? 0,
    accountId: one.account_id ?? '',
    keyId: one.key_id ?? '',
    errorCode: UNAUTHORIZED,
    message: one.message ?? ERROR_CODES[UNAUTHORIZED].publicMessage,
    ...(one.address ? { address: one.address } : {}),
    ...(one.path ? { path: one.path } : {}),
    bearer: { fault: one.fault, presented: one.presented ?? '' },
  }));
}

/** Requests that came to one gateway by a path or a method that it does not have. */
export function fromUnroutedEvent(refused: RefusalsUnrouted): readonly RefusedRequest[] {
  const { gateway_id: gatewayId } = refused;
  return refused.requests.map((one) => ({
    requestId: one.request_id,
    gatewayId,
    atMs: fromIsoTime(one.at) ?? 0,
    accountId: '',
    keyId: '',
    errorCode: one.error_code ?? ('NOT_FOUND' satisfies ErrorCode),
    message: one.message,
    path: one.path,
    ...(one.address ? { address: one.address } : {}),
    ...(one.presented === null ? {} : { bearer: { fault: '' as const, presented: one.presented } }),
  }));
}
