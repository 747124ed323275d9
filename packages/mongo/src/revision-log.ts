import type { Clock, Logger, Timer } from '@tollgate/core';
import { documentsOf } from './documents';
import { withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

/** The changes after a revision. */
export interface RevisionDelta {
  readonly revision: bigint;
  /** Changes, oldest first; the owner decides what the strings mean. */
  readonly changes: readonly string[];
  /**
   * The deltas are not known, or the log went back to an older copy: forget everything and start
   * from this revision, which may be lower than the one before.
   */
  readonly reset: boolean;
}

/** How a revision log is kept. */
export interface RevisionLogOptions {
  readonly store: MongoStore;
  /** The log's name, for example `principals`. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Deltas kept; a watcher that is further behind gets a reset. 1000 unless given. */
  readonly keep?: number;
  /** Milliseconds between looks at the store; 250 unless given. */
  readonly pollMs?: number;
  /** The longest pause between looks while nothing changes, milliseconds; 1,000 unless given. */
  readonly restingMs?: number;
}

/**
 * Changes that every replica of a service sees in one order: soon while changes come, else within
 * `restingMs`.
 */
export interface RevisionLog {
  /** Reads the present revision and starts to poll. */
  start(): Promise<void>;
  /** The revision that this replica has seen last; lower than before once a copy was restored. */
  revision(): bigint;
  /** What came after the revision, as far as this replica has seen; undefined when nothing did. */
  since(revision: bigint): RevisionDelta | undefined;
  /** Records the changes as one revision; resolves when they are durable and seen here. */
  append(changes: readonly string[]): Promise<bigint>;
  /** Hears now what other replicas appended, in place of within `restingMs`. */
  look(): Promise<void>;
  /** Hears what came after the revision (at once, when something did) and everything later. */
  subscribe(afterRevision: bigint, listener: (delta: RevisionDelta) => void): () => void;
  /** False while the store cannot be read: what is pushed may be stale. */
  isFresh(): boolean;
  stop(): void;
}

interface RevisionDocument {
  readonly _id: string;
  readonly revision: bigint;
  /** The last changes, newest last; the newest one is of `revision`. */
  readonly recent: readonly (readonly string[])[];
}

const KEEP = 1000;
const POLL_MS = 250;
const RESTING_MS = 1_000;
/** The pause grows step by step while nothing changes. */
const RESTING_GROWTH = 1.1;

/** More changes than there can have been since the copy was made that is restored. */
const RAISED_BY = 1_000_000n;
const COLLECTION = 'revisions';

/**
 * Numbers every log on after a copy was restored: whoever has heard of changes that the copy does
 * not know forgets everything, gateways their keys and completion its channels and prices.
 */
export async function raiseRevisions(store: MongoStore): Promise<void> {
  const revisions = documentsOf<RevisionDocument>(store, COLLECTION);
  await revisions.updateMany({}, { $inc: { revision: RAISED_BY } });
}

/** One document per log: the counter and its recent changes move in one write. */
export function createRevisionLog(options: RevisionLogOptions): RevisionLog {
  const { clock, logger, name } = options;
  const keep = options.keep ?? KEEP;
  const { pollMs = POLL_MS, restingMs = RESTING_MS } = options;
  const documents = () => options.store.connection.collection<RevisionDocument>(COLLECTION);
  const listeners = new Set<(delta: RevisionDelta) => void>();
  let seen: RevisionDocument = { _id: name, revision: 0n, recent: [] };
  let fresh = false;
  let stopped = false;
  let timer: Timer | undefined;
  let pauseMs = pollMs;

  const deltaAfter = (after: bigint): RevisionDelta | undefined => {
    const { revision, recent } = seen;
    if (after === revision) return undefined;
    const missed = revision - after;
    if (missed < 0n || missed > BigInt(recent.length))
      return { revision, changes: [], reset: true };
    return { revision, changes: recent.slice(recent.length - Number(missed)).flat(), reset: false };
  };

  const apply = (document: RevisionDocument): void => {
    const before = seen.revision;
    pauseMs = pollMs;
    seen = { ...document, revision: BigInt(document.revision) };
    const delta = deltaAfter(before);
    if (delta === undefined) return;
    for (const listener of listeners) tell(listener, delta);
  };

  /** One that throws keeps the delta from no other, and does not undo a durable append. */
  const tell = (listener: (delta: RevisionDelta) => void, delta: RevisionDelta): void => {
    try {
      listener(delta);
    } catch (error) {
      logger.error({ log: name, revision: delta.revision, error }, 'a listener of the log failed');
    }
  };

  const look = async (): Promise<void> => {
    const before = seen;
    const head = await documents().findOne({ _id: name }, { projection: { revision: 1 } });
    if (head !== null && BigInt(head.revision) !== seen.revision) {
      const whole = await documents().findOne({ _id: name });
      // A lower revision means that a copy was restored, so it is taken. But when an append of this
      // replica ended during the read, which moves `seen`, a lower one is only an older state.
      if (whole !== null && (seen === before || whole.revision > seen.revision)) apply(whole);
    }
    fresh = true;
  };

  const poll = (): void => {
    const before = seen;
    look()
      .catch((error: unknown) => {
        if (fresh && !stopped) logger.warn({ log: name, error }, 'revision log cannot be read');
        fresh = false;
      })
      .finally(() => {
        if (seen === before) {
          pauseMs = Math.min(pauseMs * RESTING_GROWTH, Math.max(pollMs, restingMs));
        }
        if (!stopped) timer = clock.schedule(pauseMs, poll);
      });
  };

  return {
    async start() {
      await withDatabaseFailures(look);
      timer = clock.schedule(pollMs, poll);
    },
    revision: () => seen.revision,
    since: deltaAfter,
    async append(changes) {
      const written = await withDatabaseFailures(() =>
        documents().findOneAndUpdate(
          { _id: name },
          {
            $inc: { revision: 1n },
            $push: { recent: { $each: [[...changes]], $slice: -keep } },
          },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      if (written === null) throw new Error('an upsert answered no document');
      // Answers of two appends may come in any order.
      if (written.revision > seen.revision) apply(written);
      return BigInt(written.revision);
    },
    look: () => withDatabaseFailures(look),
    subscribe(afterRevision, listener) {
      const missed = deltaAfter(afterRevision);
      if (missed !== undefined) listener(missed);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    isFresh: () => fresh,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
