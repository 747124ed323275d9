import { type Logger, vendorBaseOf } from '@tollgate/core';
import type { CrowdedExchange, EgressClient, OriginPool } from '@tollgate/egress';
import type { RouteChannel } from '../routing/candidate';

/** Bounds of the connections to one channel. */
export interface ConnectionBounds {
  /** Accounts share them: one has at most as many as it leaves free. */
  readonly connectionsPerChannelMax: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly keepAliveMs: number;
}

/** Connections to a channel's base URL. */
export interface ChannelConnection {
  readonly pool: OriginPool;
  /** As the route table has it now: a request may have been planned for another one. */
  readonly baseUrl: string;
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string;
}

/** One connection pool per channel, following the route table. */
export interface ChannelConnections {
  get(channelId: string): ChannelConnection | undefined;
  setChannels(channels: readonly RouteChannel[]): void;
}

/** What is known of channels beside their connections. */
export interface ConnectionOwner {
  /** A call of the channel waits for a connection that its account may have, or is refused. */
  onCrowded(channel: RouteChannel, became: CrowdedExchange): void;
  /** Whether the channel takes one more call at once. */
  hasPlace(channelId: string): boolean;
}

interface Entry {
  /** As it is called now: a new name opens no new connections. */
  channel: RouteChannel;
  readonly signature: string;
  /** Absent where the address cannot be used: nothing but another address helps. */
  readonly connection: ChannelConnection | undefined;
}

/** Starts without channels; running calls keep their pool until they end. */
export function createChannelConnections(
  egress: EgressClient,
  bounds: ConnectionBounds,
  logger: Logger,
  owner: ConnectionOwner,
): ChannelConnections {
  const entries = new Map<string, Entry>();
  const open = (channel: RouteChannel): ChannelConnection | undefined => {
    const { baseUrl } = channel;
    try {
      const { origin, path } = vendorBaseOf(baseUrl);
      const pool = egress.createOriginPool(origin, {
        connections: bounds.connectionsPerChannelMax,
        connectTimeoutMs: channel.timeouts.connectMs || bounds.connectTimeoutMs,
        bodyTimeoutMs: channel.timeouts.idleMs || bounds.idleTimeoutMs,
        keepAliveMs: bounds.keepAliveMs,
        onCrowded: (became) => owner.onCrowded(entries.get(channel.id)?.channel ?? channel, became),
        mayLeaveQueue: () => owner.hasPlace(channel.id),
      });
      return { pool, baseUrl, basePath: path };
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
        const known = entries.get(channel.id);
        if (known !== undefined) {
          known.channel = channel;
          continue;
        }
        const signature = signatureOf(channel);
        entries.set(channel.id, { channel, signature, connection: open(channel) });
      }
    },
  };
}

function signatureOf({ baseUrl, timeouts }: RouteChannel): string {
  return `${baseUrl} ${timeouts.connectMs} ${timeouts.idleMs}`;
}
