import { LEDGER_NOTE_LENGTH_MAX, parseAmount } from '@tollgate/core';
import { z } from 'zod';
import { AMOUNT_PATTERN, fromAmount, positiveAmountText } from '../../money/amounts';
import { requireAccountNotErased } from '../accounts/accounts';
import { toActorId } from '../asking/actor';
import { operation } from '../operation';
import { idParams } from '../payloads/values';
import { answerEntry, ledgerItemSchema } from './ledger-items';

/** The amount by which a balance is corrected. */
const adjustmentText = z
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

/** The rule of whatever adds to a balance. */
export const CREDIT_RULE =
  'may not take the total_credits of the account beyond 9223372036.854775807';

/** Billing opens an account's books at their first use, so identity is asked whether it exists. */
export const addCredits = operation(
  {
    summary: 'Grant credit to an account',
    params: idParams,
    body: z.strictObject({
      amount: positiveAmountText,
      note: z.string().max(LEDGER_NOTE_LENGTH_MAX).default(''),
    }),
    rules: { amount: CREDIT_RULE },
    data: ledgerItemSchema,
    status: 201,
    idempotency: 'required',
  },
  async ({ principal, params, body, context }, { billing, identity }) => {
    await requireAccountNotErased({ identity }, params.id);
    const answer = await billing.addCredits({
      accountId: params.id,
      amount: fromAmount(body.amount).toString(),
      note: body.note,
      idempotencyKey: context.idempotency.key,
      actorId: toActorId(principal),
    });
    return answerEntry(answer, 'operator', { identity });
  },
);

/** Identity is asked whether the account exists, as for credit. */
export const adjustBalance = operation(
  {
    summary: 'Correct the balance of an account',
    params: idParams,
    body: z.strictObject({
      amount: adjustmentText,
      reason: z
        .string()
        .max(LEDGER_NOTE_LENGTH_MAX)
        .regex(/\S/, 'must say why.')
        .describe('Why; stands in the ledger as the note of the entry.'),
    }),
    rules: { amount: CREDIT_RULE },
    data: ledgerItemSchema,
    status: 201,
    idempotency: 'required',
  },
  async ({ principal, params, body, context }, { billing, identity }) => {
    await requireAccountNotErased({ identity }, params.id);
    const answer = await billing.adjustBalance({
      accountId: params.id,
      amount: fromAmount(body.amount).toString(),
      reason: body.reason,
      idempotencyKey: context.idempotency.key,
      actorId: toActorId(principal),
    });
    return answerEntry(answer, 'operator', { identity });
  },
);
