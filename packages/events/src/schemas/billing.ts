import { z } from 'zod';
import { budgetPeriod, creditIdentifier, identifier, nanoAmount, ordinal } from './primitives';

const notice = {
  account_id: identifier,
  notice_seq: ordinal.describe(
    "Place among the account's notices, from 1 upwards; gapless but for a restore.",
  ),
  currency: z.string().describe('Of the amounts.'),
};

export const balanceLow = z
  .object({
    ...notice,
    available: nanoAmount,
    threshold: nanoAmount,
    days: ordinal
      .nullish()
      .describe('The threshold is what so many days cost at present; null for an amount.'),
  })
  .describe('The balance of an account fell below a threshold.');

const spending = { ...notice, available: nanoAmount, threshold: nanoAmount };

export const spendingSuspended = z
  .object(spending)
  .describe('The balance fell below where the account wants its spending to end.');

export const spendingResumed = z
  .object(spending)
  .describe('The balance is again where the account spends.');

export const balanceExhausted = z
  .object({ ...notice, available: nanoAmount })
  .describe('An account has no balance left to reserve for a request.');

export const creditsAdded = z
  .object({ ...notice, credit_id: creditIdentifier, amount: nanoAmount, available: nanoAmount })
  .describe('Credit was added to an account.');

export const keyBudgetExceeded = z
  .object({ ...notice, key_id: identifier, limit: nanoAmount, period: budgetPeriod })
  .describe(
    'A key used up its budget for the current period, ' +
      'or a request was refused because too little of it was left.',
  );
