import {
  type Account,
  type AccountStore,
  type Claim,
  type ClaimStore,
  createAccountStore,
  createClaimStore,
  createLedgerStore,
  createOutboxStore,
  type LedgerEntry,
  type LedgerStore,
  type OutboxBatch,
  type OutboxStore,
} from '@tollgate/billing/model-api';
import type { MongoStore } from '@tollgate/mongo';
import { type CallFaults, unreachable } from './process';
import type { MajorityListener, ReplicaSet } from './replica-set';
import type { Scheduler } from './scheduler';

/** Removes what an earlier schedule left. */
export async function emptyStore({ connection }: MongoStore): Promise<void> {
  for (const name of ['billing_accounts', 'billing_ledger', 'billing_outbox', 'billing_claims']) {
    await connection.collection(name).deleteMany({});
  }
}

/** Sends a command to the server, and answers what comes back. */
type Ask = <Answer>(command: () => Promise<Answer>) => Promise<Answer>;

/** Runs commands one after another, so that the order of their answers is that of their effects. */
function createQueue(scheduler: Scheduler) {
  let last: Promise<unknown> = Promise.resolve();
  return <Answer>(command: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(command, command);
    last = answer.catch(() => {});
    scheduler.hold(answer);
    return answer;
  };
}

/**
 * The product's own stores over a real server. It has one copy, so nothing is rolled back; what is
 * read back here is what was acknowledged.
 */
export function createEmbeddedReplicas(
  mongo: MongoStore,
): (scheduler: Scheduler, listener: MajorityListener) => ReplicaSet {
  return (scheduler, listener) => {
    const { random } = scheduler;
    const accounts = new Map<string, Account>();
    const entries = new Map<string, Map<number, LedgerEntry>>();
    const store = createAccountStore(mongo);
    const ledger = createLedgerStore(mongo);
    const outbox = createOutboxStore(mongo);
    const batches = new Map<string, OutboxBatch>();
    const claims = createClaimStore(mongo);
    const kept = new Map<string, Claim>();
    const open = new Set<string>();
    const queue = createQueue(scheduler);

    const write = async (account: Account, command: () => Promise<boolean>): Promise<boolean> => {
      const done = await command();
      if (!done) return false;
      const before = accounts.get(account.id);
      accounts.set(account.id, account);
      listener.account(before, account);
      return true;
    };
    const insert = async (added: readonly LedgerEntry[]): Promise<void> => {
      await ledger.insert(added);
      for (const entry of added) {
        const ofAccount = entries.get(entry.accountId) ?? new Map<number, LedgerEntry>();
        entries.set(entry.accountId, ofAccount.set(entry.seq, entry));
      }
    };

    const accountPort = (ask: Ask): AccountStore => ({
      find: (id) => ask(() => store.find(id)),
      findWatermarks: (ids) => ask(() => store.findWatermarks(ids)),
      create: (account) => ask(() => write(account, () => store.create(account))),
      replace: (account, rev) => ask(() => write(account, () => store.replace(account, rev))),
      listJournals: (until, page) => ask(() => store.listJournals(until, page)),
      listExpired: (until, page) => ask(() => store.listExpired(until, page)),
      listSwept: (page) => ask(() => store.listSwept(page)),
      listHeldBy: (holder, page) => ask(() => store.listHeldBy(holder, page)),
      listIds: (page) => ask(() => store.listIds(page)),
    });

    const ledgerPort = (ask: Ask, { lostRequest }: CallFaults): LedgerStore => ({
      insert: (added) => {
        const arrives = () => scheduler.isCalm || !random.chance(lostRequest);
        const stored = added.filter(arrives);
        return ask(async () => {
          await insert(stored);
          if (stored.length < added.length) throw unreachable();
        });
      },
      find: (places) => ask(() => ledger.find(places)),
      findCharge: (id, requestId) => ask(() => ledger.findCharge(id, requestId)),
      findGrant: (id, creditId) => ask(() => ledger.findGrant(id, creditId)),
      listAfter: (id, seq, limit) => ask(() => ledger.listAfter(id, seq, limit)),
      listBefore: (id, seq, limit) => ask(() => ledger.listBefore(id, seq, limit)),
      requestIds: (...asked) => ledger.requestIds(...asked),
    });

    const outboxPort = (ask: Ask): OutboxStore => ({
      insert: (added) =>
        ask(async () => {
          await outbox.insert(added);
          for (const batch of added) batches.set(batch.id, batch);
        }),
      list: (page) => ask(() => outbox.list(page)),
      remove: (ids) =>
        ask(async () => {
          await outbox.remove(ids);
          for (const id of ids) batches.delete(id);
        }),
    });

    const claimPort = (ask: Ask): ClaimStore => ({
      keep: (claim) =>
        ask(async () => {
          const found = await claims.keep(claim);
          if (!kept.has(found.id)) open.add(found.id);
          kept.set(found.id, found);
          return found;
        }),
      find: (ids) => ask(() => claims.find(ids)),
      close: (id) =>
        ask(async () => {
          await claims.close(id);
          open.delete(id);
        }),
      listOpen: (until, page) => ask(() => claims.listOpen(until, page)),
    });

    return {
      portsFor({ call }, faults) {
        const ask: Ask = (command) => call(() => queue(command), faults);
        return {
          store: accountPort(ask),
          ledger: ledgerPort(ask, faults),
          outbox: outboxPort(ask),
          claims: claimPort(ask),
        };
      },
      failOver() {},
      accounts,
      ledger: entries,
      outbox: batches,
      claims: kept,
      openClaims: open,
    };
  };
}
