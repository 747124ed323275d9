import { type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { AuditEntry, IdentityEvent, KeyEvent } from '../domain/events';
import type {
  AccountStore,
  ApiKeyStore,
  AuditStore,
  EventPublisher,
  PrincipalLog,
} from '../domain/ports';

export interface OutboxRelayOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly principals: PrincipalLog;
  readonly events: EventPublisher;
}

/**
 * Carries the events in the outboxes of keys and accounts on: first to the gateways, whose caches
 * must forget the principal, then to the audit and the event bus. Then it empties the outbox.
 * Whoever receives an event may receive it again, with the same id.
 */
export interface OutboxRelay {
  /** Resolves when the gateways are notified; the rest follows by itself. Never rejects. */
  relayKey(key: ApiKey): Promise<void>;
  relayAccount(account: Account): Promise<void>;
  /** Relays what failed attempts and processes that ended left; answers how many records. */
  relayPending(): Promise<number>;
  /** Resolves when nothing that was begun still runs. */
  idle(): Promise<void>;
  /** Begins nothing more; what is left stays in the outboxes. */
  stop(): Promise<void>;
}

/** Younger events are still being relayed by the operation that recorded them, milliseconds. */
const PENDING_AGE_MS_MIN = 2000;
const PENDING_BATCH = 100;
/** After a failure only `relayPending` publishes for that long: more attempts would queue up. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { clock, logger, accounts, keys } = options;
  const keyOutbox = createKeyOutbox(options);
  const accountOutbox = createAccountOutbox(options);
  const queue = createPublishQueue(clock);

  const relay = async <Item extends OutboxRecord>(outbox: Outbox<Item>, item: Item) => {
    if (item.outbox.length === 0) return;
    const leaveToJob = (error: unknown) =>
      logger.warn({ id: item.id, error }, 'an event could not be relayed yet: it is tried again');
    try {
      await outbox.notifyGateways(item);
    } catch (error) {
      // Publishing would empty the outbox, and with it the notice that the gateways still miss.
      leaveToJob(error);
      return;
    }
    void queue.runUnlessPaused(() => outbox.publish(item)).catch(leaveToJob);
  };

  return {
    relayKey: (key) => relay(keyOutbox, key),
    relayAccount: (account) => relay(accountOutbox, account),
    async relayPending() {
      const due = clock.now() - PENDING_AGE_MS_MIN;
      const dueKeys = (await keys.listPending(PENDING_BATCH)).filter(isOlderThan(due));
      const dueAccounts = (await accounts.listPending(PENDING_BATCH)).filter(isOlderThan(due));
      // Gateways come first: a bus that cannot be reached must not hold a revocation back.
      for (const key of dueKeys) await keyOutbox.notifyGateways(key);
      for (const account of dueAccounts) await accountOutbox.notifyGateways(account);
      for (const key of dueKeys) await queue.run(() => keyOutbox.publish(key));
      for (const account of dueAccounts) await queue.run(() => accountOutbox.publish(account));
      return dueKeys.length + dueAccounts.length;
    },
    idle: queue.idle,
    stop: queue.stop,
  };
}

/** A document with events that are written together with it. */
interface OutboxRecord {
  readonly id: string;
  readonly outbox: readonly { readonly id: string; readonly at: number }[];
}

/** Where the events of one kind of record go. */
interface Outbox<Item extends OutboxRecord> {
  notifyGateways(item: Item): Promise<void>;
  /** Also empties the outbox, unless the record changed meanwhile. */
  publish(item: Item): Promise<void>;
}

function createKeyOutbox(options: OutboxRelayOptions): Outbox<ApiKey> {
  const { keys, audit, principals, events } = options;
  const notifyOnce = createOnceForEach<KeyEvent>();
  const publishOnce = createOnceForEach<IdentityEvent>();
  return {
    notifyGateways: (key) =>
      notifyOnce(key.outbox.filter(changesPrincipal), () => principals.append([key.id])),
    async publish(key) {
      await audit.record(key.outbox.map((event) => toAuditEntry(key, event)));
      await publishOnce(toKeyEvents(key), events.publish);
      await keys.clearOutbox(key);
    },
  };
}

function createAccountOutbox(options: OutboxRelayOptions): Outbox<Account> {
  const { accounts, principals, events } = options;
  const notifyOnce = createOnceForEach<Account['outbox'][number]>();
  const publishOnce = createOnceForEach<IdentityEvent>();
  return {
    notifyGateways: ({ id, outbox }) => notifyOnce(outbox, () => principals.append([id])),
    async publish(account) {
      await publishOnce(toAccountEvents(account), events.publish);
      await accounts.clearOutbox(account);
    },
  };
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

/** A key that was only created or is about to expire is in no cache that would be wrong. */
function changesPrincipal({ kind }: KeyEvent): boolean {
  return kind !== 'key.created' && kind !== 'key.expiring';
}

function toAuditEntry(key: ApiKey, event: KeyEvent): AuditEntry {
  const { id, at, kind: operation, actorUserId, actorKeyId, fields } = event;
  const { accountId, id: keyId } = key;
  return { id, at, accountId, keyId, operation, actorUserId, actorKeyId, fields };
}

function toKeyEvents({ accountId, id: keyId, outbox }: ApiKey): readonly IdentityEvent[] {
  return outbox.flatMap((event): readonly IdentityEvent[] => {
    const { id, at, kind: type, name, actorUserId, deleted = false } = event;
    if (type === 'key.updated') return [];
    return [{ type, id, at, accountId, keyId, name, actorUserId, deleted }];
  });
}

function toAccountEvents({ id: accountId, outbox }: Account): readonly IdentityEvent[] {
  return outbox.flatMap(({ id, at, kind: type, plan, previousPlan }): readonly IdentityEvent[] =>
    type === 'plan.changed' ? [{ type, id, at, accountId, plan, previousPlan }] : [],
  );
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

function isOlderThan(due: number) {
  return ({ outbox }: OutboxRecord): boolean => outbox.every(({ at }) => at <= due);
}
