import { type Clock, type Logger, silentLogger } from '@tollgate/core';
import { type RepeatedWork, repeatAll } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import { checkAccount } from '../domain/audit-checks';
import type { Claim } from '../domain/claims';
import type { OutboxBatch } from '../domain/journal';
import type { LedgerEntry } from '../domain/ledger-entry';
import type {
  AccountStore,
  BillingEvent,
  ClaimStore,
  EventPublisher,
  LeaseHolders,
  LedgerStore,
  OutboxStore,
  QuarantineRecord,
  QuarantineStore,
} from '../domain/ports';
import { createMoneyJobs, type MoneyJobs } from '../jobs/jobs';
import { createMoneyOperations, type MoneyOperations } from '../operations/operations';
import { createParts, type Parts } from '../operations/parts';
import { type BillingSettings, DEFAULT_SETTINGS } from '../operations/settings';
import { ACCOUNT_ID, acquireCommand, createUnreadMetrics, n, usageRecord } from './fixtures';
import {
  createInMemoryAccountStore,
  createInMemoryClaimStore,
  createInMemoryLedgerStore,
  createInMemoryOutboxStore,
  createInMemoryQuarantineStore,
} from './in-memory-stores';

/** A recall as a holder hears it. */
export type RecallRequest = Parameters<LeaseHolders['recall']>[0];

/** Stores in memory with everything that left billing, and instances that work on them. */
export interface BillingFixture {
  readonly documents: Map<string, Account>;
  readonly ledgerEntries: Map<string, Map<number, LedgerEntry>>;
  readonly outboxBatches: Map<string, OutboxBatch>;
  readonly quarantined: Map<string, QuarantineRecord>;
  readonly keptClaims: Map<string, Claim>;
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  /** Events in the order in which they were published. */
  readonly events: BillingEvent[];
  /** What holders answer to a recall; may be replaced. */
  onRecall: LeaseHolders['recall'];
  /** Another instance of billing on the same stores; it does what every replica does. */
  createInstance(changes?: Partial<InstanceDependencies>): Instance;
  /** Stops every instance. */
  stop(): Promise<void>;
  /** The account; throws when it does not exist or breaks a rule. */
  account(id?: string): Account;
}

/** An instance of billing with its jobs. */
export interface Instance extends Parts, MoneyOperations, MoneyJobs {
  /** Leads with these jobs until the returned function is called. */
  lead(jobs: readonly RepeatedWork[], leading?: AbortController): () => Promise<void>;
  stop(): Promise<void>;
}

/** What a test may put in the place of an instance's parts. */
export interface InstanceDependencies {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly publisher: EventPublisher;
  readonly settings: BillingSettings;
  /** The clock of the instance's own machine. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** As the product, but journals are stored a tenth as late: tests wait for that. */
export const TEST_SETTINGS: BillingSettings = {
  ...DEFAULT_SETTINGS,
  journals: { ...DEFAULT_SETTINGS.journals, delayMs: DEFAULT_SETTINGS.journals.delayMs / 10 },
};

/** Empty stores over the clock. */
export function createBillingFixture(clock: Clock): BillingFixture {
  const documents = new Map<string, Account>();
  const ledgerEntries = new Map<string, Map<number, LedgerEntry>>();
  const outboxBatches = new Map<string, OutboxBatch>();
  const quarantined = new Map<string, QuarantineRecord>();
  const keptClaims = new Map<string, Claim>();
  const claims = createInMemoryClaimStore(keptClaims);
  const store = createInMemoryAccountStore(documents);
  const ledger = createInMemoryLedgerStore(ledgerEntries);
  const outbox = createInMemoryOutboxStore(outboxBatches);
  const quarantineStore = createInMemoryQuarantineStore(quarantined);
  const events: BillingEvent[] = [];
  const publisher: EventPublisher = {
    async publish(published) {
      events.push(...published);
    },
  };
  const instances: Instance[] = [];
  const fixture: BillingFixture = {
    documents,
    ledgerEntries,
    outboxBatches,
    quarantined,
    store,
    ledger,
    outbox,
    events,
    keptClaims,
    claims,
    onRecall: () => Promise.resolve('busy'),
    createInstance(changes = {}) {
      const instance = startInstance({
        store,
        ledger,
        outbox,
        claims,
        quarantineStore,
        publisher,
        settings: TEST_SETTINGS,
        clock,
        logger: silentLogger,
        ...changes,
        holders: { recall: (request, signal) => fixture.onRecall(request, signal) },
      });
      instances.push(instance);
      return instance;
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
    },
    account(id = ACCOUNT_ID) {
      const account = documents.get(id);
      if (account === undefined) throw new Error(`${id} does not exist`);
      const findings = checkAccount(account);
      if (findings.length > 0) throw new Error(JSON.stringify(findings, bigintsAsText));
      return account;
    },
  };
  return fixture;
}

function startInstance(
  deps: InstanceDependencies & {
    readonly quarantineStore: QuarantineStore;
    readonly holders: LeaseHolders;
  },
): Instance {
  const host = { clock: deps.clock, logger: deps.logger, metrics: createUnreadMetrics() };
  const parts = createParts({ ...deps, ...host, random: () => 0.5 });
  const operations = createMoneyOperations(parts, deps.publisher, 'USD');
  const moneyJobs = createMoneyJobs(operations, deps.settings, deps.clock);
  const stopping = new AbortController();
  const replica = repeatAll(moneyJobs.replicaJobs, host, stopping.signal);
  return {
    ...parts,
    ...operations,
    ...moneyJobs,
    lead(jobs, leading = new AbortController()) {
      const running = repeatAll(jobs, host, leading.signal);
      return async () => {
        leading.abort();
        await running;
      };
    },
    async stop() {
      stopping.abort();
      await replica;
      await operations.journals.close();
    },
  };
}

function bigintsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Gives the account credit through the operation. */
export async function credit(
  operations: Pick<MoneyOperations, 'addCredits'>,
  amount: number,
  accountId = ACCOUNT_ID,
): Promise<void> {
  const idempotencyKey = `first-${amount}`;
  await operations.addCredits({ accountId, amount: n(amount), note: '', idempotencyKey });
}

/** An instance to which one account, `acc_0`, makes no sense; it has a lease of `HOLDER`. */
export async function createInstanceBesideDamage(fixture: BillingFixture): Promise<Instance> {
  const healthy = fixture.createInstance();
  await credit(healthy, 1_000, 'acc_0');
  await healthy.acquireLease('acc_0', acquireCommand(), 5_000);
  const find: typeof fixture.store.find = (accountId) =>
    accountId === 'acc_0'
      ? Promise.reject(new TypeError('no such member'))
      : fixture.store.find(accountId);
  return fixture.createInstance({ store: { ...fixture.store, find } });
}

/** A lease with five charges of ten, of which the ledger has the first two. */
export async function useAccount(billing: Instance, fixture: BillingFixture): Promise<void> {
  await credit(billing, 1_000);
  await billing.acquireLease(ACCOUNT_ID, acquireCommand({ amount: n(500) }), 1_000);
  await billing.settleUsage([usageRecord(), usageRecord({ number: 2 })]);
  await billing.storeJournal([fixture.account()]);
  await billing.settleUsage([3, 4, 5].map((number) => usageRecord({ number })));
}

/** The store with the most calls of one name that were under way together. */
export function watchConcurrency<Store extends object>(
  store: Store,
  watched: keyof Store,
): { readonly store: Store; readonly atOnce: { most: number } } {
  const atOnce = { most: 0 };
  let running = 0;
  const member = store[watched] as (...all: unknown[]) => Promise<unknown>;
  const call = async (...parameters: unknown[]) => {
    running += 1;
    atOnce.most = Math.max(atOnce.most, running);
    // Other calls of the test that are about to come do so in this tick of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return member.apply(store, parameters);
  };
  return { store: { ...store, [watched]: call }, atOnce };
}

/** The store with every call counted by its name. */
export function countCalls<Store extends object>(
  store: Store,
): { readonly store: Store; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const counted = new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
        return (member as (...all: unknown[]) => unknown).apply(target, parameters);
      };
    },
  });
  return { store: counted, counts };
}
