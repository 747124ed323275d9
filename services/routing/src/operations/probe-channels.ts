import type { Clock, Logger } from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import type { Channel } from '../domain/channel';
import type { ChannelStore } from '../domain/ports';

export interface ProbeChannelsOptions {
  readonly channels: Pick<ChannelStore, 'listAll'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Which channels: owned ones, of which many may be dead, do not hold up shared ones. */
  readonly ownership: 'shared' | 'owned';
  /** Between two rounds, milliseconds. */
  readonly probeIntervalMs: number;
  /**
   * Asks for a short answer of the model, of the channel's first when it is empty, and enables a
   * channel that answers. Rejects when it cannot be asked, or the signal aborts.
   */
  checkHealth(
    channelId: string,
    model: string,
    signal: AbortSignal,
  ): Promise<{ readonly healthy: boolean }>;
}

/** A dead vendor holds a check for as long as the check waits: the others go on beside it. */
const PROBES_AT_ONCE = 16;

/** The longest pause of a channel that stays dead, in intervals. */
const PAUSE_INTERVALS_MAX = 8;

/** The checks of a channel that failed one after the other. */
interface Failed {
  /** The channel as it was checked: one that somebody changed is checked again at once. */
  readonly updatedAtMs: number;
  readonly pauseIntervals: number;
  readonly dueMonotonicMs: number;
}

/**
 * A round checks every automatically disabled channel that is due, and every enabled one that was
 * failing when it was last heard of, half an interval ago or longer: without a call nobody would
 * learn that its vendor is well again. A channel that fails pauses twice as long each time; one that
 * cannot even be asked counts as failed and holds up no other one.
 */
export function createProbeChannels(options: ProbeChannelsOptions) {
  const { clock, logger, probeIntervalMs } = options;
  let failed: ReadonlyMap<string, Failed> = new Map();

  const isHealthy = async (
    { channel: { id: channelId }, model }: Doubtful,
    signal: AbortSignal,
  ): Promise<boolean> => {
    try {
      return (await options.checkHealth(channelId, model, signal)).healthy;
    } catch (error) {
      if (!signal.aborted) logger.warn({ channelId, error }, 'a channel cannot be checked');
      return false;
    }
  };

  return async (signal: AbortSignal): Promise<void> => {
    const quietSinceAtMs = clock.now() - probeIntervalMs / 2;
    const ownershipOf = ({ ownerAccountId }: Channel) =>
      ownerAccountId === null ? 'shared' : 'owned';
    const channels = (await options.channels.listAll()).filter(
      (channel) => ownershipOf(channel) === options.ownership,
    );
    const doubtful = channels.flatMap((channel) => findDoubtful(channel, quietSinceAtMs));
    const kept = new Map<string, Failed>();
    const probe = async (one: Doubtful): Promise<void> => {
      const { id, updatedAtMs } = one.channel;
      const before = failed.get(id);
      const last = before?.updatedAtMs === updatedAtMs ? before : undefined;
      if (last !== undefined && clock.monotonicMs() < last.dueMonotonicMs) {
        kept.set(id, last);
        return;
      }
      if (await isHealthy(one, signal)) return;
      const pauseIntervals = Math.min((last?.pauseIntervals ?? 0.5) * 2, PAUSE_INTERVALS_MAX);
      const dueMonotonicMs = clock.monotonicMs() + pauseIntervals * probeIntervalMs;
      kept.set(id, { updatedAtMs, pauseIntervals, dueMonotonicMs });
    };
    await forEachConcurrently(doubtful, { atOnceMax: PROBES_AT_ONCE, signal }, probe);
    // A round that was ended early has not seen them all.
    if (!signal.aborted) failed = kept;
  };
}

/** A channel of which a check may tell something new, and the model to ask for. */
interface Doubtful {
  readonly channel: Channel;
  readonly model: string;
}

function findDoubtful(channel: Channel, quietSinceAtMs: number): readonly Doubtful[] {
  const { health, models, status } = channel;
  if (models.length === 0 || status === 'disabled') return [];
  if (status === 'auto_disabled') return [{ channel, model: '' }];
  if ((health.checkedAtMs ?? 0) > quietSinceAtMs) return [];
  const isServed = (name: string) => models.some((model) => model.name === name);
  const failing = health.models.filter(({ model, state }) => {
    return state === 'unhealthy' && isServed(model);
  });
  const [worst] = failing.sort((a, b) => (a.successRate ?? 0) - (b.successRate ?? 0));
  if (worst !== undefined) return [{ channel, model: worst.model }];
  return health.state === 'unhealthy' ? [{ channel, model: '' }] : [];
}
