import { parseNano, toAppError } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { billingV1 } from '@tollgate/protos';
import {
  createRpcClient,
  definitionOf,
  type RpcSecurity,
  toProtoPeriod,
  toProtoUsageRecord,
} from '@tollgate/rpc';
import type { AcquiredLease, BillingPort } from '../domain/billing';
import type { KeptAnswers } from '../domain/kept-answers';
import type { KeyBudget, LeaseWatermark } from '../domain/lease-ref';
import type { CompletionMetrics } from '../metrics';

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
  readonly metrics: Pick<CompletionMetrics, 'leaseAcquires'>;
}

export interface BillingClient extends BillingPort {
  readonly keptAnswers: KeptAnswers;
  /** Of the holder itself, which is gone; returns how many leases were given up. */
  retireLeases(): Promise<number>;
  close(): void;
}

/** Billing over gRPC. */
export function createBillingClient(options: BillingClientOptions): BillingClient {
  const { address, security, host, deadlineMs, metrics } = options;
  const client = createRpcClient(definitionOf('billing'), {
    address,
    ownName: 'completion',
    security,
    host,
    deadlineMs,
  });
  const granted = metrics.leaseAcquires.child({ result: 'granted' });
  const refused = metrics.leaseAcquires.child({ result: 'refused' });
  const failed = metrics.leaseAcquires.child({ result: 'failed' });
  return {
    async acquireLease({ accountId, nonce, amount, minimum, budget }) {
      try {
        const answer = await client.acquireLease(
          {
            accountId,
            holder: options.holder(),
            holderAddress: options.holderAddress(),
            nonce,
            amount: amount.toString(),
            minimum: minimum.toString(),
            ...(budget === undefined ? {} : { keyBudget: toProtoBudget(budget) }),
          },
          { accountId },
        );
        granted.inc();
        return fromProtoLease(answer);
      } catch (error) {
        (isServersFault(error) ? failed : refused).inc();
        throw error;
      }
    },
    async readWatermarks(leases) {
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
    keptAnswers: {
      async keep(accountId, requestId, answer) {
        await client.keepAnswer({ accountId, requestId, answer }, { accountId });
      },
      async drop(accountId, requestId) {
        await client.dropAnswer({ accountId, requestId }, { accountId });
      },
    },
    async retireLeases() {
      return (await client.retireLeases({ holder: options.holder() })).retired;
    },
    close: () => client.close(),
  };
}

/** It brought no decision: billing was not reached, was late, or broke. */
function isServersFault(error: unknown): boolean {
  return toAppError(error).definition.httpStatus >= 500;
}

function fromProtoLease(acquired: billingV1.AcquireLeaseResponse__Output): AcquiredLease {
  return {
    lease: acquired.lease,
    remaining: parseNano(acquired.remaining),
    ttlMs: acquired.ttlMs,
    marginMs: acquired.marginMs,
    nextNumber: acquired.nextNumber,
    swept: acquired.swept,
    available: parseNano(acquired.available),
    recalled: acquired.recalled,
    suspended: acquired.spendingSuspended,
  };
}

function fromProtoSettlement(watermark: billingV1.Settlement__Output): LeaseWatermark {
  const { accountId, lease, nextNumber, complete, neverGranted } = watermark;
  return { accountId, lease, nextNumber, complete, neverGranted };
}

function toProtoBudget(budget: KeyBudget): billingV1.KeyBudget {
  const { keyId, limit, period } = budget;
  return { keyId, limit: limit.toString(), period: toProtoPeriod(period) };
}
