import { AppError, formatAmount, type Nano, parseAmount, parseNano } from '@tollgate/core';
import { z } from 'zod';

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

/** Money in a request: a decimal string, never a number. */
export const amountText = z
  .string()
  .refine(
    (text) => {
      const amount = parseAmount(text);
      return amount !== undefined && amount >= 0n;
    },
    {
      error:
        'must be a decimal string such as "10.00", at least 0, with at most 9 fraction digits.',
      // What is no amount at all must not reach the refinements that read one.
      abort: true,
    },
  )
  .meta({ example: '10.00', pattern: '^\\d{1,10}(\\.\\d{1,9})?$' });

/** Money in a request that has to be some. */
export const positiveAmountText = amountText.refine(
  (text) => fromAmount(text) > 0n,
  'must be more than 0.',
);

/** By what a balance is corrected. */
export const adjustmentText = z
  .string()
  .refine((text) => parseAmount(text) !== undefined, {
    error: 'must be a decimal string such as "10.00" or "-1.50", with at most 9 fraction digits.',
    abort: true,
  })
  .refine((text) => fromAmount(text) !== 0n, 'must not be 0.')
  .meta({
    example: '-1.50',
    pattern: '^-?\\d{1,10}(\\.\\d{1,9})?$',
    description:
      'What is added, or taken back when below 0. No more can be taken back than is available.',
  });

const NAME_LENGTH_MAX = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const PRINTABLE = /^[^\u0000-\u001f\u007f]+$/;

/** What people call an account, a key or themselves. */
export const displayText = z
  .string()
  .min(1)
  .max(NAME_LENGTH_MAX)
  .regex(PRINTABLE, 'must have no control characters.');

const CAPABILITIES_MAX = 50;
const CAPABILITY = /^[a-z][a-z0-9_]{0,63}$/;

/** What a model or a channel can do beyond text. */
export const capabilityList = z
  .array(z.string().regex(CAPABILITY, 'must be a lower-case word such as tools.'))
  .max(CAPABILITIES_MAX);

/** Money in an answer. */
export const amount = z.string().meta({ example: '10.00' });

/** A time in an answer or a request. */
export const isoTime = z.iso
  .datetime({ offset: true })
  .meta({ example: '2026-01-31T12:00:00.000Z' });

/** What a path with `{id}` gives. Any text is looked up: a malformed id is simply not there. */
export const idParams = z.object({ id: z.string() });

/** The body of a command that takes nothing: whoever sends a member expects it to do something. */
export const noMembers = z.strictObject({});

/** The other service left out a message that it owes us. */
export function owed<Message>(message: Message | null | undefined): Message {
  if (message === null || message === undefined) {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'an answer lacks its record' });
  }
  return message;
}
