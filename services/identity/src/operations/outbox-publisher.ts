import type { Clock } from '@tollgate/core';
import { createOutboxRelay } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { AccountEvent, IdentityEvent, KeyEvent } from '../domain/events';
import type { EventPublisher, OutboxStore } from '../domain/ports';
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

/** An event as it is published: without a body when it concerns gateways alone. */
interface OutboxMessage {
  readonly id: string;
  readonly event?: IdentityEvent;
}

export interface OutboxPublisherOptions<Item extends OutboxRecord> extends OutboxHost {
  readonly store: OutboxStore<Item>;
  readonly queue: PublishQueue;
  readonly publishOnce: PublishMessages;
  toMessages(item: Item): readonly OutboxMessage[];
}

/** Younger events are still being published by the operation that recorded them, milliseconds. */
const PENDING_AGE_MS_MIN = 2000;
const PUBLISH_MAX = 500;
/** After a failure only `publishPending` publishes for that long: more attempts would queue up. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export function createOutboxPublisher<Item extends OutboxRecord>(
  options: OutboxPublisherOptions<Item>,
): OutboxPublisher<Item> {
  const { store, toMessages, clock, queue, publishOnce } = options;
  const relay = createOutboxRelay<DatedItem<Item>, OutboxMessage>({
    outbox: {
      async list(page) {
        const due = clock.now() - PENDING_AGE_MS_MIN;
        const found = await store.listPending(page);
        return found.map((item) => ({ id: item.id, item, isDue: isOlderThan(item, due) }));
      },
      async remove(dated) {
        for (const item of dueOf(dated)) await store.clearOutbox(item);
      },
    },
    toMessages: (dated) => dueOf(dated).flatMap(toMessages),
    publish: (messages) => queue.run(() => publishOnce(messages)),
    publishMax: PUBLISH_MAX,
    ...relayOptions(options, 'bus'),
  });
  return {
    publish: (item) =>
      queue.runUnlessPaused(async () => {
        await publishOnce(toMessages(item));
        await store.clearOutbox(item);
      }),
    publishPending: relay.run,
  };
}

/** A record as it was found, with the answer of that moment to whether it may be published. */
interface DatedItem<Item> {
  readonly id: string;
  readonly item: Item;
  readonly isDue: boolean;
}

function dueOf<Item>(dated: readonly DatedItem<Item>[]): readonly Item[] {
  return dated.filter(({ isDue }) => isDue).map(({ item }) => item);
}

function isOlderThan({ outbox }: OutboxRecord, due: number): boolean {
  return outbox.every(({ at }) => at <= due);
}

export type PublishMessages = (messages: readonly OutboxMessage[]) => Promise<void>;

/** Publishes what of the messages is for the bus and was not published before. */
export function createPublishOnce(events: EventPublisher): PublishMessages {
  const onceForEach = createOnceForEach<OutboxMessage>();
  return (messages) =>
    onceForEach(messages, async (fresh) => {
      const published = fresh.flatMap(({ event }) => event ?? []);
      if (published.length > 0) await events.publish(published);
    });
}

export function toKeyMessage(key: ApiKey, event: KeyEvent): OutboxMessage {
  const { accountId, id: keyId } = key;
  const { id, at, kind: type, name, actorUserId, deleted = false } = event;
  if (type === 'key.updated') return { id };
  return { id, event: { type, id, at, accountId, keyId, name, actorUserId, deleted } };
}

export function toAccountMessage({ id: accountId }: Account, event: AccountEvent): OutboxMessage {
  const { id, at, kind: type, plan, previousPlan } = event;
  if (type === 'account.created') return { id, event: { type, id, at, accountId, plan } };
  if (type === 'account.erased') return { id, event: { type, id, at, accountId } };
  if (type !== 'plan.changed') return { id };
  return { id, event: { type, id, at, accountId, plan, previousPlan } };
}

export type PublishQueue = ReturnType<typeof createPublishQueue>;

/** Runs one after the other, so that the events of one key are published in their order. */
export function createPublishQueue(clock: Clock) {
  let last: Promise<unknown> = Promise.resolve();
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let stopped = false;
  const run = (publish: () => Promise<void>): Promise<void> => {
    const result = last.then(publish);
    last = result.catch(() => {
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
