import { createOutboxRelay, type RepeatedWork } from '@tollgate/jobs';
import type { OutboxBatch } from '../domain/journal';
import { type LedgerEntry, ledgerIdOf } from '../domain/ledger-entry';
import type { BillingEvent, EventPublisher, OutboxStore, StoredBatch } from '../domain/ports';
import type { AccountParts } from './dependencies';
import type { QuarantinedWork } from './quarantine';
import type { RecentEntries } from './recent-entries';

/** A page costs a read, a removal and some round trips to the bus, however many batches it has. */
const BATCHES_PAGE = 500;
/**
 * Items after which a page is cut, with the batch that reaches them: two pages are in memory, one
 * that is published and one that is read, and an item may have kilobytes.
 */
const ITEMS_PAGE = 2_000;
/** Far below what a publisher takes at once (10,000 messages wait at most), two events an item. */
const ITEMS_PER_PUBLISH = 500;

interface PublishOutboxOptions extends Pick<AccountParts, 'clock' | 'metrics' | 'quarantine'> {
  readonly outbox: OutboxStore;
  readonly recentEntries: RecentEntries;
  readonly publisher: EventPublisher;
  readonly quarantineRetryMs: number;
}

/**
 * Tells listeners what lies in the outbox, in the order of each account. Only the leader does: what
 * it remembers of the time before may have other entries in its place by now.
 */
export function createPublishOutbox(options: PublishOutboxOptions): RepeatedWork['run'] {
  const { outbox, recentEntries, publisher, quarantine, metrics } = options;
  const { clock, quarantineRetryMs } = options;
  const { run } = createOutboxRelay<StoredBatch, BillingEvent>({
    outbox: {
      list: outbox.list,
      remove: (stored) => outbox.remove(stored.map(({ id }) => id)),
    },
    async toMessages(stored) {
      const batches = stored.map((batch) => batch.read());
      const entries = await recentEntries.find(batches);
      return batches.flatMap((batch) => toBillingEvents(batch, entries));
    },
    publish: publisher.publish,
    keyOf: (of) => ('accountId' in of ? of.accountId : accountIdOf(of.id)),
    pageSize: BATCHES_PAGE,
    pageMessagesMax: ITEMS_PAGE,
    publishMax: ITEMS_PER_PUBLISH,
    quarantineRetryMs,
    clock,
    onPublished: (items) => metrics.published.inc(undefined, items),
    onQuarantined: ({ id }, error) => quarantine.add(batchOf(id), error),
    onReleased: ({ id }) => quarantine.release(batchOf(id)),
  });
  let term: AbortSignal | undefined;
  return (signal) => {
    if (signal !== term) recentEntries.forgetAll();
    term = signal;
    return run(signal);
  };
}

function toBillingEvents(
  { accountId, items }: OutboxBatch,
  entries: ReadonlyMap<string, LedgerEntry>,
): readonly BillingEvent[] {
  return items.map((item): BillingEvent => {
    if (item.kind === 'notice') return { accountId, item };
    const entry = entries.get(ledgerIdOf({ accountId, seq: item.seq }));
    // Both are stored before a batch is: they were restored to different times.
    if (entry === undefined) throw new Error(`the ledger has no entry ${accountId}:${item.seq}`);
    return { accountId, item: { kind: 'entry', no: item.no, entry } };
  });
}

function batchOf(batchId: string): QuarantinedWork {
  return { kind: 'batch', accountId: accountIdOf(batchId), batchId };
}

/** By the batch's id, which begins with its account: the batch itself may be unreadable. */
function accountIdOf(batchId: string): string {
  return batchId.slice(0, batchId.lastIndexOf(':'));
}
