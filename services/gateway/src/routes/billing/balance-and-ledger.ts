import { LEDGER_NOTE_LENGTH_MAX, parseAmount } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import {
  AMOUNT_PATTERN,
  amount,
  fromAmount,
  positiveAmountText,
  toAmount,
} from '../../money/amounts';
import { requireAccount, requireAccountNotErased } from '../accounts/accounts';
import { answerOf } from '../answer-of';
import { toActorId } from '../mapping';
import { operation, type Services } from '../operation';
import { identifier, listOf, opaqueCursor, readSpan, timeSpan, toPageAnswer } from '../paging';
import { idParams, isoTime, named } from '../values';
import {
  answerEntry,
  type LedgerReader,
  ledgerItemSchema,
  ledgerKind,
  toLedgerItems,
} from './ledger-items';

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

/** The balance of an account as it sees it itself. */
export const balanceSchema = named('Balance', {
  account_id: z.string(),
  currency: z.string(),
  balance: amount.describe('total_credits less total_usage.'),
  reserved: amount.describe('Held for requests that run or may come next.'),
  available: amount.describe('balance less reserved.'),
  total_credits: amount.describe('Every credit, with every adjustment since added or taken off.'),
  total_usage: amount.describe('Every charge.'),
  plan: z.string(),
  updated_at: isoTime.nullable(),
  spending: z
    .object({ suspend_below: amount.nullable(), suspended: z.boolean() })
    .nullable()
    .describe(
      'Below which balance the account lets itself spend nothing, and whether its balance is below ' +
        'that: its requests are refused then. Null while billing is older than the gateway.',
    ),
});

export const getBalance = operation(
  {
    summary: 'Get the balance of the account',
    data: balanceSchema,
  },
  async ({ principal }, { billing }) => {
    const { accountId, plan } = principal;
    const balance = await billing.getBalance({ accountId });
    return { data: toBalance(balance, accountId, plan) };
  },
);

export function toBalance(
  balance: billingV1.GetBalanceResponse__Output,
  accountId: string,
  plan: string,
): z.infer<typeof balanceSchema> {
  return answerOf(balanceSchema, balance, {
    account_id: accountId,
    plan,
    spending: toSpending(balance),
  });
}

function toSpending({
  spendingSuspended: suspended,
  suspendBelow,
}: billingV1.GetBalanceResponse__Output): z.infer<typeof balanceSchema>['spending'] {
  if (suspended === undefined) return null;
  return { suspend_below: suspendBelow === undefined ? null : toAmount(suspendBelow), suspended };
}

const ledgerList = listOf(ledgerItemSchema, {
  ...timeSpan,
  key_id: identifier('The API key that was charged.'),
  model: identifier('The model that was charged.'),
  kind: ledgerKind.optional(),
});

export const listLedger = operation(
  {
    summary: 'List credits, adjustments and charges, newest first',
    ...ledgerList,
  },
  async ({ principal, query }, services) => {
    const { accountId } = principal;
    return { data: await searchLedger({ accountId }, accountId, query, services) };
  },
);

export const listAccountLedger = operation(
  {
    summary: 'List credits, adjustments and charges of any account, newest first',
    params: idParams,
    ...ledgerList,
  },
  async ({ params, query }, services) => {
    await requireAccount(services, params.id);
    return { data: await searchLedger('operator', params.id, query, services) };
  },
);

/** Billing pages by sequence number. */
const ledgerCursor = opaqueCursor('seq', /\d{1,18}/);

async function searchLedger(
  reader: LedgerReader,
  accountId: string,
  query: z.output<typeof ledgerList.query>,
  { billing, identity }: Services,
) {
  const { limit, cursor, key_id: keyId = '', model = '', kind = '' } = query;
  const { entries, nextBeforeSeq } = await billing.searchLedger({
    accountId,
    limit,
    beforeSeq: ledgerCursor.read(cursor) || '0',
    filter: { keyId, model, kind, ...readSpan(query) },
  });
  return toPageAnswer(
    await toLedgerItems(entries, reader, { identity }),
    nextBeforeSeq === '0' ? '' : ledgerCursor.write(nextBeforeSeq),
  );
}

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
