import type { Clock, Logger } from '@tollgate/core';
import { eachAtOnce } from '@tollgate/jobs';
import type { Channel } from '../domain/channel';
import type { ChannelStore } from '../domain/ports';

export interface ProbeDisabledChannelsOptions {
  readonly channels: Pick<ChannelStore, 'listAll'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between two rounds, milliseconds. */
  readonly probeIntervalMs: number;
  /** Enables a channel that answers. Rejects when it cannot be asked, or the signal aborts. */
  checkHealth(channelId: string, signal: AbortSignal): Promise<{ readonly healthy: boolean }>;
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
  readonly dueAtMs: number;
}

/**
 * A round checks every automatically disabled channel that is due. A channel that fails pauses
 * twice as long each time; one that cannot even be asked counts as failed and keeps no other one.
 */
export function createProbeDisabledChannels(options: ProbeDisabledChannelsOptions) {
  const { clock, logger, probeIntervalMs } = options;
  let failed: ReadonlyMap<string, Failed> = new Map();

  const isHealthy = async (channelId: string, signal: AbortSignal): Promise<boolean> => {
    try {
      return (await options.checkHealth(channelId, signal)).healthy;
    } catch (error) {
      if (!signal.aborted)
        logger.warn({ channelId, error }, 'a disabled channel cannot be checked');
      return false;
    }
  };

  return async (signal: AbortSignal): Promise<void> => {
    const disabled = (await options.channels.listAll()).filter(
      ({ status, models }) => status === 'auto_disabled' && models.length > 0,
    );
    const kept = new Map<string, Failed>();
    const probe = async ({ id, updatedAtMs }: Channel): Promise<void> => {
      const before = failed.get(id);
      const last = before?.updatedAtMs === updatedAtMs ? before : undefined;
      if (last !== undefined && clock.monotonicMs() < last.dueAtMs) {
        kept.set(id, last);
        return;
      }
      if (await isHealthy(id, signal)) return;
      const pauseIntervals = Math.min((last?.pauseIntervals ?? 0.5) * 2, PAUSE_INTERVALS_MAX);
      const dueAtMs = clock.monotonicMs() + pauseIntervals * probeIntervalMs;
      kept.set(id, { updatedAtMs, pauseIntervals, dueAtMs });
    };
    await eachAtOnce(disabled, { atOnceMax: PROBES_AT_ONCE, signal }, probe);
    // A round that was ended early has not seen them all.
    if (!signal.aborted) failed = kept;
  };
}
