import { BUDGET_PERIODS, NANO_MAX } from '@tollgate/core';
import { z } from 'zod';

/** The digits of an amount; whether it is within Int64 is for who reads it. */
export const AMOUNT = /^(0|[1-9]\d{0,18})$/;
const NAME_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 2_000;

function isInt64(value: bigint): boolean {
  return value <= NANO_MAX && value >= -NANO_MAX;
}

/**
 * An amount on the wire: nano-units as a decimal string, because a JSON number loses digits above
 * 2^53. Never negative and never beyond what an Int64 document field holds.
 */
export const nanoAmount = z
  .string()
  .refine((text) => AMOUNT.test(text) && isInt64(BigInt(text)), {
    error: 'must be an amount in nano-units: digits only, at most 2^63 - 1',
  })
  .describe('Amount in nano-units (10^-9 of the currency) as a decimal string, 0 or more.');

/** A correction on the wire: as an amount, and below 0 when it takes back. */
export const signedNanoAmount = z
  .string()
  .refine((text) => /^-?[1-9]\d{0,18}$/.test(text) && isInt64(BigInt(text)), {
    error: 'must be an amount in nano-units: digits with or without a minus sign, not 0',
  })
  .describe('Amount in nano-units (10^-9 of the currency) as a decimal string, not 0.');

/** An id of any kind; its prefix is not checked, so that a newer kind does not break consumers. */
export const identifier = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/)
  .describe('An opaque id: 1 to 128 printable ASCII characters without spaces.');

/** The id of a credit: of its account and of what it is given for, which may be a long id itself. */
export const creditIdentifier = z
  .string()
  .min(1)
  .max(400)
  .regex(/^[\x21-\x7e]+$/)
  .describe('An opaque id: 1 to 400 printable ASCII characters without spaces.');

/** A short name that a person or a vendor chose: a model, a key, a channel. */
export const shortName = z
  .string()
  .min(1)
  .max(NAME_LENGTH_MAX)
  .describe('A name, 1 to 256 characters.');

/** A sentence for people; bounded, because it is stored and shown. */
export const shortText = z
  .string()
  .max(TEXT_LENGTH_MAX)
  .describe('Text for people, at most 2,000 characters.');

export const isoTime = z.iso.datetime().describe('ISO-8601 time in UTC with milliseconds.');

/** A count of tokens, attempts, milliseconds or bytes: an integer that a double holds exactly. */
export const count = z.int().min(0).describe('An integer of 0 or more.');

/** A position in a gapless sequence that starts at 1. */
export const ordinal = z.int().min(1).describe('An integer of 1 or more.');

/** The most items of an event that carries several. */
export const ITEMS_PER_EVENT_MAX = 100;

/** The span after which a key's budget starts anew; null when it never does. */
export const budgetPeriod = z
  .enum(BUDGET_PERIODS)
  .nullable()
  .describe('Span after which the budget starts anew; null when it never does.');
