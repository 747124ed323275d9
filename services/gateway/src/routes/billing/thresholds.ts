import { AppError, THRESHOLD_DAYS_MAX, THRESHOLDS_MAX } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { isLimitedKey, type Principal } from '../../auth/principal';
import { amount, fromAmount, positiveAmountText, toAmount } from '../../money/amounts';
import { required } from '../asking/required';
import { operation, type Services } from '../operation';
import { deletedSchema, named, toDeleted } from '../payloads/values';

/** Thresholds in a body, of an account and of a plan. */
export const thresholdFields = {
  amounts: z
    .array(positiveAmountText)
    .max(THRESHOLDS_MAX)
    .describe('Balances below which the webhook event balance.low is sent.'),
  days: z
    .array(z.int().min(1).max(THRESHOLD_DAYS_MAX))
    .max(THRESHOLDS_MAX)
    .describe(
      'It is also sent when the balance no longer lasts so many days, as the account spent in ' +
        'the last one to two days.',
    ),
};

const SUSPEND_BELOW =
  'Below this balance requests that cost are refused with 402 until credit arrives, and the events ' +
  'spending.suspended and spending.resumed tell of it; null lets all of the balance be spent.';

const thresholdsSchema = named('Thresholds', {
  amounts: z.array(amount).describe('Highest first.'),
  days: z.array(z.int()).describe('Most first.'),
  suspend_below: amount.nullable().describe(SUSPEND_BELOW),
  source: z
    .enum(['account', 'plan', 'default'])
    .describe('Whose they are; default is a tenth of the last credit.'),
  daily_spend: amount.describe('What a day costs, by the last one to two days.'),
  suspended: z.boolean().describe('The balance is below suspend_below.'),
});

export const getThresholds = operation(
  {
    summary: 'Get the balances at which the account is told, and where its spending ends',
    data: thresholdsSchema,
  },
  async ({ principal }, { billing }) => {
    const { state } = await billing.getThresholds({ accountId: principal.accountId });
    return { data: toThresholds(required(state)) };
  },
);

export const setThresholds = operation(
  {
    summary: 'Set the balances at which the account is told, and where its spending ends',
    body: z.strictObject({
      amounts: thresholdFields.amounts.default([]),
      days: thresholdFields.days.default([]),
      suspend_below: positiveAmountText.nullable().default(null).describe(SUSPEND_BELOW),
    }),
    data: thresholdsSchema,
  },
  async ({ principal, body }, { billing }) => {
    const { suspend_below: below } = body;
    await requireMayLower(principal, below, billing);
    const { state } = await billing.setThresholds({
      accountId: principal.accountId,
      thresholds: fromThresholds(body),
      ...(below === null ? {} : { suspendBelow: fromAmount(below).toString() }),
    });
    return { data: toThresholds(required(state)) };
  },
);

export const resetThresholds = operation(
  {
    summary: 'Go back to the thresholds of the plan, and spend all of the balance',
    data: deletedSchema,
  },
  async ({ principal }, { billing }) => {
    const { accountId } = principal;
    await requireMayLower(principal, null, billing);
    await billing.setThresholds({ accountId });
    return { data: toDeleted(accountId) };
  },
);

/** What an account keeps back bounds its keys: one with limits of its own may only raise it. */
async function requireMayLower(
  principal: Principal,
  below: string | null,
  billing: Services['billing'],
): Promise<void> {
  if (!isLimitedKey(principal)) return;
  const { state } = await billing.getThresholds({ accountId: principal.accountId });
  const present = BigInt(required(state).suspendBelow ?? 0);
  if (present <= (below === null ? 0n : fromAmount(below))) return;
  throw new AppError('FORBIDDEN', {
    publicMessage:
      'This API key has a budget or limits of its own, so it may raise suspend_below and not lower ' +
      'or remove it. Sign in, or use a key without limits.',
    param: 'suspend_below',
  });
}

export function fromThresholds(thresholds: {
  readonly amounts: readonly string[];
  readonly days: readonly number[];
}): billingV1.Thresholds {
  const { amounts, days } = thresholds;
  return { amounts: amounts.map((text) => fromAmount(text).toString()), days: [...days] };
}

function toThresholds(state: billingV1.ThresholdState__Output): z.infer<typeof thresholdsSchema> {
  const { amounts, days } = required(state.thresholds);
  return {
    amounts: amounts.map(toAmount),
    days,
    suspend_below: state.suspendBelow === undefined ? null : toAmount(state.suspendBelow),
    source: state.source === 'account' || state.source === 'plan' ? state.source : 'default',
    daily_spend: toAmount(state.dailySpend),
    suspended: state.suspended,
  };
}
