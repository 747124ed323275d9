import type { Nano } from '@tollgate/core';
import { type Account, emptyAccount, type OwnThresholds, type Thresholds } from '../domain/account';
import type { AccountBounds } from '../domain/account-bounds';
import type { PlanStore } from '../domain/ports';
import {
  checkThresholds,
  dailySpendOf,
  isSpendingSuspended,
  type ThresholdSource,
  thresholdsOf,
} from '../domain/thresholds';
import type { AccountParts } from './dependencies';
import { createJournalFull, type JournalWait, retryForRoom } from './journal-room';

/** The thresholds that hold for an account, and where it stands. */
export interface ThresholdState extends OwnThresholds {
  readonly source: ThresholdSource;
  /** What it spends in a day at present. */
  readonly dailySpend: Nano;
  readonly suspended: boolean;
}

export interface ThresholdOperations {
  get(accountId: string): Promise<ThresholdState>;
  /** Undefined gives the account those of its plan again. */
  set(accountId: string, thresholds: OwnThresholds | undefined): Promise<ThresholdState>;
  /** Harmless when it comes again, or late. */
  rememberPlan(accountId: string, plan: string, changedAtMs: number): Promise<void>;
}

interface Dependencies extends AccountParts {
  readonly journalWait: JournalWait;
}

export function createThresholdOperations(deps: Dependencies): ThresholdOperations {
  const { accounts, store, rules, bounds, clock, journalWait } = deps;
  const { waitMsMax, pollMs } = journalWait;
  const stateOf = (account: Account): ThresholdState => ({
    ...thresholdsOf(account, bounds),
    suspendBelow: account.thresholds?.suspendBelow,
    dailySpend: dailySpendOf(account, clock.now()),
    suspended: isSpendingSuspended(account),
  });
  return {
    get: async (accountId) => stateOf((await store.find(accountId)) ?? emptyAccount(accountId)),
    async set(accountId, given) {
      const thresholds = given && { ...given, ...checkThresholds(given) };
      const { account, outcome } = await retryForRoom(
        { clock, pollMs },
        () =>
          accounts.run(accountId, {
            apply: (present) => rules.setThresholds(present, thresholds, clock.now(), bounds),
          }),
        (result) => (result.outcome.kind === 'set' ? 0 : waitMsMax),
      );
      if (outcome.kind !== 'set') throw createJournalFull(accountId, pollMs);
      return stateOf(account);
    },
    async rememberPlan(accountId, plan, changedAtMs) {
      await accounts.run(accountId, {
        apply: (account) => rules.rememberPlan(account, plan, changedAtMs),
      });
    },
  };
}

/** What plans say about thresholds, as read last: a charge does not wait for the store. */
export interface PlanThresholds {
  readonly of: AccountBounds['thresholdsOfPlan'];
  refresh(): Promise<void>;
}

export function createPlanThresholds(plans: Pick<PlanStore, 'list'>): PlanThresholds {
  let known: ReadonlyMap<string, Thresholds | undefined> = new Map();
  return {
    of: (plan) => known.get(plan),
    async refresh() {
      known = new Map((await plans.list()).map(({ id, thresholds }) => [id, thresholds]));
    },
  };
}
