import { AppError, formatAmount, maxNano, nano, parseNano, ZERO_NANO } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import type { BillingClient } from '../../clients/control-plane';
import { textOrNull, toAmount } from '../resources/values';
import { type Operation, operation } from '../route';
import { getReceiptSchema } from './schema';

export function createGetReceipt(billing: BillingClient): Operation {
  return operation(getReceiptSchema, async ({ principal, params, context }) => {
    const { entry } = await billing.getReceipt(
      { accountId: principal.accountId, requestId: params.request_id },
      context.rpc,
    );
    if (entry === null || entry.record === null) throw new AppError('NOT_FOUND');
    return { data: toReceipt(entry, entry.record) };
  });
}

function toReceipt(entry: billingV1.LedgerEntry__Output, record: billingV1.UsageRecord__Output) {
  const released = nano(parseNano(record.drawn) - parseNano(entry.amount));
  return {
    request_id: record.requestId,
    client_request_id: textOrNull(record.clientRequestId),
    seq: Number(entry.seq),
    key_id: record.keyId,
    model: record.model,
    requested_model: record.requestedModel,
    reserve: toAmount(record.drawn),
    settle: toAmount(entry.amount),
    release: formatAmount(maxNano(released, ZERO_NANO)),
    price_version: record.priceVersion,
    prices: {
      prompt: toAmount(record.promptPrice),
      completion: toAmount(record.completionPrice),
      cached_prompt: toAmount(record.cachedPromptPrice),
    },
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    cached_tokens: record.cachedTokens,
    source: record.source,
    end_reason: record.reason,
    status: record.status,
    error_code: textOrNull(record.errorCode),
    settled_reason: entry.settledReason,
    stream: record.stream,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    settled_at: entry.at,
  };
}
