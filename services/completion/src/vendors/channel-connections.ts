import { type Logger, vendorBaseOf } from '@tollgate/core';
import type { EgressClient, OriginPool } from '@tollgate/egress';
import type { RouteChannel } from '../routing/candidate';

/** Bounds of the connections to one channel. */
export interface ConnectionBounds {
  readonly connectionsPerChannelMax: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly keepAliveMs: number;
}

/** Connections to a channel's base URL. */
export interface ChannelConnection {
  readonly pool: OriginPool;
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string;
}

/** One connection pool per channel, following the route table. */
export interface ChannelConnections {
  get(channelId: string): ChannelConnection | undefined;
  setChannels(channels: readonly RouteChannel[]): void;
}

interface Entry {
  readonly signature: string;
  /** Absent where the address cannot be used: nothing but another address helps. */
  readonly connection: ChannelConnection | undefined;
}

/** Starts without channels; running calls keep their pool until they end. */
export function createChannelConnections(
  egress: EgressClient,
  bounds: ConnectionBounds,
  logger: Logger,
): ChannelConnections {
  const entries = new Map<string, Entry>();
  const open = (channel: RouteChannel): ChannelConnection | undefined => {
    try {
      const { origin, path } = vendorBaseOf(channel.baseUrl);
      const pool = egress.createOriginPool(origin, {
        connections: bounds.connectionsPerChannelMax,
        connectTimeoutMs: channel.timeouts.connectMs || bounds.connectTimeoutMs,
        // The first token has a bound of its own, precise to a millisecond.
        headersTimeoutMs: 0,
        bodyTimeoutMs: channel.timeouts.idleMs || bounds.idleTimeoutMs,
        keepAliveMs: bounds.keepAliveMs,
      });
      return { pool, basePath: path };
    } catch (error) {
      logger.error(
        { error, channelId: channel.id },
        'a channel has an address that cannot be used',
      );
      return undefined;
    }
  };
  const close = (channelId: string, { connection }: Entry) => {
    entries.delete(channelId);
    connection?.pool.close().catch((error: unknown) => {
      logger.warn({ error, channelId }, 'the connections of a channel did not close');
    });
  };
  return {
    get: (channelId) => entries.get(channelId)?.connection,
    setChannels(channels) {
      const wanted = new Map(channels.map((channel) => [channel.id, channel]));
      for (const [channelId, entry] of entries) {
        const channel = wanted.get(channelId);
        if (channel === undefined || signatureOf(channel) !== entry.signature) {
          close(channelId, entry);
        }
      }
      for (const channel of channels) {
        if (entries.has(channel.id)) continue;
        entries.set(channel.id, { signature: signatureOf(channel), connection: open(channel) });
      }
    },
  };
}

function signatureOf({ baseUrl, timeouts }: RouteChannel): string {
  return `${baseUrl} ${timeouts.connectMs} ${timeouts.idleMs}`;
}
