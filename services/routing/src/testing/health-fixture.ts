import {
  type AppError,
  type CallSummary,
  type ChannelId,
  type Logger,
  silentLogger,
} from '@tollgate/core';
import { createIdempotencyStore, openMongo } from '@tollgate/mongo';
import { createFakeClock, createRecordingLogger, createTestMongo } from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import type { ChannelStore, ProbeResult, VendorProbe } from '../domain/ports';
import { createOutcomeCollector } from '../operations/outcome-collector';
import { createChannelStore } from '../storage/channel-store';
import { createModelStore } from '../storage/model-store';
import { channelWith } from './fixtures';

export const DEAD: ProbeResult = {
  healthy: false,
  latencyMs: null,
  httpStatus: 503,
  error: 'away',
};
export const WELL: ProbeResult = { ...DEAD, healthy: true, error: '' };

export type HealthFixture = Awaited<ReturnType<typeof startHealthFixture>>;

/** A store of channels, what observes their health, and what the route log is told. */
export async function startHealthFixture() {
  const clock = createFakeClock();
  const server = await createTestMongo();
  const mongo = openMongo({ uri: server.uriFor('routing'), appName: 'test', logger: silentLogger });
  await mongo.connect();
  const channels = createChannelStore(mongo, { clock, logger: silentLogger });
  const announced: string[] = [];
  const routeLog = {
    async append(...changes: readonly string[]) {
      announced.push(...changes);
    },
  };
  const collectorOver = (other: ChannelStore, found = DEAD, logger: Logger = silentLogger) =>
    createOutcomeCollector({
      channels: other,
      routeLog,
      checkHealth: async () => ({ ...found, model: 'm' }),
      clock,
      logger,
    });
  return {
    clock,
    mongo,
    channels,
    announced,
    /** A collector that writes to another store. */
    collectorOver,
    /** A collector whose store fails as the test says, and whose checks find what it says. */
    startCollector(
      failureOf: (channelId: string) => AppError | undefined = () => undefined,
      found = DEAD,
    ) {
      const logger = createRecordingLogger();
      const failing: ChannelStore = {
        ...channels,
        async writeHealth(id, health, check) {
          const failure = failureOf(id);
          if (failure !== undefined) throw failure;
          await channels.writeHealth(id, health, check);
        },
      };
      return { collector: collectorOver(failing, found, logger), logger };
    },
    /** Checks of the channels in the store, by a vendor that the test answers for. */
    checkingBy: (probe: Pick<VendorProbe, 'check'>) => ({
      channels,
      routeLog,
      probe,
      clock,
      logger: silentLogger,
      models: createModelStore(mongo, silentLogger),
      openCredential: () => 'credential',
      idempotencyClaims: createIdempotencyStore(mongo, { collection: 'checks' }),
    }),
    async close() {
      await mongo.close();
      await server.close();
    },
  };
}

export function channelNamed(id: string, over: Partial<Channel> = {}): Channel {
  return channelWith({ id: id as ChannelId, models: [{ name: 'm', upstreamName: 'm' }], ...over });
}

/** What completion reports of one call that succeeded. */
export function successOf(channelId: string): CallSummary {
  return {
    channelId,
    model: 'm',
    kind: 'success',
    count: 1,
    latencyMs: 80,
    firstTokenMs: 12,
    breaker: 'closed',
    cooldownMs: 0,
    detail: '',
  };
}
