import { type ChannelType, type Logger, silentLogger } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { createFakeClock } from '@tollgate/testkit';
import { createAnswerRoom } from '../domain/answer-room';
import type { AnswerPiece, VendorCall, VendorStream } from '../domain/vendor';
import type { RouteChannel } from '../routing/candidate';
import { createChannelConnections } from '../vendors/channel-connections';
import { createChannelMonitor } from '../vendors/health/channel-monitor';
import { createRefusalLog } from '../vendors/refusal-log';
import { createVectorReader, type VectorReader } from '../vendors/vectors';
import { createVendorClient, type VendorBounds } from '../vendors/vendor-client';
import { exampleCall } from './vendor-call';
import { startVendorServer } from './vendor-server';

/** Bounds of the client of a test. */
export const CLIENT_BOUNDS: VendorBounds = {
  headTimeoutMs: 5_000,
  wholeHeadTimeoutMs: 8_000,
  connectTimeoutMs: 1000,
  firstTokenTimeoutMs: 10_000,
  totalTimeoutMs: 20_000,
  answerBytesMax: 10_000,
  streamBytesMax: 16_384,
  lineBytesMax: 10_000,
  retryAfterMsMax: 1000,
};

/** What differs between clients of tests. */
export interface ClientOptions {
  readonly type?: ChannelType;
  readonly connectionsPerChannelMax?: number;
  readonly heldBytesMax?: number;
  readonly answerBytesMax?: number;
  readonly logger?: Logger;
  readonly vectors?: Pick<VectorReader, 'read'>;
}

/** The real client of one channel whose vendor does what a test says. */
export type StartedClient = Awaited<ReturnType<typeof startVendorClient>>;

/** On a clock that stands still, so that no bound is met before a test says so. */
export async function startVendorClient(options: ClientOptions) {
  const { connectionsPerChannelMax = 8, heldBytesMax = 20_000, logger = silentLogger } = options;
  const { answerBytesMax = CLIENT_BOUNDS.answerBytesMax } = options;
  const vendor = await startVendorServer();
  const clock = createFakeClock();
  const egress = createEgressClient({ allowedPrivateHosts: ['127.0.0.1'], logger });
  const monitor = createChannelMonitor(
    { failurePercent: 50, callsMin: 10, openMs: 1000, breakersMax: 100 },
    clock,
  );
  const rooms = {
    answers: createAnswerRoom(heldBytesMax, 'held'),
    lines: createAnswerRoom(9_000, 'lines'),
  };
  // The one bound that is time of the machine: no pause of it may end a connection's making.
  const connections = { connectionsPerChannelMax, connectTimeoutMs: 10_000 };
  const crowded: string[] = [];
  const channelConnections = createChannelConnections(
    egress,
    { ...connections, idleTimeoutMs: 60_000, keepAliveMs: 60_000 },
    logger,
    {
      onCrowded: ({ id }, became) => void crowded.push(`${id} ${became}`),
      hasPlace: monitor.hasPlace,
    },
  );
  const refusals = createRefusalLog({ logger, clock });
  const vectors = createVectorReader(clock);
  const wentPastAsked: string[] = [];
  const onPastAsked = ({ id }: RouteChannel) => void wentPastAsked.push(id);
  const parts = {
    connections: channelConnections,
    monitor,
    clock,
    rooms,
    refusals,
    vectors: options.vectors ?? vectors,
    onPastAsked,
  };
  const client = createVendorClient({ ...parts, bounds: { ...CLIENT_BOUNDS, answerBytesMax } });
  const { candidate } = exampleCall();
  const { type = candidate.channel.type } = options;
  const channel = { ...candidate.channel, type, baseUrl: vendor.baseUrl };
  client.setChannels([channel]);
  return {
    rooms,
    client,
    clock,
    crowded,
    wentPastAsked,
    /** Of the calls since it was last asked, as routing is told of them. */
    takeOutcomes: () => monitor.takeOutcomes().map(({ kind }) => kind),
    vendor,
    channel,
    call: (changes: Partial<VendorCall> = {}) =>
      exampleCall({ candidate: { ...candidate, channel }, ...changes }),
    async close() {
      await vectors.close();
      await egress.close();
      await vendor.close();
    },
  };
}

/** Every piece of a stream; rejects when it is cut. */
export async function piecesOf(stream: VendorStream): Promise<readonly AnswerPiece[]> {
  const all: AnswerPiece[] = [];
  for (let pieces = await stream.next(); pieces !== undefined; pieces = await stream.next()) {
    all.push(...pieces);
  }
  return all;
}
