import type { Clock, Logger } from '@tollgate/core';
import type { Channel, ChannelHealth } from '../domain/channel';
import { type Outcome, observeOutcome } from '../domain/health';
import type { ChannelStore, RouteChanges } from '../domain/ports';

/** What the collector works with. */
export interface OutcomeCollectorOptions {
  readonly channels: ChannelStore;
  readonly changes: RouteChanges;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Gathers what completion instances saw, and writes it now and then. */
export interface OutcomeCollector {
  /** A refused credential takes effect at once; everything else at the next `flush`. */
  report(outcomes: readonly Outcome[]): Promise<void>;
  /** Writes changed health and announces it, at most one announcement for all. */
  flush(): Promise<void>;
}

/** Channels with observations since the last flush; the rest of the table bounds it. */
const PENDING_MAX = 10_000;

/** Creates a collector; observations in memory are lost with the process, and only statistics are. */
export function createOutcomeCollector(options: OutcomeCollectorOptions): OutcomeCollector {
  const { channels, changes, clock, logger } = options;
  const pending = new Map<string, Outcome[]>();

  const disable = async (channel: Channel): Promise<void> => {
    const disabled: Channel = {
      ...channel,
      status: 'auto_disabled',
      health: { ...channel.health, state: 'unhealthy', checkedAtMs: clock.now() },
      updatedAtMs: Math.max(clock.now(), channel.updatedAtMs + 1),
    };
    const fact = { type: 'channel.disabled', reason: 'the vendor refused the credential' } as const;
    if (!(await channels.replace(disabled, channel.updatedAtMs, fact))) return;
    logger.warn({ channelId: channel.id }, 'channel disabled: the vendor refused its credential');
    await changes.announce(`channel:${channel.id}`);
  };

  return {
    async report(outcomes) {
      for (const outcome of outcomes) {
        const queue = pending.get(outcome.channelId) ?? [];
        if (queue.length === 0 && pending.size >= PENDING_MAX) continue;
        queue.push(outcome);
        pending.set(outcome.channelId, queue);
        if (outcome.kind !== 'credential_refused') continue;
        const channel = await channels.get(outcome.channelId);
        if (channel?.autoDisable && channel.status === 'enabled') await disable(channel);
      }
    },
    async flush() {
      if (pending.size === 0) return;
      const observed = [...pending];
      pending.clear();
      for (const [id, queue] of observed) {
        const channel = await channels.get(id);
        if (channel === undefined) continue;
        const health = queue.reduce<ChannelHealth>(
          (before, outcome) => observeOutcome(before, outcome, clock.now(), channel.models),
          channel.health,
        );
        await channels.setHealth(id, health);
      }
      await changes.announce('health');
    },
  };
}
