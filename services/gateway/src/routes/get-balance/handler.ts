import type { BillingClient } from '../../clients/control-plane';
import { textOrNull, toAmount } from '../resources/values';
import { type Operation, operation } from '../route';
import { getBalanceSchema } from './schema';

export function createGetBalance(billing: BillingClient): Operation {
  return operation(getBalanceSchema, async ({ principal, context }) => {
    const { accountId, plan } = principal;
    const balance = await billing.getBalance({ accountId }, context.rpc);
    return {
      data: {
        account_id: accountId,
        currency: balance.currency,
        balance: toAmount(balance.balance),
        reserved: toAmount(balance.reserved),
        available: toAmount(balance.available),
        total_credits: toAmount(balance.totalCredits),
        total_usage: toAmount(balance.totalUsage),
        plan,
        updated_at: textOrNull(balance.updatedAt),
      },
    };
  });
}
