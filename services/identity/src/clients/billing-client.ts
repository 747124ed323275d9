import type { definitionOf, RpcClient } from '@tollgate/rpc';
import type { BillingClient } from '../domain/ports';

/** The one call that identity makes to billing: the credit of the first start. */
export function createBillingClient(
  rpc: Pick<RpcClient<ReturnType<typeof definitionOf<'billing'>>>, 'addCredits'>,
): BillingClient {
  return {
    async addCredits({ accountId, amount, note, idempotencyKey }) {
      const request = { accountId, amount: amount.toString(), note, idempotencyKey };
      await rpc.addCredits(request, { accountId });
    },
  };
}
