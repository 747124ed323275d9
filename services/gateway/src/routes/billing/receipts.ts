import { AppError, formatAmount, maxNano, nano, parseNano, ZERO_NANO } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';
import { priceFields, toPrices } from '../../money/prices';
import { operation } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { isoTime, requestIdParams } from '../payloads/values';
import { rareTokensOf, tokenFields } from '../requests/usage-fields';

type Entry = billingV1.LedgerEntry__Output;
type UsageRecord = billingV1.UsageRecord__Output;

const receiptSchema = z.object({
  request_id: z.string(),
  client_request_id: z.string().nullable(),
  seq: z.int(),
  key_id: z.string(),
  model: z.string(),
  requested_model: z.string(),
  reserve: amount.describe('Held back before the request began.'),
  settle: amount.describe('Charged.'),
  release: amount.describe('Given back.'),
  price_version: z.int(),
  prices: z.object(priceFields),
  ...tokenFields,
  source: z.string().describe('exact, counted, partial or none.'),
  end_reason: z.string(),
  status: z.string(),
  error_code: z.string().nullable(),
  settled_reason: z.string(),
  stream: z.boolean(),
  started_at: isoTime,
  ended_at: isoTime,
  settled_at: isoTime,
});

export const getReceipt = operation(
  {
    summary: 'Show how one request was charged',
    params: requestIdParams,
    data: receiptSchema,
  },
  async ({ principal, params }, { billing }) => {
    const { entry } = await billing.getReceipt({
      accountId: principal.accountId,
      requestId: params.request_id,
    });
    if (entry === null || entry.record === null) throw new AppError('NOT_FOUND');
    return { data: toReceipt(entry, entry.record) };
  },
);

function toReceipt(entry: Entry, record: UsageRecord) {
  return answerOf(receiptSchema, record, {
    seq: Number(entry.seq),
    reserve: toAmount(record.drawn),
    settle: toAmount(entry.amount),
    release: releasedAmountOf(entry, record),
    prices: pricesOf(record),
    ...rareTokensOf(record),
    end_reason: record.reason,
    settled_reason: entry.settledReason,
    settled_at: entry.at,
  });
}

/** The part of a reservation that was released: nothing where the charge went beyond it. */
export function releasedAmountOf(entry: Entry, record: UsageRecord): string {
  const released = nano(parseNano(record.drawn) - parseNano(entry.amount));
  return formatAmount(maxNano(released, ZERO_NANO));
}

/** What the account paid for a million tokens. */
export function pricesOf(record: UsageRecord) {
  return toPrices({
    prompt: record.promptPrice,
    completion: record.completionPrice,
    cachedPrompt: record.cachedPromptPrice,
    cacheWrite: record.cacheWritePrice,
  });
}
