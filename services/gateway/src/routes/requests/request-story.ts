import { fromIsoTime, toIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { findMeant } from '../../chat/formats/fields';
import { CHAT_FIELDS } from '../../chat/formats/openai/schema';
import { amount, toAmount } from '../../money/amounts';
import { priceFields } from '../../money/prices';
import { pricesOf, releasedAmountOf } from '../billing/receipts';
import { isoTime, named } from '../payloads/values';
import { rareTokensOf } from './usage-fields';

type Entry = billingV1.LedgerEntry__Output;
type UsageRecord = billingV1.UsageRecord__Output;

/** A ledger entry with its usage record. */
export interface Charge {
  readonly entry: Entry;
  readonly record: UsageRecord;
}

const limitLeft = z
  .object({ left: z.int(), limit: z.int() })
  .nullable()
  .describe('Null when there was no such limit.');

/** Fields that the list leaves out. */
export const storySchema = named('RequestStory', {
  reservation: z.object({
    reserved: amount.describe('Held back before the vendor was called.'),
    charged: amount,
    released: amount.describe('Given back.'),
  }),
  limits_left: z
    .object({ minute: limitLeft, day: limitLeft })
    .nullable()
    .describe(
      'What it left of its limits, as the headers of its answer said. Null without a limit, and ' +
        'of a request from before this was kept.',
    ),
  ignored_members: z
    .array(
      z.object({
        name: z.string().describe('An asterisk for what is no plain word.'),
        did_you_mean: z.string().nullable().describe('The nearest that is known.'),
      }),
    )
    .describe(
      'Members of its body that were ignored, as the header X-Tollgate-Ignored named them: they ' +
        'changed nothing. Eight at most.',
    ),
  tokens: z.object({
    prompt: z.int(),
    completion: z.int(),
    cached: z.int(),
    cache_write: z.int().describe('Of the prompt, put into a cache.'),
    reasoning: z.int().describe('Of the completion, what was thought.'),
    prompt_audio: z.int().describe('Of the prompt, what was audio.'),
    completion_audio: z.int().describe('Of the completion, what was audio.'),
    source: z.string().describe('exact, counted, partial or none.'),
  }),
  prices: z.object({
    version: z.int(),
    ...priceFields,
    per: z.literal('1M'),
  }),
  ledger: z.object({
    seq: z.int(),
    amount,
    absorbed: amount.describe('What the account could not pay any more.'),
    overrun: amount.describe('What went beyond the reservation.'),
    settled_reason: z.string(),
    posted_at: isoTime,
  }),
  events: z
    .array(z.object({ at: isoTime, type: z.enum(['started', 'first_token', 'ended', 'posted']) }))
    .describe('In the order of time.'),
});

/** A vendor call that did not help; its vendor's words without secrets and words of the prompt. */
export const failedAttemptSchema = named('FailedAttempt', {
  channel_id: z.string(),
  model: z.string(),
  outcome: z.string().describe('failure, timeout, rate_limited and the like.'),
  reason: z.string(),
  after_ms: z
    .int()
    .optional()
    .describe('When it was made, after the request came. Older records lack it.'),
  took_ms: z.int(),
  retry_after_ms: z
    .int()
    .optional()
    .describe('How long its vendor wanted to be left alone after it.'),
  http_status: z.int().optional(),
  vendor_error: z.string().optional(),
  vendor_message: z.string().optional(),
});

export function toStory({ entry, record }: Charge): z.infer<typeof storySchema> {
  const rare = rareTokensOf(record);
  return {
    reservation: {
      reserved: toAmount(record.drawn),
      charged: toAmount(entry.amount),
      released: releasedAmountOf(entry, record),
    },
    limits_left: readLimits(record),
    ignored_members: readIgnored(record),
    tokens: {
      prompt: record.promptTokens,
      completion: record.completionTokens,
      cached: record.cachedTokens,
      cache_write: rare.cache_write_tokens,
      reasoning: rare.reasoning_tokens,
      prompt_audio: rare.prompt_audio_tokens,
      completion_audio: rare.completion_audio_tokens,
      source: record.source,
    },
    prices: { version: record.priceVersion, ...pricesOf(record), per: '1M' },
    ledger: {
      seq: Number(entry.seq),
      amount: toAmount(entry.amount),
      absorbed: toAmount(entry.absorbed),
      overrun: toAmount(entry.overrun),
      settled_reason: entry.settledReason,
      posted_at: entry.at,
    },
    events: eventsOf(entry, record),
  };
}

function readIgnored({
  ignoredMembers = '',
}: UsageRecord): z.infer<typeof storySchema>['ignored_members'] {
  const names = ignoredMembers.split(' ').filter((name) => name !== '');
  return names.map((name) => ({ name, did_you_mean: findMeant(name, CHAT_FIELDS) ?? null }));
}

const LIMITS_LEFT = /\b(rpm|rpd) (\d{1,10})\/(\d{1,10})/g;

function readLimits({ limitsLeft = '' }: UsageRecord): z.infer<typeof storySchema>['limits_left'] {
  const found = new Map(
    [...limitsLeft.matchAll(LIMITS_LEFT)].map(
      ([, name, left, limit]) => [name, { left: Number(left), limit: Number(limit) }] as const,
    ),
  );
  if (found.size === 0) return null;
  return { minute: found.get('rpm') ?? null, day: found.get('rpd') ?? null };
}

function eventsOf(entry: Entry, record: UsageRecord): z.infer<typeof storySchema>['events'] {
  const { startedAt, firstTokenMs } = record;
  const startedAtMs = fromIsoTime(startedAt);
  const firstToken =
    firstTokenMs === undefined || startedAtMs === undefined
      ? []
      : [{ at: toIsoTime(startedAtMs + firstTokenMs), type: 'first_token' as const }];
  return [
    { at: startedAt, type: 'started' },
    ...firstToken,
    { at: record.endedAt, type: 'ended' },
    { at: entry.at, type: 'posted' },
  ];
}

const attemptsSchema = z.array(failedAttemptSchema);

/** Completion wrote it; a report of another version is none. */
export function readAttempts(text = '[]'): z.output<typeof attemptsSchema> {
  try {
    return attemptsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
