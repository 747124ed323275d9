import { AppError, type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import { createOutboxRelay as createRelay, NOTHING_FOUND } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import {
  type AccountEvent,
  changesPrincipal,
  type IdentityEvent,
  type KeyEvent,
} from '../domain/events';
import type {
  AccountStore,
  ApiKeyStore,
  EventPublisher,
  OutboxStore,
  PrincipalLog,
  RecordRevision,
} from '../domain/ports';

export interface OutboxRelayOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly principals: PrincipalLog;
  readonly events: EventPublisher;
  /** A record failed alone and is quarantined for a while. */
  onQuarantined(destination: OutboxDestination): void;
}

/** Where events go, and may wait apart. */
export type OutboxDestination = 'gateways' | 'bus';

/**
 * Carries the events in the outboxes of keys and accounts on: to the gateways, whose caches must
 * forget the principal, and to the event bus. Which of the two is still to be done
 * is marked in the record, for each apart. Whoever receives an event may receive it again, with
 * the same id.
 */
export interface OutboxRelay {
  /** Resolves when the gateways are notified; the rest follows by itself. Never rejects. */
  relayKey(key: ApiKey): Promise<void>;
  relayAccount(account: Account): Promise<void>;
  /**
   * Notifies gateways of all that failed attempts and processes that ended left, oldest first;
   * answers NOTHING_FOUND when that was nothing.
   */
  notifyPending(signal: AbortSignal): Promise<unknown>;
  /** The same with the bus. Rejects when it is away: what waits follows later. */
  publishPending(signal: AbortSignal): Promise<unknown>;
  /** Resolves when nothing that was begun still runs. */
  idle(): Promise<void>;
  /** Begins nothing more; what is left stays in the outboxes. */
  stop(): Promise<void>;
}

/** Younger events are still being published by the operation that recorded them, milliseconds. */
const PENDING_AGE_MS_MIN = 2000;
const PENDING_PAGE = 100;
const PUBLISH_MAX = 500;
const QUARANTINE_RETRY_MS = 60_000;
/** After a failure only `publishPending` publishes for that long: more attempts would queue up. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { clock, accounts, keys } = options;
  const queue = createPublishQueue(clock);
  const parts = { ...options, queue, deliver: createDelivery(options) };
  const keyRelay = createRecordRelay(parts, {
    store: keys,
    gatewayEvents: ({ outbox }) => outbox.filter(changesPrincipal),
    toMessages: (key) => key.outbox.map((event) => toKeyMessage(key, event)),
  });
  const accountRelay = createRecordRelay(parts, {
    store: accounts,
    gatewayEvents: ({ outbox }) => outbox,
    toMessages: (account) => account.outbox.map((event) => toAccountMessage(account, event)),
  });
  return {
    relayKey: keyRelay.relay,
    relayAccount: accountRelay.relay,
    notifyPending: (signal) =>
      oneAfterTheOther(signal, keyRelay.notifyPending, accountRelay.notifyPending),
    publishPending: (signal) =>
      oneAfterTheOther(signal, keyRelay.publishPending, accountRelay.publishPending),
    idle: queue.idle,
    stop: queue.stop,
  };
}

/** Answers NOTHING_FOUND when none of the rounds found anything. */
async function oneAfterTheOther(
  signal: AbortSignal,
  ...rounds: readonly ((signal: AbortSignal) => Promise<unknown>)[]
): Promise<unknown> {
  let found: unknown = NOTHING_FOUND;
  for (const round of rounds) {
    if ((await round(signal)) !== NOTHING_FOUND) found = undefined;
  }
  return found;
}

/** What is published of one event: nothing of those that concern gateways alone. */
interface OutboxMessage {
  readonly id: string;
  readonly event?: IdentityEvent;
}

type Deliver = (messages: readonly OutboxMessage[]) => Promise<void>;

/** A document with events that are written together with it. */
interface OutboxRecord extends RecordRevision {
  readonly outbox: readonly { readonly id: string; readonly at: number }[];
}

interface RecordKind<Item extends OutboxRecord> {
  readonly store: OutboxStore<Item>;
  /** Those after which a gateway's cache would be wrong. */
  gatewayEvents(item: Item): readonly { readonly id: string }[];
  toMessages(item: Item): readonly OutboxMessage[];
}

interface RecordRelayParts extends OutboxRelayOptions {
  readonly queue: ReturnType<typeof createPublishQueue>;
  readonly deliver: Deliver;
}

/** The relay of one kind of record. */
function createRecordRelay<Item extends OutboxRecord>(
  parts: RecordRelayParts,
  kind: RecordKind<Item>,
) {
  const gateways = createGatewayNotifier(parts, kind);
  const bus = createOutboxPublisher(parts, kind);
  const leaveToJobs = ({ id }: Item, error: unknown): void =>
    parts.logger.warn({ id, error }, 'an event could not be relayed yet: it is tried again');
  return {
    async relay(item: Item): Promise<void> {
      if (item.outbox.length === 0) return;
      await gateways.notify(item).catch((error: unknown) => leaveToJobs(item, error));
      void parts.queue
        .runUnlessPaused(() => bus.publish(item))
        .catch((error: unknown) => leaveToJobs(item, error));
    },
    notifyPending: gateways.notifyPending,
    publishPending: bus.publishPending,
  };
}

function createGatewayNotifier<Item extends OutboxRecord>(
  parts: RecordRelayParts,
  { store, gatewayEvents }: RecordKind<Item>,
) {
  const { principals } = parts;
  const notifyOnce = createOnceForEach<{ readonly id: string }>();
  const relay = createRelay<RecordRevision, string>({
    outbox: {
      list: store.listUnnotified,
      async remove(records) {
        for (const record of records) await store.markNotified(record);
      },
    },
    toMessages: (records) => records.map(({ id }) => id),
    async publish(ids) {
      try {
        await principals.append(ids);
      } catch (cause) {
        // Whatever it is, it is not the fault of a record: the next round notifies again.
        throw new AppError('SERVICE_UNAVAILABLE', { cause });
      }
    },
    ...{ publishMax: PENDING_PAGE, ...pagesOf(parts, 'gateways') },
  });
  return {
    notify: (item: Item) =>
      notifyOnce(gatewayEvents(item), async () => {
        await principals.append([item.id]);
        await store.markNotified(item);
      }),
    notifyPending: relay.run,
  };
}

function createOutboxPublisher<Item extends OutboxRecord>(
  parts: RecordRelayParts,
  { store, toMessages }: RecordKind<Item>,
) {
  const { clock, queue, deliver } = parts;
  const relay = createRelay<DatedItem<Item>, OutboxMessage>({
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
    publish: (messages) => queue.run(() => deliver(messages)),
    ...{ publishMax: PUBLISH_MAX, ...pagesOf(parts, 'bus') },
  });
  return {
    async publish(item: Item): Promise<void> {
      await deliver(toMessages(item));
      await store.clearOutbox(item);
    },
    publishPending: relay.run,
  };
}

/** How the jobs read what waits, and what they do with a record that fails alone. */
function pagesOf(
  { clock, logger, onQuarantined }: OutboxRelayOptions,
  destination: OutboxDestination,
) {
  return {
    ...{ pageSize: PENDING_PAGE, quarantineRetryMs: QUARANTINE_RETRY_MS, clock },
    onQuarantined({ id }: { readonly id: string }, error: unknown): void {
      logger.error({ id, destination, error }, 'events of a record fail alone; others go on');
      onQuarantined(destination);
    },
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

const DELIVERED_REMEMBERED_MAX = 10_000;

/**
 * Delivers each event once in this process. A change that comes before the outbox is emptied
 * carries the earlier events along, and while the bus cannot be reached the same ones come back.
 */
function createOnceForEach<Item extends { readonly id: string }>() {
  const delivered = createBoundedMap<string, true>(DELIVERED_REMEMBERED_MAX);
  return async (
    items: readonly Item[],
    deliver: (fresh: readonly Item[]) => Promise<unknown>,
  ): Promise<void> => {
    const fresh = items.filter(({ id }) => delivered.get(id) === undefined);
    if (fresh.length === 0) return;
    await deliver(fresh);
    for (const { id } of fresh) delivered.set(id, true);
  };
}

function createDelivery({ events }: OutboxRelayOptions): Deliver {
  const deliverOnce = createOnceForEach<OutboxMessage>();
  return (messages) =>
    deliverOnce(messages, async (fresh) => {
      const published = fresh.flatMap(({ event }) => event ?? []);
      if (published.length > 0) await events.publish(published);
    });
}

function toKeyMessage(key: ApiKey, event: KeyEvent): OutboxMessage {
  const { accountId, id: keyId } = key;
  const { id, at, kind: type, name, actorUserId, deleted = false } = event;
  if (type === 'key.updated') return { id };
  return { id, event: { type, id, at, accountId, keyId, name, actorUserId, deleted } };
}

function toAccountMessage({ id: accountId }: Account, event: AccountEvent): OutboxMessage {
  const { id, at, kind: type, plan, previousPlan } = event;
  if (type !== 'plan.changed') return { id };
  return { id, event: { type, id, at, accountId, plan, previousPlan } };
}

/** Runs one after the other, so that the events of one key are published in their order. */
function createPublishQueue(clock: Clock) {
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
