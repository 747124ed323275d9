import { type Clock, EventKeysRefused } from '@tollgate/core';
import { createOutboxRelay } from '@tollgate/jobs';
import type { RecordedEvent } from '../domain/events';
import type { EventPublisher, OutboxStore, StoredRecord } from '../domain/ports';
import {
  createOnceForEach,
  type OutboxHost,
  type OutboxRecord,
  relayOptions,
} from './outbox-record';

/** Publishes the events of one kind of record on the bus, and empties their outboxes. */
export interface OutboxPublisher<Item> {
  /** Publishes the record's events when their turn comes, unless the bus failed a moment ago. */
  publish(item: Item): Promise<void>;
  /** Publishes what is left, oldest first; NOTHING_FOUND when that was nothing. */
  publishPending(signal: AbortSignal): Promise<unknown>;
}

export interface OutboxPublisherOptions<Item extends OutboxRecord> extends OutboxHost {
  readonly store: OutboxStore<Item>;
  readonly queue: PublishQueue;
  readonly publishOnce: PublishEvents;
  accountIdOf(item: Item): string;
  eventsOf(item: Item): readonly RecordedEvent[];
}

/** Younger events are still being published by the operation that recorded them, milliseconds. */
const PENDING_AGE_MS_MIN = 2000;
const PUBLISH_MAX = 500;
/** After a failure only `publishPending` publishes for that long: more attempts would queue up. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export function createOutboxPublisher<Item extends OutboxRecord>(
  options: OutboxPublisherOptions<Item>,
): OutboxPublisher<Item> {
  const { store, accountIdOf, eventsOf, clock, queue, publishOnce } = options;
  const relay = createOutboxRelay<DatedItem<Item>, RecordedEvent>({
    outbox: {
      async list(page) {
        const due = clock.now() - PENDING_AGE_MS_MIN;
        const found = await store.listPending(page);
        return found.map((stored) => readDated(stored, due));
      },
      async remove(dated) {
        for (const item of dueOf(dated)) await store.clearOutbox(item);
      },
    },
    toMessages: (dated) => dueOf(dated).flatMap(eventsOf),
    publish: (events) => queue.run(() => publishOnce(events)),
    // A record has all of its events in one item: others of its account may go before it.
    keyOf(of) {
      if ('accountId' in of) return of.accountId;
      return of.read.kind === 'item' ? accountIdOf(of.read.item) : of.id;
    },
    publishMax: PUBLISH_MAX,
    ...relayOptions(options, 'bus'),
  });
  return {
    publish: (item) =>
      queue.runUnlessPaused(async () => {
        await publishOnce(eventsOf(item));
        await store.clearOutbox(item);
      }),
    publishPending: relay.run,
  };
}

/** A record as it was found, with the answer of that moment to whether it may be published. */
interface DatedItem<Item> {
  readonly id: string;
  readonly read:
    | { readonly kind: 'item'; readonly item: Item; readonly isDue: boolean }
    | { readonly kind: 'unreadable'; readonly error: unknown };
}

function readDated<Item extends OutboxRecord>(
  { id, read }: StoredRecord<Item>,
  due: number,
): DatedItem<Item> {
  try {
    const item = read();
    return { id, read: { kind: 'item', item, isDue: isOlderThan(item, due) } };
  } catch (error) {
    return { id, read: { kind: 'unreadable', error } };
  }
}

/** Throws for one that cannot be read. */
function dueOf<Item>(dated: readonly DatedItem<Item>[]): readonly Item[] {
  return dated.flatMap(({ read }) => {
    if (read.kind === 'unreadable') throw read.error;
    return read.isDue ? [read.item] : [];
  });
}

function isOlderThan({ outbox }: OutboxRecord, due: number): boolean {
  return outbox.every(({ at }) => at <= due);
}

export type PublishEvents = (events: readonly RecordedEvent[]) => Promise<void>;

/** Publishes what was not published before. */
export function createPublishOnce(publisher: EventPublisher): PublishEvents {
  const onceForEach = createOnceForEach<RecordedEvent>();
  return (events) => onceForEach(events, publisher.publish);
}

export type PublishQueue = ReturnType<typeof createPublishQueue>;

/** Runs one after the other, so that the events of one key are published in their order. */
export function createPublishQueue(clock: Clock) {
  let last: Promise<unknown> = Promise.resolve();
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let stopped = false;
  const run = (publish: () => Promise<void>): Promise<void> => {
    const result = last.then(publish);
    last = result.catch((error: unknown) => {
      // A bus that refuses some accounts takes those of the others.
      if (error instanceof EventKeysRefused) return;
      pausedUntilMs = clock.monotonicMs() + PAUSE_AFTER_FAILURE_MS;
    });
    return result;
  };
  const idle = async (): Promise<void> => {
    await last;
  };
  return {
    run,
    runUnlessPaused: (publish: () => Promise<void>) =>
      run(async () => {
        if (!stopped && clock.monotonicMs() >= pausedUntilMs) await publish();
      }),
    idle,
    async stop() {
      stopped = true;
      await idle();
    },
  };
}
