import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';
import { operation } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { isoTime, named } from '../payloads/values';

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
