import type { BillingClient } from '../../clients/control-plane';
import { toAmount } from '../resources/values';
import { type Operation, operation } from '../route';
import { listPlansSchema } from './schema';

export function createListPlans(billing: BillingClient): Operation {
  return operation(listPlansSchema, async ({ principal, context }) => {
    const { plans } = await billing.listPlans({}, context.rpc);
    const items = plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      requests_per_minute: plan.requestsPerMinute ?? null,
      requests_per_day: plan.requestsPerDay ?? null,
      concurrent_requests: plan.concurrentRequests,
      price: { amount: toAmount(plan.price), currency: plan.currency, period: plan.period },
      included_credit: toAmount(plan.includedCredit),
    }));
    return { data: { items, current: principal.plan } };
  });
}
