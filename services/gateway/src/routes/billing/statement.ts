import { z } from 'zod';
import { amount } from '../../money/amounts';
import { named } from '../payloads/values';

export const statementSchema = named('Statement', {
  month: z.string().meta({ example: '2026-01', description: 'UTC.' }),
  currency: z.string(),
  opening_balance: amount,
  credits: amount,
  adjustments: amount.describe('Below 0 when more was taken back than given.'),
  charges: amount,
  closing_balance: amount.describe('opening_balance with credits and adjustments, less charges.'),
  requests: z.int(),
});

export const lineSchema = z.object({
  model: z.string().nullable().describe('null where there is no room for more lines.'),
  key_id: z.string().nullable(),
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  amount,
});

export const wholeSchema = named('StatementWithLines', {
  ...statementSchema.shape,
  lines: z.array(lineSchema).describe('By model and API key, the dearest first.'),
});

/** A statement with its lines. */
export type WholeStatement = z.infer<typeof wholeSchema>;
export type StatementLine = z.infer<typeof lineSchema>;

/** The names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

/** The sums of a statement in their order: how they are called, and their fields. */
export const SUMS = [
  ['opening balance', 'opening_balance'],
  ['credits', 'credits'],
  ['adjustments', 'adjustments'],
  ['charges', 'charges'],
  ['closing balance', 'closing_balance'],
] as const;
