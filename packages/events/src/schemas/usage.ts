import { z } from 'zod';
import {
  budgetPeriod,
  count,
  identifier,
  isoTime,
  nanoAmount,
  ordinal,
  shortName,
} from './primitives';

/** Where the token counts of a record come from. */
export const usageSource = z
  .enum(['exact', 'counted', 'partial', 'none'])
  .describe('exact: by the vendor; counted: by our tokenizer; partial: of a cut answer; none.');

/** Why an answer ended. */
export const usageReason = z
  .enum([
    'stop',
    'length',
    'content_filter',
    'tool_calls',
    'client_gone',
    'vendor_gone',
    'vendor_error',
    'no_channel',
    'deadline',
    'shutdown',
    'crash',
    'internal_error',
  ])
  .describe('Why the answer ended.');

// What every record says about its place: which lease, which number in it, who wrote it.
const place = {
  account_id: identifier,
  lease: ordinal.describe('Number of the lease within the account, from 1.'),
  number: ordinal.describe('Number of the record within the lease, gapless from 1.'),
  holder: identifier.describe('Id of the spool that wrote the record.'),
  epoch: count.describe('Which start of that spool wrote it.'),
  ended_at: isoTime,
};

const unitPrices = z
  .object({ prompt: nanoAmount, completion: nanoAmount, cached_prompt: nanoAmount })
  .describe('Unit prices in nano-units per 1M tokens.');

/** A finished request. Counts may contradict each other: billing refuses that at 0, not we. */
export const finishedUsageRecord = z
  .object({
    ...place,
    kind: z.literal('usage'),
    request_id: identifier,
    client_request_id: z
      .string()
      .max(256)
      .nullable()
      .describe('What the caller sent as its own request id.'),
    key_id: identifier,
    user_id: identifier.nullable(),
    model: shortName,
    requested_model: shortName,
    channel_id: identifier.nullable().describe('The channel that answered; null when none did.'),
    own_channel: z
      .boolean()
      .describe('True on a channel of the account itself, where amount is 0.'),
    price_version: count,
    prices: unitPrices,
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: count.describe('The part of prompt_tokens that the vendor had cached.'),
    drawn: nanoAmount.describe('What was reserved for the request.'),
    amount: nanoAmount.describe('What the request claims to cost.'),
    source: usageSource,
    reason: usageReason,
    status: z.enum(['succeeded', 'failed']).describe('Whether the caller got an answer.'),
    error_code: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .describe('What the caller was told when it failed: a code of the error table.'),
    stream: z.boolean().describe('True when the answer was streamed.'),
    attempts: count.describe('How many channels were tried.'),
    latency_ms: count,
    first_token_ms: count.nullable(),
    started_at: isoTime,
    vendor_absorbed: nanoAmount.describe('Vendor cost that nobody is charged for.'),
    budget: z
      .object({ limit: nanoAmount, period: budgetPeriod })
      .nullable()
      .describe("The key's budget, when it has one."),
  })
  .describe('A finished request with its tokens, prices and amount.');

/** The last record of a lease: nothing was drawn after it. */
export const closeUsageRecord = z
  .object({ ...place, kind: z.literal('close') })
  .describe('The last record of a lease, which returns what is left of it.');

/** What a completion instance reports about one number of one lease. */
export const usageRecord = z
  .discriminatedUnion('kind', [finishedUsageRecord, closeUsageRecord])
  .describe('One numbered record of a credit lease: a finished request, or the end of the lease.');

export type UsageRecord = z.infer<typeof usageRecord>;
export type FinishedUsageRecord = z.infer<typeof finishedUsageRecord>;
export type CloseUsageRecord = z.infer<typeof closeUsageRecord>;
export type UsageSource = z.infer<typeof usageSource>;
export type UsageReason = z.infer<typeof usageReason>;
