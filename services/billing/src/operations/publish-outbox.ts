import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { OutboxBatch } from '../domain/outbox';
import type {
  BillingObserver,
  Fact,
  FactPublisher,
  LedgerPlace,
  LedgerStore,
  OutboxStore,
  StoredBatch,
} from '../domain/ports';
import { isAway, type Quarantine } from './quarantine';

/** Tells listeners what lies in the outbox. */
export interface PublishOutbox {
  /** Publishes all that is there; rejects when a store or the bus is away, to go on later. */
  run(signal: AbortSignal): Promise<void>;
  /** Entries that were just stored: they need not be read. */
  remember(entries: readonly LedgerEntry[]): void;
}

interface Dependencies {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly publisher: FactPublisher;
  readonly quarantine: Quarantine;
  readonly observer: BillingObserver;
}

const BATCHES_PAGE = 100;
/** Far below what a publisher takes at once (10,000 events wait at most), two events an item. */
const ITEMS_PER_PUBLISH = 500;
const REMEMBERED_MAX = 2_000;

function nameOf({ accountId, seq }: LedgerPlace): string {
  return `${accountId}:${seq}`;
}

/** Finds the entries of batches, in memory or in the ledger. */
function createEntryLookUp({ ledger }: Dependencies) {
  const recent: BoundedMap<string, LedgerEntry> = createBoundedMap(REMEMBERED_MAX);
  return {
    remember(entries: readonly LedgerEntry[]) {
      for (const entry of entries) recent.set(nameOf(entry), entry);
    },
    async find(batches: readonly OutboxBatch[]): Promise<ReadonlyMap<string, LedgerEntry>> {
      const found = new Map<string, LedgerEntry>();
      const missing: LedgerPlace[] = [];
      for (const { accountId, items } of batches) {
        for (const item of items) {
          if (item.kind !== 'entry') continue;
          const place = { accountId, seq: item.seq };
          const known = recent.get(nameOf(place));
          if (known === undefined) missing.push(place);
          else found.set(nameOf(place), known);
        }
      }
      if (missing.length === 0) return found;
      for (const entry of await ledger.read(missing)) found.set(nameOf(entry), entry);
      return found;
    },
  };
}

function toFacts(
  { accountId, items }: OutboxBatch,
  entries: ReadonlyMap<string, LedgerEntry>,
): readonly Fact[] {
  return items.map((item): Fact => {
    if (item.kind === 'notice') return { accountId, item };
    const entry = entries.get(nameOf({ accountId, seq: item.seq }));
    // Both are stored before a batch is: they were restored to different times.
    if (entry === undefined) throw new Error(`the ledger has no entry ${accountId}:${item.seq}`);
    return { accountId, item: { kind: 'entry', no: item.no, entry } };
  });
}

/**
 * A batch is removed once all of it was accepted, so that whoever leads next goes on from there:
 * what was published and not removed is published again, which listeners know by its sequence. A
 * batch that cannot be published stays and is set apart; the others go on.
 */
export function createPublishOutbox(dependencies: Dependencies): PublishOutbox {
  const { outbox, publisher, quarantine, observer } = dependencies;
  const lookUp = createEntryLookUp(dependencies);

  const publish = async (stored: readonly StoredBatch[]): Promise<void> => {
    const batches = stored.map((batch) => batch.read());
    const entries = await lookUp.find(batches);
    const facts = batches.flatMap((batch) => toFacts(batch, entries));
    for (let start = 0; start < facts.length; start += ITEMS_PER_PUBLISH) {
      await publisher.publish(facts.slice(start, start + ITEMS_PER_PUBLISH));
    }
    await outbox.remove(stored.map(({ id }) => id));
    observer.relayed(facts.length);
    for (const { id } of stored) await quarantine.release(id);
  };

  const publishOne = async (stored: StoredBatch): Promise<void> => {
    try {
      await publish([stored]);
    } catch (error) {
      if (isAway(error)) throw error;
      const accountId = stored.id.slice(0, stored.id.lastIndexOf(':'));
      await quarantine.setApart(stored.id, accountId, error);
    }
  };

  const publishPage = async (page: readonly StoredBatch[]): Promise<void> => {
    const due = page.filter(({ id }) => !quarantine.isApart(id));
    if (due.length === 0) return;
    try {
      await publish(due);
    } catch (error) {
      if (isAway(error)) throw error;
      // One of them is at fault: alone, each of the others comes through.
      for (const stored of due) await publishOne(stored);
    }
  };

  return {
    remember: lookUp.remember,
    async run(signal) {
      let after: string | undefined;
      do {
        const page = await outbox.list({ after, limit: BATCHES_PAGE });
        await publishPage(page);
        after = page.length < BATCHES_PAGE ? undefined : page.at(-1)?.id;
      } while (after !== undefined && !signal.aborted);
    },
  };
}
