import type { controlPlane, RpcClient } from '@tollgate/rpc';
import type { BillingClient } from '../domain/ports';

/** Billing as the first start sees it. */
export function createBillingClient(
  rpc: Pick<RpcClient<ReturnType<typeof controlPlane<'billing'>>>, 'addCredits'>,
): BillingClient {
  return {
    async addCredits({ accountId, amount, note, idempotencyKey }) {
      const request = { accountId, amount: amount.toString(), note, idempotencyKey };
      await rpc.addCredits(request, { accountId });
    },
  };
}
