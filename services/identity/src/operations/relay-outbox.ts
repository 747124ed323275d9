import { NOTHING_FOUND } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import { accountEventChangesPrincipals, keyEventChangesPrincipal } from '../domain/events';
import type { AccountStore, ApiKeyStore, EventPublisher, PrincipalLog } from '../domain/ports';
import { createGatewayNotifier, type GatewayNotifier } from './notify-gateways';
import type { OutboxHost, OutboxRecord } from './outbox-record';
import {
  createOutboxPublisher,
  createPublishOnce,
  createPublishQueue,
  type OutboxPublisher,
} from './publish-outbox';

export interface RelayOptions extends OutboxHost {
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly principalLog: PrincipalLog;
  readonly events: EventPublisher;
}

/**
 * Carries the events in the outboxes of keys and accounts on: to the gateways, whose caches must
 * forget the principal, and to the event bus. Which of the two is still to be done
 * is marked in the record, for each apart. Whoever receives an event may receive it again, with
 * the same id.
 */
export interface Relay {
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

export function createRelay(options: RelayOptions): Relay {
  const { clock, accounts, keys, events } = options;
  const queue = createPublishQueue(clock);
  const publishing = { ...options, queue, publishOnce: createPublishOnce(events) };
  const keyGateways = createGatewayNotifier<ApiKey>({
    ...options,
    store: keys,
    gatewayEvents: ({ outbox }) => outbox.filter(keyEventChangesPrincipal),
  });
  const keyBus = createOutboxPublisher<ApiKey>({
    ...publishing,
    store: keys,
    accountIdOf: ({ accountId }) => accountId,
    eventsOf: ({ accountId, id: keyId, outbox }) =>
      outbox.map((event) => ({ ...event, accountId, keyId })),
  });
  const accountGateways = createGatewayNotifier<Account>({
    ...options,
    store: accounts,
    gatewayEvents: ({ outbox }) => outbox.filter(accountEventChangesPrincipals),
  });
  const accountBus = createOutboxPublisher<Account>({
    ...publishing,
    store: accounts,
    accountIdOf: ({ id }) => id,
    eventsOf: ({ id: accountId, outbox }) => outbox.map((event) => ({ ...event, accountId })),
  });
  return {
    relayKey: relayTo(options, keyGateways, keyBus),
    relayAccount: relayTo(options, accountGateways, accountBus),
    notifyPending: (signal) =>
      together(signal, keyGateways.notifyPending, accountGateways.notifyPending),
    publishPending: (signal) => together(signal, keyBus.publishPending, accountBus.publishPending),
    idle: queue.idle,
    stop: queue.stop,
  };
}

/** Relays what one operation has just written; what fails is left to the jobs. */
function relayTo<Item extends OutboxRecord>(
  { logger }: OutboxHost,
  gateways: GatewayNotifier<Item>,
  bus: OutboxPublisher<Item>,
) {
  return async (item: Item): Promise<void> => {
    if (item.outbox.length === 0) return;
    const leaveToJobs = (error: unknown): void =>
      logger.warn({ id: item.id, error }, 'an event could not be relayed yet: it is tried again');
    await gateways.notify(item).catch(leaveToJobs);
    void bus.publish(item).catch(leaveToJobs);
  };
}

/**
 * Runs the rounds beside each other, so that accounts, whose erasure other services wait for, do not
 * wait until all keys were relayed. Answers NOTHING_FOUND when none of the rounds found anything,
 * and rejects with the first failure after all have ended.
 */
async function together(
  signal: AbortSignal,
  ...rounds: readonly ((signal: AbortSignal) => Promise<unknown>)[]
): Promise<unknown> {
  const ended = await Promise.allSettled(rounds.map((round) => round(signal)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const isNothing = (one: (typeof ended)[number]) =>
    one.status === 'fulfilled' && one.value === NOTHING_FOUND;
  return ended.every(isNothing) ? NOTHING_FOUND : undefined;
}
