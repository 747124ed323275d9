import type {
  Account,
  AccountStore,
  Claim,
  ClaimStore,
  LedgerEntry,
  LedgerStore,
  OutboxBatch,
  OutboxStore,
} from '@tollgate/billing/model-api';
import {
  createInMemoryAccountStore,
  createInMemoryClaimStore,
  createInMemoryLedgerStore,
  createInMemoryOutboxStore,
  unreadableClaim,
} from '@tollgate/billing/model-api';
import { type CallFaults, type Process, unreachable } from './process';
import type { Scheduler } from './scheduler';

type LedgerMap = Map<string, Map<number, LedgerEntry>>;

/** The store as one process reaches it. */
export interface StorePorts {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
}

/** Hears what has become durable on a majority. */
export interface MajorityListener {
  account(before: Account | undefined, after: Account): void;
}

/**
 * A store of several servers. A write changes the primary at once and is acknowledged when it has
 * reached a majority; reads see the majority's state. A failover forgets what had not reached it.
 */
export interface ReplicaSet {
  /** The store as a process sees it: each command travels. */
  portsFor(process: Process, faults: CallFaults): StorePorts;
  /** The primary is replaced: writes without a majority are gone, and their writers see errors. */
  failOver(): void;
  /** Accounts as a majority has them. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly ledger: ReadonlyMap<string, ReadonlyMap<number, LedgerEntry>>;
  readonly outbox: ReadonlyMap<string, OutboxBatch>;
  readonly claims: ReadonlyMap<string, Claim>;
  /** Ids of claims whose credit may not be given yet. */
  readonly openClaims: ReadonlySet<string>;
}

interface PendingWrite {
  readonly apply: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** For how long after a failover a server of before may still answer reads, milliseconds. */
const STALE_READS_MS = 400;
const STALE_READ_CHANCE = 0.5;

function entryCopy(from: LedgerMap): LedgerMap {
  return new Map([...from].map(([accountId, entries]) => [accountId, new Map(entries)]));
}

/** Writes that wait for a majority, in their order. */
function createReplication(scheduler: Scheduler) {
  const pending: PendingWrite[] = [];
  const replicateNext = () => {
    const write = pending.shift();
    if (write === undefined) return;
    write.apply();
    write.resolve();
  };
  return {
    replicate(apply: () => void): Promise<void> {
      if (scheduler.isCalm && pending.length === 0) {
        apply();
        return Promise.resolve();
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      pending.push({ apply, resolve, reject });
      scheduler.add(undefined, replicateNext);
      return promise;
    },
    rollBack() {
      for (const { reject } of pending.splice(0)) reject(unreachable());
    },
  };
}

type Replication = ReturnType<typeof createReplication>;

/** The account commands over a primary and what a majority has. */
function createAccountSide(replication: Replication, listener: MajorityListener) {
  const primary = new Map<string, Account>();
  const majority = new Map<string, Account>();
  const writer = createInMemoryAccountStore(primary);
  const write = async (account: Account, done: Promise<boolean>): Promise<boolean> => {
    if (primary.get(account.id) === account) {
      await replication.replicate(() => {
        const before = majority.get(account.id);
        majority.set(account.id, account);
        listener.account(before, account);
      });
    }
    return done;
  };
  return {
    primary,
    majority,
    create: (account: Account) => write(account, writer.create(account)),
    replace: (account: Account, expectedRev: number) =>
      write(account, writer.replace(account, expectedRev)),
    rollBack() {
      primary.clear();
      for (const [id, account] of majority) primary.set(id, account);
    },
  };
}

/** The ledger commands over a primary and what a majority has. */
function createLedgerSide(replication: Replication) {
  const primary: LedgerMap = new Map();
  const majority: LedgerMap = new Map();
  const writer = createInMemoryLedgerStore(primary);
  return {
    primary,
    majority,
    async insert(entries: readonly LedgerEntry[]): Promise<void> {
      await writer.insert(entries);
      await replication.replicate(() => {
        for (const entry of entries) {
          const ledger = majority.get(entry.accountId) ?? new Map<number, LedgerEntry>();
          majority.set(entry.accountId, ledger);
          if (!ledger.has(entry.seq)) ledger.set(entry.seq, entry);
        }
      });
    },
    rollBack() {
      primary.clear();
      for (const [id, entries] of entryCopy(majority)) primary.set(id, entries);
    },
  };
}

/** The outbox commands over a primary and what a majority has. */
function createOutboxSide(replication: Replication) {
  const primary = new Map<string, OutboxBatch>();
  const majority = new Map<string, OutboxBatch>();
  const writer = createInMemoryOutboxStore(primary);
  const copy = createInMemoryOutboxStore(majority);
  return {
    primary,
    majority,
    async insert(batches: readonly OutboxBatch[]): Promise<void> {
      await writer.insert(batches);
      await replication.replicate(() => void copy.insert(batches));
    },
    async remove(ids: readonly string[]): Promise<void> {
      await writer.remove(ids);
      await replication.replicate(() => void copy.remove(ids));
    },
    rollBack() {
      primary.clear();
      for (const [id, batch] of majority) primary.set(id, batch);
    },
  };
}

/** The claims over a primary and what a majority has. */
function createClaimSide(replication: Replication) {
  const primary = new Map<string, Claim>();
  const majority = new Map<string, Claim>();
  const open = new Set<string>();
  const copy = createInMemoryClaimStore(majority, open);
  return {
    majority,
    open,
    async keep(claim: Claim): Promise<Claim> {
      if (primary.has(claim.id)) {
        // The place is taken; whether by what will last shows only once a majority has it.
        const kept = majority.get(claim.id);
        if (kept === undefined) throw unreadableClaim(claim.id);
        return kept;
      }
      primary.set(claim.id, claim);
      await replication.replicate(() => void copy.keep(claim));
      return claim;
    },
    close: (id: string) => replication.replicate(() => void open.delete(id)),
    rollBack() {
      primary.clear();
      for (const [id, claim] of majority) primary.set(id, claim);
    },
  };
}

/** A set of servers without a document. */
export function createReplicaSet(scheduler: Scheduler, listener: MajorityListener): ReplicaSet {
  const { random } = scheduler;
  const replication = createReplication(scheduler);
  const accountSide = createAccountSide(replication, listener);
  const ledgerSide = createLedgerSide(replication);
  const outboxSide = createOutboxSide(replication);
  const claimSide = createClaimSide(replication);
  const claimReader = createInMemoryClaimStore(claimSide.majority, claimSide.open);
  const outboxReader = createInMemoryOutboxStore(outboxSide.majority);
  const accountReader = createInMemoryAccountStore(accountSide.majority);
  const ledgerReader = createInMemoryLedgerStore(ledgerSide.majority);
  let staleUntilMs = -1;
  let staleReader = accountReader;

  /** A server that does not know yet that it is no primary answers from what it had. */
  const reader = (): AccountStore =>
    scheduler.elapsedMs < staleUntilMs && !scheduler.isCalm && random.chance(STALE_READ_CHANCE)
      ? staleReader
      : accountReader;

  const arrives =
    ({ lostRequest }: CallFaults) =>
    () =>
      scheduler.isCalm || !random.chance(lostRequest);

  const accountPort = ({ call }: Process, faults: CallFaults): AccountStore => ({
    find: (id) => call(() => reader().find(id), faults),
    findWatermarks: (ids) => call(() => reader().findWatermarks(ids), faults),
    create: (account) => call(() => accountSide.create(account), faults),
    replace: (account, rev) => call(() => accountSide.replace(account, rev), faults),
    listJournals: (until, page) => call(() => reader().listJournals(until, page), faults),
    listExpired: (until, page) => call(() => reader().listExpired(until, page), faults),
    listSwept: (page) => call(() => reader().listSwept(page), faults),
    listHeldBy: (holder, page) => call(() => reader().listHeldBy(holder, page), faults),
    listIds: (page) => call(() => reader().listIds(page), faults),
  });

  const ledgerPort = ({ call }: Process, faults: CallFaults): LedgerStore => ({
    insert: (entries) =>
      call(async () => {
        // An unordered insert that is cut short may have stored any of its documents.
        const stored = entries.filter(arrives(faults));
        await ledgerSide.insert(stored);
        if (stored.length < entries.length) throw unreachable();
      }, faults),
    find: (places) => call(() => ledgerReader.find(places), faults),
    findCharge: (id, requestId) => call(() => ledgerReader.findCharge(id, requestId), faults),
    findGrant: (id, creditId) => call(() => ledgerReader.findGrant(id, creditId), faults),
    listAfter: (id, seq, limit) => call(() => ledgerReader.listAfter(id, seq, limit), faults),
    listBefore: (id, seq, limit) => call(() => ledgerReader.listBefore(id, seq, limit), faults),
    requestIds: (...asked) => ledgerReader.requestIds(...asked),
  });

  const outboxPort = ({ call }: Process, faults: CallFaults): OutboxStore => ({
    insert: (batches) =>
      call(async () => {
        const stored = batches.filter(arrives(faults));
        await outboxSide.insert(stored);
        if (stored.length < batches.length) throw unreachable();
      }, faults),
    list: (page) => call(() => outboxReader.list(page), faults),
    remove: (ids) => call(() => outboxSide.remove(ids), faults),
  });

  const claimPort = ({ call }: Process, faults: CallFaults): ClaimStore => ({
    keep: (claim) => call(() => claimSide.keep(claim), faults),
    find: (ids) => call(() => claimReader.find(ids), faults),
    close: (id) => call(() => claimSide.close(id), faults),
    listOpen: (until, page) => call(() => claimReader.listOpen(until, page), faults),
  });

  return {
    portsFor: (process, faults) => ({
      store: accountPort(process, faults),
      ledger: ledgerPort(process, faults),
      outbox: outboxPort(process, faults),
      claims: claimPort(process, faults),
    }),
    failOver() {
      staleUntilMs = scheduler.elapsedMs + STALE_READS_MS;
      staleReader = createInMemoryAccountStore(new Map(accountSide.majority));
      accountSide.rollBack();
      ledgerSide.rollBack();
      outboxSide.rollBack();
      claimSide.rollBack();
      replication.rollBack();
    },
    accounts: accountSide.majority,
    ledger: ledgerSide.majority,
    outbox: outboxSide.majority,
    claims: claimSide.majority,
    openClaims: claimSide.open,
  };
}
