import {
  AppError,
  CAPABILITIES_MAX,
  CAPABILITY,
  DISPLAY_NAME_LENGTH_MAX,
  formatAmount,
  GRACE_PERIOD_S_MAX,
  GROUP_NAME,
  INVISIBLE_CHARACTERS,
  type Nano,
  OWN_GROUP,
  parseAmount,
  parseNano,
} from '@tollgate/core';
import { z } from 'zod';
import { AMOUNT_PATTERN, amountText } from '../http/amount-text';
import type { RequestLimits } from '../limits/limiter';

/** Text that is absent when the other service sends nothing. */
export function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

/** An amount in nano-units as the API writes it. */
export function toAmount(nanoText: string): string {
  return formatAmount(parseNano(nanoText));
}

/** A decimal amount that was checked already. */
export function fromAmount(text: string): Nano {
  const amount = parseAmount(text);
  if (amount === undefined) throw new AppError('VALIDATION_ERROR');
  return amount;
}

/** Money in a request that has to be some. */
export const positiveAmountText = amountText
  .refine((text) => fromAmount(text) > 0n, 'must be more than 0.')
  .meta({ example: '10.00', pattern: `^(?!0+(\\.0+)?$)${AMOUNT_PATTERN}$` });

/** The amount by which a balance is corrected. */
export const adjustmentText = z
  .string()
  .refine((text) => parseAmount(text) !== undefined, {
    error: 'must be a decimal string such as "10.00" or "-1.50", with at most 9 fraction digits.',
    abort: true,
  })
  .refine((text) => fromAmount(text) !== 0n, 'must not be 0.')
  .meta({
    example: '-1.50',
    pattern: `^(?!-?0+(\\.0+)?$)-?${AMOUNT_PATTERN}$`,
    description:
      'What is added, or taken back when below 0. No more can be taken back than is available.',
  });

const VISIBLE = new RegExp(`^[^${INVISIBLE_CHARACTERS}]+$`);

/** The name that people give an account, a key, a channel or themselves. */
export const displayText = z
  .string()
  .min(1)
  .max(DISPLAY_NAME_LENGTH_MAX)
  .regex(VISIBLE, 'must have no control characters and no invisible ones.')
  // Spaces around a name are taken off, and something has to remain.
  .meta({
    pattern:
      `^[^${INVISIBLE_CHARACTERS}]*[^\\s${INVISIBLE_CHARACTERS}]` + `[^${INVISIBLE_CHARACTERS}]*$`,
  });

/** Abilities of a model or a channel beyond text. */
export const capabilityList = z
  .array(z.string().regex(CAPABILITY, 'must be a lower-case word such as tools.'))
  .max(CAPABILITIES_MAX);

const amounts = z.registry<{ readonly isAmount: true }>();

/** Money in an answer. */
export const amount = z.string().meta({ example: '10.00' }).register(amounts, { isAmount: true });

/** Whether the schema is `amount`, described further or not. */
export function isAmount(schema: z.ZodType): boolean {
  return amounts.get(schema) !== undefined;
}

/** Tokens in an answer, of one request or of many. */
export const tokenFields = {
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int().describe('Of the prompt, put into a cache.'),
  reasoning_tokens: z.int().describe('Of the completion, what was thought.'),
  prompt_audio_tokens: z.int().describe('Of the prompt, what was audio.'),
  completion_audio_tokens: z.int().describe('Of the completion, what was audio.'),
};

/** Prices of tokens in an answer. */
export const priceFields = {
  prompt: amount,
  completion: amount,
  cached_prompt: amount,
  cache_write: amount,
};

/** From nano-units; where writing a cache has no price of its own it costs what the prompt does. */
export function toPrices({ prompt, completion, cachedPrompt, cacheWrite }: PricesInNano) {
  return {
    prompt: toAmount(prompt),
    completion: toAmount(completion),
    cached_prompt: toAmount(cachedPrompt),
    cache_write: toAmount(cacheWrite ?? prompt),
  };
}

interface PricesInNano {
  readonly prompt: string;
  readonly completion: string;
  readonly cachedPrompt: string;
  readonly cacheWrite?: string | undefined;
}

/** Hundredths of a per cent as text: 1250 as "12.50". */
export function toPercent(hundredths: bigint): string {
  const absolute = hundredths < 0n ? -hundredths : hundredths;
  const fraction = String(absolute % 100n).padStart(2, '0');
  return `${hundredths < 0n ? '-' : ''}${absolute / 100n}.${fraction}`;
}

/** The limits of a plan, an account or a key as they are answered: null is unlimited. */
export function toLimits(limits: RequestLimits) {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    requests_per_day: limits.requestsPerDay ?? null,
    concurrent_requests: limits.concurrentRequests ?? null,
  };
}

/** A time in an answer or a request. */
export const isoTime = z.iso
  .datetime({ offset: true })
  .meta({ example: '2026-01-31T12:00:00.000Z' });

/** The id of a path. Any text is looked up: a malformed one is simply not there. */
export const idParams = z.object({ id: z.string() });

/** Bodies of answers bear the id behind a prefix of their format: who has only the body may use it. */
export const requestIdParams = z.object({
  request_id: z.string().overwrite((id) => id.replace(/^(?:chatcmpl-|resp_|msg_)(?=req_)/, '')),
});

/** The form of an address that the service will call. */
export const HTTP_URL = '^https?://[!-~]+$';
export const HTTP_URL_RULE = 'must be an absolute URL that this deployment may call';

/** The body of a command that takes nothing: whoever sends a field expects it to do something. */
export const noFields = z.strictObject({});

/** An object that stands in the OpenAPI document under this name; no other has the name. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape): z.ZodObject<Shape> {
  return z.object(shape).meta({ id });
}

/** The answer of every DELETE. */
export const deletedSchema = named('Deleted', { id: z.string(), deleted: z.literal(true) });

export function toDeleted(id: string): z.infer<typeof deletedSchema> {
  return { id, deleted: true };
}

/** A whole number in a query; the message is what people read. */
export function queryInteger(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Something that a query may ask for; false when it is absent. */
export function queryFlag(description: string) {
  return z
    .enum(['true', 'false'], 'must be true or false.')
    .default('false')
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description });
}

const GRACE_DEFAULT_S = 86_400;

/** The body of a rotation; the description says what goes on with the old secret meanwhile. */
export function gracePeriodBody(description: string) {
  return z.strictObject({
    grace_period_seconds: z
      .int()
      .min(0)
      .max(GRACE_PERIOD_S_MAX)
      .default(GRACE_DEFAULT_S)
      .describe(description),
  });
}

/** The fields that are given: what a request to another service leaves out stays as it is. */
export function withoutAbsent<Value extends object>(
  value: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } {
  const present = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Value]?: Exclude<Value[Name], undefined> };
}

/** A message that the other service must have put into its answer. */
export function required<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'an answer lacks its record' });
  }
  return message;
}

/** The name of a channel group. */
export const groupName = z
  .string()
  .regex(GROUP_NAME, 'must be lower-case letters, digits and dashes.')
  .refine((name) => name !== OWN_GROUP, "is reserved for an account's own channels.")
  .meta({ pattern: GROUP_NAME.source.replace('^', `^(?!${OWN_GROUP}$)`) });
