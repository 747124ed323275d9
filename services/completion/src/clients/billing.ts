import { parseNano, toIsoTime } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { billingV1 } from '@tollgate/protos';
import { controlPlane, createRpcClient, type RpcSecurity } from '@tollgate/rpc';
import type { BillingPort, LeaseGrant } from '../credit/lease';
import type { CompletionMetrics } from '../metrics';
import type {
  BudgetPeriod,
  KeyBudget,
  NumberedRecord,
  Settlement,
  UsageEntry,
} from '../usage/record';

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

function fromProtoGrant(grant: billingV1.AcquireLeaseResponse__Output): LeaseGrant {
  return {
    lease: grant.lease,
    remaining: parseNano(grant.remaining),
    ttlMs: grant.ttlMs,
    marginMs: grant.marginMs,
    nextNumber: grant.nextNumber,
    swept: grant.swept,
    available: parseNano(grant.available),
    recalled: grant.recalled,
  };
}

function fromProtoSettlement(settlement: billingV1.Settlement__Output): Settlement {
  const { accountId, lease, nextNumber, complete } = settlement;
  return { accountId, lease, nextNumber, complete };
}

function toProtoUsageRecord(record: NumberedRecord): billingV1.UsageRecord {
  const place = {
    accountId: record.accountId,
    lease: record.lease,
    number: record.number,
    holder: record.holder,
    epoch: record.epoch,
    endedAt: toIsoTime(record.endedAtMs),
  };
  if (record.kind === 'close') return { ...place, kind: 'USAGE_KIND_CLOSE' };
  return { ...place, kind: 'USAGE_KIND_USAGE', ...toProtoFinished(record) };
}

function toProtoFinished(entry: UsageEntry): billingV1.UsageRecord {
  return {
    requestId: entry.requestId,
    clientRequestId: entry.clientRequestId ?? '',
    keyId: entry.keyId,
    userId: entry.userId ?? '',
    model: entry.model,
    requestedModel: entry.requestedModel,
    channelId: entry.channelId ?? '',
    ownChannel: entry.ownChannel,
    priceVersion: entry.priceVersion,
    promptPrice: entry.prices.prompt.toString(),
    completionPrice: entry.prices.completion.toString(),
    cachedPromptPrice: entry.prices.cachedPrompt.toString(),
    promptTokens: entry.promptTokens,
    completionTokens: entry.completionTokens,
    cachedTokens: entry.cachedTokens,
    drawn: entry.reserved.toString(),
    amount: entry.amount.toString(),
    source: entry.source,
    reason: entry.reason,
    status: entry.status,
    errorCode: entry.errorCode ?? '',
    stream: entry.stream,
    attempts: entry.attempts,
    latencyMs: Math.round(entry.latencyMs),
    ...(entry.firstTokenMs === null ? {} : { firstTokenMs: Math.round(entry.firstTokenMs) }),
    startedAt: toIsoTime(entry.startedAtMs),
    vendorAbsorbed: entry.vendorAbsorbed.toString(),
    ...(entry.budget === null ? {} : { budget: toProtoBudget(entry.budget) }),
  };
}

const PERIODS = {
  none: 'BUDGET_PERIOD_UNSPECIFIED',
  day: 'BUDGET_PERIOD_DAY',
  week: 'BUDGET_PERIOD_WEEK',
  month: 'BUDGET_PERIOD_MONTH',
} as const satisfies Record<BudgetPeriod, billingV1.BudgetPeriod>;

function toProtoBudget(budget: KeyBudget): billingV1.KeyBudget {
  const { keyId, limit, period } = budget;
  return { keyId, limit: limit.toString(), period: PERIODS[period] };
}
