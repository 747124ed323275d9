import type { ServiceHost } from '@tollgate/lifecycle';
import { controlPlane, createRpcClient, type RpcSecurity } from '@tollgate/rpc';
import type { BillingPort } from '../domain/ports';
import type { CompletionMetrics } from '../metrics';
import { fromProtoGrant, fromProtoSettlement } from './from-proto';
import { toProtoBudget, toProtoUsageRecord } from './to-proto';

/** How billing is reached, and who asks. */
export interface BillingClientOptions {
  readonly address: string;
  readonly security: RpcSecurity;
  readonly host: ServiceHost;
  readonly deadlineMs: number;
  /** The spool id; known once the spool is open. */
  readonly holder: () => string;
  /** Where billing reaches us for a recall. */
  readonly holderAddress: () => string;
  readonly metrics: CompletionMetrics;
}

/** Billing over gRPC. */
export function createBillingClient(
  options: BillingClientOptions,
): BillingPort & { close(): void } {
  const { address, security, host, deadlineMs, metrics } = options;
  const client = createRpcClient(controlPlane('billing'), {
    address,
    caller: 'completion',
    security,
    host,
    deadlineMs,
  });
  const acquired = metrics.leaseAcquires.bind({ result: 'granted' });
  const refused = metrics.leaseAcquires.bind({ result: 'refused' });
  return {
    async acquireLease({ accountId, nonce, amount, minimum, budget }) {
      try {
        const grant = await client.acquireLease(
          {
            accountId,
            holder: options.holder(),
            holderAddress: options.holderAddress(),
            nonce,
            amount: amount.toString(),
            minimum: minimum.toString(),
            ...(budget === null ? {} : { keyBudget: toProtoBudget(budget) }),
          },
          { accountId },
        );
        acquired.inc();
        return fromProtoGrant(grant);
      } catch (error) {
        refused.inc();
        throw error;
      }
    },
    async getSettlements(leases) {
      const asked = leases.map(({ accountId, lease }) => ({ accountId, lease }));
      const { settlements } = await client.getSettlements({ leases: asked });
      return settlements.map(fromProtoSettlement);
    },
    async settleUsage(records) {
      const { settlements } = await client.settleUsage({
        records: records.map(toProtoUsageRecord),
      });
      return settlements.map(fromProtoSettlement);
    },
    close: () => client.close(),
  };
}
