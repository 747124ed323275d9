import type { Sealer } from '@tollgate/core';
import type {
  AnswerStore,
  AuditMarkStore,
  AuditResultStore,
  CodeStore,
  DeadLetters,
  ErasureStore,
  EventPublisher,
  PlanStore,
  StatementStore,
} from '../domain/ports';
import { createAcquireLease } from './acquire-lease';
import { type AnswerOperations, createAnswerOperations } from './answers';
import { createAudit } from './audit';
import { type AuditRuns, createAuditRuns } from './audit-runs';
import { createGetBalance } from './balance';
import { createCreditClaim, createFinishClaims } from './claims';
import { type CodeOperations, createCodeOperations } from './codes';
import { createAddCredits, createAdjustBalance, createRequireCreditRoom } from './credits';
import type { IdempotentRunner } from './dependencies';
import { createErasureOperations, type ErasureOperations } from './erasure';
import { createJournalUpkeep } from './journal-upkeep';
import { createForgetKey, createGetKeyBudgets } from './key-budgets';
import { createGetReceipt, createListLedger, type ListLedgerOperation } from './ledger';
import type { Parts } from './parts';
import { createPlanOperations, type PlanOperations } from './plans';
import { createPublishOutbox } from './publish-outbox';
import type { Quarantine } from './quarantine';
import { createRemindHolders } from './remind-holders';
import { createRetireLeases } from './retire-leases';
import {
  createLedgerSearches,
  type LedgerSearches,
  type SearchDependencies,
} from './search-ledger';
import { createSettleUsage } from './settlement';
import { withSettlementReports } from './settlement-reports';
import { createStatementOperations, type StatementOperations } from './statements';
import { createLeaseSweeper } from './sweep-leases';
import { createThresholdOperations } from './thresholds';
import { createTopUp, type TopUpOperation } from './top-ups';
import { createReadWatermarks } from './watermarks';

/** The operations on an account's money: over ports alone, as the model check drives them too. */
export type MoneyOperations = ReturnType<typeof createMoneyOperations>;

export function createMoneyOperations(parts: Parts, publisher: EventPublisher, currency: string) {
  const { settings, grantCredit, grantCreditAtOnce } = parts;
  const { journalWait, recallWait, leases } = settings;
  return {
    // Asked for by a call or an event.
    acquireLease: createAcquireLease({ ...parts, recallWait, currency }),
    retireLeases: createRetireLeases(parts),
    settleUsage: createSettleUsage({
      ...parts,
      journalWait,
      concurrencyMax: settings.settleConcurrencyMax,
    }),
    readWatermarks: createReadWatermarks(parts),
    getBalance: createGetBalance(parts),
    getKeyBudgets: createGetKeyBudgets(parts),
    forgetKey: createForgetKey(parts),
    addCredits: createAddCredits(grantCredit),
    creditClaim: createCreditClaim(parts),
    adjustBalance: createAdjustBalance({ ...parts, journalWait, recallWait }),
    thresholds: createThresholdOperations({ ...parts, journalWait }),
    listLedger: createListLedger(parts),
    getReceipt: createGetReceipt(parts),
    audit: createAudit({
      ...parts,
      wholeEntriesMax: settings.auditedEntriesMax,
    }),

    // Done by jobs; `src/jobs/jobs.ts` says when.
    journals: createJournalUpkeep({ ...parts, times: settings.journals }),
    publishOutbox: createPublishOutbox({
      ...parts,
      publisher,
      quarantineRetryMs: settings.quarantineRetryMs,
    }),
    sweeper: createLeaseSweeper(parts),
    remindHolders: createRemindHolders({
      ...parts,
      holderCallIntervalMs: leases.holderCallIntervalMs,
    }),
    finishClaims: createFinishClaims({ ...parts, grantCredit: grantCreditAtOnce }),
  };
}

/** Every operation of billing. */
export interface Operations extends MoneyOperations {
  readonly topUp: TopUpOperation;
  readonly codes: CodeOperations;
  readonly plans: PlanOperations;
  readonly answers: AnswerOperations;
  readonly statements: StatementOperations;
  readonly search: LedgerSearches;
  readonly audits: AuditRuns;
  readonly erasure: ErasureOperations;
  readonly countQuarantine: Quarantine['count'];
}

export interface OperationDependencies {
  readonly parts: Parts;
  readonly publisher: EventPublisher;
  readonly deadLetters: DeadLetters;
  readonly codes: CodeStore;
  readonly plans: PlanStore;
  readonly answers: AnswerStore;
  readonly statements: StatementStore;
  readonly auditResults: AuditResultStore;
  readonly auditMarks: AuditMarkStore;
  readonly erasures: ErasureStore;
  readonly search: SearchDependencies;
  /** What statements are summed up from. */
  readonly listForStatements: ListLedgerOperation;
  readonly runIdempotently: IdempotentRunner;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sealer: Sealer;
  readonly currency: string;
  /** Of the kept answers of an account, sealed. */
  readonly answerBytesMax: number;
  readonly auditIntervalMs: number;
}

/** Makes all operations of one replica. */
export function createOperations(deps: OperationDependencies): Operations {
  const { parts, codes, plans, answers, sealer, runIdempotently, randomBytes } = deps;
  const money = createMoneyOperations(parts, deps.publisher, deps.currency);
  const { creditClaim, thresholds } = money;
  const { claims, clock, logger } = parts;
  return {
    ...money,
    settleUsage: withSettlementReports(money.settleUsage, {
      logger,
      deadLetters: deps.deadLetters,
    }),
    topUp: createTopUp({ creditClaim, clock, currency: deps.currency }),
    codes: createCodeOperations({
      codes,
      claims,
      creditClaim,
      requireCreditRoom: createRequireCreditRoom(parts),
      clock,
      logger,
      randomBytes,
      runIdempotently,
    }),
    plans: createPlanOperations({ plans, clock, runIdempotently }),
    answers: createAnswerOperations({
      answers,
      sealer,
      clock,
      findCharge: money.getReceipt,
      accountBytesMax: deps.answerBytesMax,
    }),
    statements: createStatementOperations({
      statements: deps.statements,
      listLedger: deps.listForStatements,
    }),
    search: createLedgerSearches(deps.search),
    audits: createAuditRuns({
      ...parts,
      audit: money.audit,
      results: deps.auditResults,
      marks: deps.auditMarks,
      intervalMs: deps.auditIntervalMs,
    }),
    erasure: createErasureOperations({
      ...parts,
      erasures: deps.erasures,
      thresholds,
      forgetKey: money.forgetKey,
    }),
    countQuarantine: parts.quarantine.count,
  };
}
