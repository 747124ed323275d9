import { type AccountRules, accountRules } from '../domain/account-rules';
import type {
  AccountStore,
  ClaimStore,
  LeaseHolders,
  LedgerStore,
  OutboxStore,
  QuarantineStore,
} from '../domain/ports';
import { createAccountWriter } from './account-writer';
import { createGrantCredit, type GrantCredit } from './credits';
import type { AccountParts, BillingHost } from './dependencies';
import { createQuarantine } from './quarantine';
import { createRecallLeases, type RecallLeases } from './recall-leases';
import { createRecentEntries, type RecentEntries } from './recent-entries';
import type { BillingSettings } from './settings';
import { createStoredNumbers, createStoreJournal, type StoreJournal } from './store-journal';

export interface PartDependencies extends BillingHost {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly quarantineStore: QuarantineStore;
  readonly holders: LeaseHolders;
  readonly settings: BillingSettings;
  /** The true rules unless the model check puts others in their place. */
  readonly rules?: AccountRules;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** What the operations of one replica have in common; no RPC, event or job calls it by itself. */
export interface Parts extends AccountParts {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly quarantineStore: QuarantineStore;
  readonly settings: BillingSettings;
  readonly storeJournal: StoreJournal;
  readonly recentEntries: RecentEntries;
  readonly recalls: RecallLeases;
  readonly grantCredit: GrantCredit;
  /** Does not wait for room in a full journal. */
  readonly grantCreditAtOnce: GrantCredit;
}

export function createParts(deps: PartDependencies): Parts {
  const { store, ledger, outbox, claims, clock, logger, metrics, settings } = deps;
  const { bounds, journalWait, quarantineRetryMs: retryMs } = settings;
  const rules = deps.rules ?? accountRules;
  const host: BillingHost = { clock, logger, metrics };
  const quarantine = createQuarantine({ records: deps.quarantineStore, ...host, retryMs });
  const recentEntries = createRecentEntries(ledger);
  const { cachedAccountsMax } = settings.writer;
  const storedNumbers = createStoredNumbers(cachedAccountsMax, recentEntries.forget);
  const storeJournal = createStoreJournal({
    ledger,
    outbox,
    storedNumbers,
    quarantine,
    metrics,
    recentEntries,
  });
  const journalLength = Math.min(settings.writer.journalLength, bounds.journalMax / 2);
  const accounts = createAccountWriter({
    store,
    rules,
    storedNumbers,
    storeJournal,
    clock,
    metrics,
    bounds: { ...settings.writer, journalLength },
    ...(deps.random === undefined ? {} : { random: deps.random }),
  });
  const parts: AccountParts = { store, accounts, rules, bounds, quarantine, ...host };
  const atOnce = { ...journalWait, waitMsMax: 0 };
  return {
    ...parts,
    ledger,
    outbox,
    claims,
    quarantineStore: deps.quarantineStore,
    settings,
    storeJournal,
    recentEntries,
    recalls: createRecallLeases({ ...parts, holders: deps.holders }),
    grantCredit: createGrantCredit({ ...parts, ledger, journalWait }),
    grantCreditAtOnce: createGrantCredit({ ...parts, ledger, journalWait: atOnce }),
  };
}
