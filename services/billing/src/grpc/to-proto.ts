import { toIsoTime } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { type Sent, toProtoName, toProtoUsageRecord } from '@tollgate/rpc';
import type { Thresholds } from '../domain/account';
import type { AccountBounds } from '../domain/account-bounds';
import type { AcquiredLease } from '../domain/acquire-lease';
import type { AuditReport } from '../domain/audit-report';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { Plan } from '../domain/plans';
import type { Statement } from '../domain/statements';
import type { Balance } from '../operations/balance';
import type { CodeState } from '../operations/codes';
import type { KeyBudgetState } from '../operations/key-budgets';
import type { ThresholdState } from '../operations/thresholds';
import type { LeaseWatermark } from '../operations/watermarks';

export function toProtoLease(
  acquired: AcquiredLease,
  bounds: AccountBounds,
): billingV1.AcquireLeaseResponse {
  return {
    lease: acquired.leaseNumber,
    remaining: acquired.remaining.toString(),
    ttlMs: bounds.leaseTtlMs,
    marginMs: bounds.leaseMarginMs,
    nextNumber: acquired.nextNumber,
    swept: acquired.swept,
    available: acquired.available.toString(),
    recalled: acquired.recalled,
    spendingSuspended: acquired.suspended,
  };
}

export function toProtoSettlement(settlement: LeaseWatermark): billingV1.Settlement {
  const { accountId, lease, nextNumber, complete, neverGranted = false } = settlement;
  return { accountId, lease, nextNumber, complete, neverGranted };
}

export function toProtoBalance(
  accountId: string,
  balance: Balance,
  currency: string,
): billingV1.GetBalanceResponse {
  const { suspendBelow } = balance;
  return {
    accountId,
    currency,
    balance: balance.balance.toString(),
    reserved: balance.reserved.toString(),
    available: balance.available.toString(),
    totalCredits: balance.totalCredits.toString(),
    totalUsage: balance.totalUsage.toString(),
    updatedAt: balance.updatedAtMs === undefined ? '' : toIsoTime(balance.updatedAtMs),
    ...(suspendBelow === undefined ? {} : { suspendBelow: suspendBelow.toString() }),
    spendingSuspended: balance.spendingSuspended,
  };
}

export function toProtoKeyBudget(state: KeyBudgetState): billingV1.KeyBudgetState {
  return { keyId: state.keyId, spent: state.spent.toString() };
}

export function toProtoPlan(plan: Plan, currency: string): Sent<billingV1.Plan> {
  const { thresholds, changedAtMs, ...rest } = plan;
  return {
    ...rest,
    price: plan.price.toString(),
    currency,
    includedCredit: plan.includedCredit.toString(),
    thresholds: thresholds && toProtoThresholds(thresholds),
    changedAt: toIsoTime(changedAtMs),
  };
}

function toProtoThresholds({ amounts, days }: Thresholds): Sent<billingV1.Thresholds> {
  return { amounts: amounts.map(String), days };
}

export function toProtoThresholdState(state: ThresholdState): Sent<billingV1.ThresholdState> {
  const { suspendBelow, source, dailySpend, suspended } = state;
  return {
    thresholds: toProtoThresholds(state),
    ...(suspendBelow === undefined ? {} : { suspendBelow: suspendBelow.toString() }),
    source,
    dailySpend: dailySpend.toString(),
    suspended,
  };
}

export function toProtoLedgerEntry(entry: LedgerEntry): billingV1.LedgerEntry {
  const { accountId, kind } = entry;
  const amount = entry.amount.toString();
  const base = { accountId, kind, amount, seq: entry.seq.toString(), at: toIsoTime(entry.atMs) };
  if (entry.kind !== 'charge') {
    const { actorId = '', creditId, note } = entry;
    return { ...base, creditId, note, actorId };
  }
  return {
    ...base,
    record: toProtoUsageRecord(entry.record),
    absorbed: entry.absorbed.toString(),
    overrun: entry.overrun.toString(),
    settledReason: entry.settledReason,
  };
}

export function toProtoStatement(statement: Statement, currency: string): billingV1.Statement {
  const { month, opening, credits, adjustments, charges, closing, lines } = statement;
  return {
    month,
    currency,
    opening: opening.toString(),
    credits: credits.toString(),
    adjustments: adjustments.toString(),
    charges: charges.toString(),
    closing: closing.toString(),
    requests: lines.reduce((sum, line) => sum + line.requests, 0),
    lines: lines.map(({ model, keyId, requests, amount, ...tokens }) => ({
      model,
      keyId,
      requests,
      amount: amount.toString(),
      promptTokens: tokens.promptTokens.toString(),
      completionTokens: tokens.completionTokens.toString(),
    })),
  };
}

export function toProtoCode({ code, status, claim }: CodeState): billingV1.Code {
  const { id, batchId, preview, note, expiresAtMs } = code;
  return {
    id,
    batchId,
    preview,
    note,
    amount: code.amount.toString(),
    status: toProtoName('CODE_STATUS', status),
    accountId: claim?.accountId ?? '',
    endedAt: claim === undefined ? '' : toIsoTime(claim.claimedAtMs),
    expiresAt: expiresAtMs === undefined ? '' : toIsoTime(expiresAtMs),
    createdAt: toIsoTime(code.createdAtMs),
    createdBy: code.createdBy ?? '',
    endedBy: claim?.actorId ?? '',
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
    checkedAt: toIsoTime(report.checkedAtMs),
    partial: !report.complete,
    nextCursor: report.checkedUpTo ?? '',
    durationMs: Math.max(0, Math.round(report.checkedAtMs - report.startedAtMs)),
  };
}
