import { type Clock, delay, type Logger, toIsoTime } from '@tollgate/core';
import { createEvent, type EventBus } from '@tollgate/events';
import type { Channel } from '../domain/channel';

/** A fact that waits with its channel until it is published. */
export interface RelayedFact {
  readonly channel: Channel;
  readonly fact: {
    readonly id: string;
    readonly type: 'channel.disabled' | 'channel.recovered';
    readonly reason: string;
    readonly atMs: number;
  };
}

/** Where the facts wait. */
export interface FactOutbox {
  pendingFacts(limit: number): Promise<readonly RelayedFact[]>;
  removeFact(channelId: string, factId: string): Promise<void>;
}

/** What the relay works with. */
export interface FactRelayOptions {
  readonly outbox: FactOutbox;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly logger: Logger;
}

const INTERVAL_MS = 1000;
const BATCH = 100;
const PUBLISH_TIMEOUT_MS = 5000;
/** The key of facts about channels that every account shares. */
const OPERATOR_KEY = 'operator';

/** Publishes facts after they are durable and forgets them only once the bus has them. */
export async function relayFacts(options: FactRelayOptions, signal: AbortSignal): Promise<void> {
  const { clock, logger } = options;
  while (!signal.aborted) {
    await relayOnce(options).catch((error: unknown) => {
      logger.warn({ error }, 'channel events wait: they cannot be published now');
    });
    await delay(clock, INTERVAL_MS, signal).catch(() => {});
  }
}

async function relayOnce(options: FactRelayOptions): Promise<void> {
  const { outbox, bus, clock } = options;
  for (const { channel, fact } of await outbox.pendingFacts(BATCH)) {
    const event = createEvent(
      fact.type,
      {
        channel_id: channel.id,
        name: channel.name,
        owner_account_id: channel.ownerAccountId,
        reason: fact.reason,
      },
      clock,
    );
    // The stored id and time make a repeated publication recognisable.
    const exact = { ...event, id: fact.id, time: toIsoTime(fact.atMs) } as typeof event;
    const key = channel.ownerAccountId ?? OPERATOR_KEY;
    await bus.publish([{ topic: 'tollgate.routing.v1', key, event: exact }], {
      timeoutMs: PUBLISH_TIMEOUT_MS,
    });
    await outbox.removeFact(channel.id, fact.id);
  }
}
