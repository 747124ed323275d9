import { type Clock, delay, type Logger } from '@tollgate/core';
import type { ChannelStore } from '../domain/ports';

/** What the prober works with. */
export interface ProbeJobOptions {
  readonly channels: ChannelStore;
  readonly checkHealth: (channelId: string, model: string) => Promise<unknown>;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tries every automatically disabled channel now and then; a success enables it again. */
export async function probeDisabledChannels(
  options: ProbeJobOptions,
  signal: AbortSignal,
): Promise<void> {
  const { channels, checkHealth, clock, logger } = options;
  while (!signal.aborted) {
    await delay(clock, options.intervalMs, signal).catch(() => {});
    if (signal.aborted) return;
    try {
      const all = await channels.listAll();
      const disabled = all.filter(
        (channel) => channel.status === 'auto_disabled' && channel.models.length > 0,
      );
      for (const channel of disabled) await checkHealth(channel.id, '');
    } catch (error) {
      logger.warn({ error }, 'disabled channels cannot be probed now');
    }
  }
}
