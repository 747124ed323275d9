import type { Logger } from '@tollgate/core';
import { type definitionOf, fromProtoText, type Handlers, type PeerPolicy } from '@tollgate/rpc';
import type { AccountBounds } from '../domain/account-bounds';
import type { Operations } from '../operations/operations';
import {
  fromProtoAcquire,
  fromProtoAddCredits,
  fromProtoAdjustBalance,
  fromProtoAnnouncement,
  fromProtoAudit,
  fromProtoBudget,
  fromProtoChargeSearch,
  fromProtoCreateCodes,
  fromProtoId,
  fromProtoLedgerLimit,
  fromProtoLedgerRange,
  fromProtoLedgerSearch,
  fromProtoPutPlan,
  fromProtoReceivedRecord,
  fromProtoSetThresholds,
  fromProtoTopUp,
} from './from-proto';
import {
  toProtoAudit,
  toProtoBalance,
  toProtoCode,
  toProtoKeyBudget,
  toProtoLease,
  toProtoLedgerEntry,
  toProtoPlan,
  toProtoSettlement,
  toProtoStatement,
  toProtoThresholdState,
} from './to-proto';

type BillingShape = ReturnType<typeof definitionOf<'billing'>>;
type BillingHandlers = Handlers<BillingShape>;

/**
 * Who may call what. Holders of leases acquire, settle and keep answers; the gateway shows and
 * changes; identity gives the first credit, and stats reads the ledger.
 */
export const billingPolicy: PeerPolicy<BillingShape> = {
  acquireLease: ['completion'],
  settleUsage: ['completion'],
  getSettlements: ['completion'],
  retireLeases: ['completion'],
  getBalance: ['gateway'],
  getThresholds: ['gateway'],
  setThresholds: ['gateway'],
  getKeyBudgets: ['gateway'],
  listPlans: ['gateway'],
  getPlan: ['gateway'],
  putPlan: ['gateway'],
  addCredits: ['gateway', 'identity'],
  adjustBalance: ['gateway'],
  listLedger: ['gateway', 'stats'],
  searchLedger: ['gateway'],
  searchCharges: ['gateway'],
  getReceipt: ['gateway'],
  topUp: ['gateway'],
  createCodes: ['gateway'],
  listCodes: ['gateway'],
  getCode: ['gateway'],
  revokeCodes: ['gateway'],
  redeemCode: ['gateway'],
  audit: ['gateway'],
  beginAnswer: ['gateway'],
  keepAnswer: ['completion'],
  dropAnswer: ['gateway', 'completion'],
  getAnswer: ['gateway'],
  listStatements: ['gateway'],
  getStatement: ['gateway'],
};

export interface BillingHandlersOptions {
  readonly operations: Operations;
  readonly bounds: AccountBounds;
  readonly currency: string;
  readonly logger: Logger;
}

function createLeaseHandlers(options: BillingHandlersOptions) {
  const { operations, bounds, logger } = options;
  return {
    async acquireLease(request, call) {
      const accountId = fromProtoId(request.accountId, 'account_id');
      const command = fromProtoAcquire(request);
      const acquired = await operations.acquireLease(accountId, command, call.deadlineMs);
      return toProtoLease(acquired, bounds);
    },
    async settleUsage({ records }) {
      const received = records
        .map(fromProtoReceivedRecord)
        .filter((record) => record !== undefined);
      const unplaced = records.length - received.length;
      if (unplaced > 0) logger.error({ unplaced }, 'usage records name no place in any lease');
      const { watermarks } = await operations.settleUsage(received);
      return { settlements: watermarks.map(toProtoSettlement) };
    },
    async getSettlements({ leases }) {
      const watermarks = await operations.readWatermarks(leases);
      return { settlements: watermarks.map(toProtoSettlement) };
    },
    async retireLeases({ holder }) {
      return { retired: await operations.retireLeases(fromProtoId(holder, 'holder')) };
    },
  } satisfies Partial<BillingHandlers>;
}

function createSearchHandlers({ operations }: BillingHandlersOptions) {
  const { getReceipt, search } = operations;
  return {
    async searchLedger(request, call) {
      const page = await search.ledger(fromProtoLedgerSearch(request), call);
      const { entries, nextBeforeSeq = 0 } = page;
      return {
        entries: entries.map(toProtoLedgerEntry),
        nextBeforeSeq: nextBeforeSeq.toString(),
      };
    },
    async searchCharges(request, call) {
      const page = await search.charges(fromProtoChargeSearch(request), call);
      const { charges, nextBeforeRequestId = '' } = page;
      return { entries: charges.map(toProtoLedgerEntry), nextBeforeRequestId };
    },
    async getReceipt({ accountId, requestId }, call) {
      const id = accountId === '' ? undefined : fromProtoId(accountId, 'account_id');
      const entry = await (id === undefined
        ? search.receipt(requestId, call)
        : getReceipt(id, requestId));
      return { entry: toProtoLedgerEntry(entry) };
    },
  } satisfies Partial<BillingHandlers>;
}

function createPlanHandlers({ operations: { plans }, currency }: BillingHandlersOptions) {
  return {
    async listPlans() {
      const all = await plans.list();
      return { plans: all.map((plan) => toProtoPlan(plan, currency)), currency };
    },
    async getPlan({ id }) {
      const [newest, ...older] = await plans.versions(id);
      const versions = older.map((plan) => toProtoPlan(plan, currency));
      return { plan: toProtoPlan(newest, currency), versions };
    },
    async putPlan(request) {
      const { plan, replayed } = await plans.put(fromProtoPutPlan(request));
      return { plan: toProtoPlan(plan, currency), replayed };
    },
  } satisfies Partial<BillingHandlers>;
}

function createTopUpAndCodeHandlers({ operations: { topUp, codes } }: BillingHandlersOptions) {
  return {
    async topUp(request) {
      const { entry, replayed } = await topUp(fromProtoTopUp(request));
      return { entry: toProtoLedgerEntry(entry), replayed };
    },
    async createCodes(request) {
      const made = await codes.create(fromProtoCreateCodes(request));
      const { batchId, texts, replayed } = made;
      return { batchId, codes: made.codes.map(toProtoCode), texts, replayed };
    },
    async listCodes({ batchId, preview, limit, cursor }) {
      const filter = { batchId: fromProtoText(batchId), preview: fromProtoText(preview) };
      const page = await codes.list(filter, { limit, cursor });
      return { codes: page.items.map(toProtoCode), nextCursor: page.nextCursor };
    },
    async getCode({ id }) {
      return { code: toProtoCode(await codes.get(id)) };
    },
    async revokeCodes({ id, actorId }) {
      return { revoked: await codes.revoke(id, fromProtoText(actorId)) };
    },
    async redeemCode({ text, ...request }) {
      const accountId = fromProtoId(request.accountId, 'account_id');
      const actorId = fromProtoText(request.actorId);
      const { entry, replayed } = await codes.redeem(accountId, text, actorId);
      return { entry: toProtoLedgerEntry(entry), replayed };
    },
  } satisfies Partial<BillingHandlers>;
}

function createAnswerHandlers({ operations: { answers } }: BillingHandlersOptions) {
  return {
    async beginAnswer(request) {
      const outcome = await answers.announce(fromProtoAnnouncement(request));
      if (outcome.kind === 'announced') return {};
      const { requestId, answer } = outcome;
      return { requestId, answer };
    },
    async keepAnswer({ accountId, requestId, answer }) {
      const id = fromProtoId(accountId, 'account_id');
      await answers.keep(id, requestId, answer.length === 0 ? undefined : answer);
      return {};
    },
    async dropAnswer({ accountId, requestId }) {
      await answers.drop(fromProtoId(accountId, 'account_id'), requestId);
      return {};
    },
    async getAnswer({ accountId, keyId, requestId }) {
      const id = fromProtoId(accountId, 'account_id');
      const { form, answer } = await answers.get(id, keyId, requestId);
      return { writing: form, answer };
    },
  } satisfies Partial<BillingHandlers>;
}

function createStatementHandlers({ operations: { statements }, currency }: BillingHandlersOptions) {
  return {
    async listStatements({ accountId }) {
      const months = await statements.list(fromProtoId(accountId, 'account_id'));
      const toSummary = (month: (typeof months)[number]) => ({
        ...toProtoStatement(month, currency),
        lines: [],
      });
      return { statements: months.map(toSummary) };
    },
    async getStatement({ accountId, month }) {
      const statement = await statements.get(fromProtoId(accountId, 'account_id'), month);
      return { statement: toProtoStatement(statement, currency) };
    },
  } satisfies Partial<BillingHandlers>;
}

function createThresholdHandlers({ operations: { thresholds } }: BillingHandlersOptions) {
  return {
    async getThresholds({ accountId }) {
      const state = await thresholds.get(fromProtoId(accountId, 'account_id'));
      return { state: toProtoThresholdState(state) };
    },
    async setThresholds(request) {
      const accountId = fromProtoId(request.accountId, 'account_id');
      const state = await thresholds.set(accountId, fromProtoSetThresholds(request));
      return { state: toProtoThresholdState(state) };
    },
  } satisfies Partial<BillingHandlers>;
}

/** Translate, call one operation, translate back. */
export function createBillingHandlers(options: BillingHandlersOptions): BillingHandlers {
  const { operations, currency } = options;
  return {
    ...createLeaseHandlers(options),
    async getBalance(request) {
      const accountId = fromProtoId(request.accountId, 'account_id');
      return toProtoBalance(accountId, await operations.getBalance(accountId), currency);
    },
    async getKeyBudgets({ accountId, keyIds, carried }) {
      const id = fromProtoId(accountId, 'account_id');
      const carriedByKey = new Map(
        carried.map((budget) => [budget.keyId, fromProtoBudget(budget)]),
      );
      const { budgets, charged } = await operations.getKeyBudgets(id, keyIds, carriedByKey);
      const spends = [...charged].map(([keyId, nanos]) => ({ keyId, spent: nanos.toString() }));
      return { budgets: budgets.map(toProtoKeyBudget), spends };
    },
    ...createThresholdHandlers(options),
    ...createPlanHandlers(options),
    async addCredits(request) {
      const { entry, replayed } = await operations.addCredits(fromProtoAddCredits(request));
      return { entry: toProtoLedgerEntry(entry), replayed };
    },
    async adjustBalance(request) {
      const { entry, replayed } = await operations.adjustBalance(fromProtoAdjustBalance(request));
      return { entry: toProtoLedgerEntry(entry), replayed };
    },
    async listLedger(request) {
      const accountId = fromProtoId(request.accountId, 'account_id');
      const limit = fromProtoLedgerLimit(request.limit);
      const range = fromProtoLedgerRange(request);
      const { entries, lastSeq } = await operations.listLedger(accountId, range, limit);
      return { entries: entries.map(toProtoLedgerEntry), lastSeq: lastSeq.toString() };
    },
    ...createSearchHandlers(options),
    ...createTopUpAndCodeHandlers(options),
    ...createAnswerHandlers(options),
    ...createStatementHandlers(options),
    async audit(request, call) {
      const { audits } = operations;
      const { fresh, ...accounts } = fromProtoAudit(request);
      if (request.keptOnly) return toProtoAudit(await audits.kept());
      return toProtoAudit(await (fresh ? audits.fresh(accounts, call) : audits.latest(call)));
    },
  };
}
