import { toIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import type { LeaseGrant } from '../domain/acquire-lease';
import type { AuditReport } from '../domain/audit-report';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { Plan } from '../domain/plans';
import type { AccountPolicy } from '../domain/policy';
import type { BudgetPeriod, UsageRecord } from '../domain/usage-record';
import type { Balance, KeyBudgetState } from '../operations/accounts';
import type { Settlement } from '../operations/settlement';

export function toProtoGrant(
  grant: LeaseGrant,
  policy: AccountPolicy,
): billingV1.AcquireLeaseResponse {
  return {
    lease: grant.lease,
    remaining: grant.remaining.toString(),
    ttlMs: policy.leaseTtlMs,
    marginMs: policy.leaseMarginMs,
    nextNumber: grant.nextNumber,
    swept: grant.swept,
    available: grant.available.toString(),
    recalled: grant.recalled,
  };
}

export function toProtoSettlement(settlement: Settlement): billingV1.Settlement {
  const { accountId, lease, nextNumber, complete } = settlement;
  return { accountId, lease, nextNumber, complete };
}

export function toProtoBalance(
  accountId: string,
  balance: Balance,
  currency: string,
): billingV1.GetBalanceResponse {
  return {
    accountId,
    currency,
    balance: balance.balance.toString(),
    reserved: balance.reserved.toString(),
    available: balance.available.toString(),
    totalCredits: balance.totalCredits.toString(),
    totalUsage: balance.totalUsage.toString(),
    updatedAt: balance.updatedAt === undefined ? '' : toIsoTime(balance.updatedAt),
  };
}

export function toProtoKeyBudget(state: KeyBudgetState): billingV1.KeyBudgetState {
  return {
    keyId: state.keyId,
    limit: state.limit.toString(),
    spent: state.spent.toString(),
    leased: state.leased.toString(),
    periodStart: state.period === 'none' ? '' : toIsoTime(state.periodStart),
    resetsAt: state.resetsAt === undefined ? '' : toIsoTime(state.resetsAt),
  };
}

export function toProtoPlan(plan: Plan, currency: string): billingV1.Plan {
  const { requestsPerMinute, requestsPerDay } = plan;
  return {
    id: plan.id,
    name: plan.name,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(requestsPerDay === undefined ? {} : { requestsPerDay }),
    concurrentRequests: plan.concurrentRequests,
    price: plan.price.toString(),
    currency,
    period: plan.period,
    includedCredit: plan.includedCredit.toString(),
  };
}

function toProtoPeriod(period: BudgetPeriod): billingV1.BudgetPeriod {
  switch (period) {
    case 'none':
      return 'BUDGET_PERIOD_UNSPECIFIED';
    case 'day':
      return 'BUDGET_PERIOD_DAY';
    case 'week':
      return 'BUDGET_PERIOD_WEEK';
    case 'month':
      return 'BUDGET_PERIOD_MONTH';
  }
}

function toProtoUsageRecord(record: UsageRecord): billingV1.UsageRecord {
  const { budget, firstTokenMs } = record;
  return {
    accountId: record.accountId,
    lease: record.lease,
    number: record.number,
    kind: 'USAGE_KIND_USAGE',
    holder: record.holder,
    epoch: record.epoch,
    endedAt: record.endedAt,
    requestId: record.requestId,
    clientRequestId: record.clientRequestId ?? '',
    keyId: record.keyId,
    userId: record.userId ?? '',
    model: record.model,
    requestedModel: record.requestedModel,
    channelId: record.channelId ?? '',
    ownChannel: record.ownChannel,
    priceVersion: record.priceVersion,
    promptPrice: record.prices.prompt.toString(),
    completionPrice: record.prices.completion.toString(),
    cachedPromptPrice: record.prices.cachedPrompt.toString(),
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    cachedTokens: record.cachedTokens,
    drawn: record.drawn.toString(),
    amount: record.amount.toString(),
    source: record.source,
    reason: record.reason,
    status: record.status,
    errorCode: record.errorCode ?? '',
    stream: record.stream,
    attempts: record.attempts,
    latencyMs: record.latencyMs,
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
    startedAt: record.startedAt,
    vendorAbsorbed: record.vendorAbsorbed.toString(),
    ...(budget === undefined
      ? {}
      : {
          budget: {
            keyId: record.keyId,
            limit: budget.limit.toString(),
            period: toProtoPeriod(budget.period),
          },
        }),
  };
}

export function toProtoLedgerEntry(entry: LedgerEntry): billingV1.LedgerEntry {
  const { accountId, kind } = entry;
  const amount = entry.amount.toString();
  const base = { accountId, kind, amount, seq: entry.seq.toString(), at: toIsoTime(entry.at) };
  if (entry.kind === 'credit') return { ...base, creditId: entry.creditId, note: entry.note };
  if (entry.kind === 'adjustment') {
    return { ...base, creditId: entry.adjustmentId, note: entry.reason };
  }
  return {
    ...base,
    record: toProtoUsageRecord(entry.record),
    absorbed: entry.absorbed.toString(),
    overrun: entry.overrun.toString(),
    settledReason: entry.settledReason,
  };
}

export function toProtoAudit(report: AuditReport): billingV1.AuditResponse {
  return {
    ok: report.ok,
    drift: report.drift.toString(),
    accountsChecked: report.accountsChecked,
    absorbed: report.absorbed.toString(),
    overrun: report.overrun.toString(),
    reserved: report.reserved.toString(),
    findings: report.findings.map(({ accountId, rule, detail }) => ({ accountId, rule, detail })),
    checkedAt: toIsoTime(report.checkedAt),
    partial: !report.complete,
    nextCursor: report.checkedUpTo ?? '',
    durationMs: Math.max(0, Math.round(report.checkedAt - report.startedAt)),
  };
}
