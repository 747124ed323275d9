import { createId, delay } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { type EventBus, provideEventBus } from '@tollgate/events';
import {
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createLeaderLease, createRevisionLog, openMongo, runMigrations } from '@tollgate/mongo';
import { controlPlane, createRpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createVendorProbe } from './clients/vendor-probe';
import type { RoutingConfig } from './config';
import type { Channel } from './domain/channel';
import { createSealer } from './domain/sealing';
import { relayFacts } from './events/fact-relay';
import { createRoutingHandlers, routingPolicy } from './grpc/handlers';
import { declareRoutingMetrics } from './metrics';
import { checkChannelHealth } from './operations/check-channel-health';
import { prepareFirstChannel } from './operations/first-start';
import { createChannelOperations } from './operations/manage-channels';
import { createModelOperations } from './operations/manage-models';
import { probeDisabledChannels } from './operations/probe-disabled-channels';
import { createOutcomeCollector } from './operations/report-outcomes';
import { createRouteTableFeed } from './operations/route-table-feed';
import { createChannelStore } from './storage/channel-store';
import { routingMigrations } from './storage/migrations';
import { createModelStore } from './storage/model-store';

/** Routing as a module of a process. */
export type RoutingService = ServiceModule;

/** Engines that the process shares between its services. */
export interface RoutingEngines {
  readonly eventBus?: EventBus;
}

/** Wires the service; nothing is opened before `start`. */
export function createRoutingService(
  config: RoutingConfig,
  host: ServiceHost,
  engines: RoutingEngines = {},
): RoutingService {
  const { clock } = host;
  const logger = host.logger.child({ service: 'routing' });
  const cleanup = createCleanupStack();
  const stopping = new AbortController();

  const store = openMongo({ uri: config.mongodbUri, appName: 'tollgate-routing', logger });
  cleanup.defer('document store', () => store.close());
  const bus = engines.eventBus ?? provideEventBus(config.kafkaBrokers, 'routing', host);
  if (engines.eventBus === undefined) cleanup.defer('event bus', () => bus.close());
  const egress = createEgressClient({ allowedPrivateHosts: config.egressAllowedHosts, logger });
  cleanup.defer('egress', () => egress.close());

  const channels = createChannelStore(store, clock);
  const models = createModelStore(store);
  const log = createRevisionLog({ store, name: 'routes', clock, logger });
  cleanup.defer('revision log', () => log.stop());
  const sealer = createSealer(config.sealingKeys);
  const probe = createVendorProbe({ egress, clock, timeoutMs: config.healthTimeoutMs });
  const openCredential = (channel: Channel) => sealer.open(channel.sealedCredential, channel.id);
  const feed = createRouteTableFeed({
    channels,
    models,
    openCredential,
    revision: () => log.revision(),
    currency: config.currency,
    clock,
    logger,
  });
  cleanup.defer('route table', () => feed.stop());
  declareRoutingMetrics(host.metrics, feed);

  const changes = {
    announce: async (change: string) => {
      await log.append([change]);
      await feed.refresh();
    },
  };
  const shared = { channels, models, changes, clock, logger, probe, sealer, openCredential };
  const outcomes = createOutcomeCollector(shared);
  const checkHealth = (id: string, model: string) => checkChannelHealth(shared, id, model);
  const leader = createLeaderLease({
    store,
    name: 'routing-jobs',
    holder: createId('session'),
    ttlMs: config.leaderTtlMs,
    clock,
    logger,
  });
  const jobs = async (_fence: bigint, signal: AbortSignal): Promise<void> => {
    await Promise.all([
      relayFacts({ outbox: channels, bus, clock, logger }, signal),
      probeDisabledChannels({ ...shared, checkHealth, intervalMs: config.probeIntervalMs }, signal),
    ]);
  };
  const flushOutcomes = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await delay(clock, config.healthWriteIntervalMs, stopping.signal).catch(() => {});
      await outcomes.flush().catch((error: unknown) => {
        logger.warn({ error }, 'observed health cannot be written now');
      });
    }
  };

  const server = createRpcServer({
    listen: config.listen,
    security: readRpcSecurity(config),
    host,
  });
  server.addService(
    controlPlane('routing'),
    routingPolicy,
    createRoutingHandlers({
      feed,
      outcomes,
      checkHealth,
      channels: createChannelOperations({ ...shared, channelsMax: config.channelsMax }),
      models: createModelOperations({ ...shared, modelsMax: config.modelsMax }),
      currency: config.currency,
      clock,
    }),
  );

  return {
    name: 'routing',
    dependsOn: ['embedded-mongo', 'simulator'],
    async start() {
      await store.connect();
      await runMigrations(store, 'routing', routingMigrations, logger);
      await log.start();
      log.subscribe(log.revision(), () => void feed.refresh().catch(() => {}));
      await prepareFirstChannel(shared, toFirstStart(config));
      await feed.refresh();
      leader.start(jobs);
      cleanup.defer('leader jobs', () => leader.stop());
      const flushing = flushOutcomes();
      cleanup.defer('outcome writer', async () => {
        stopping.abort();
        await flushing;
      });
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    readiness: () =>
      readinessFrom([
        ...(store.isHealthy() ? [] : ['the document store is away']),
        ...(feed.isReady() ? [] : ['the route table is not loaded']),
      ]),
  };
}

function toFirstStart(config: RoutingConfig) {
  return {
    channelType: config.initChannelType,
    channelBaseUrl: config.initChannelBaseUrl,
    channelCredential: config.initChannelCredential,
    channelModels: config.initChannelModels,
    simulatorBaseUrl: config.simulatorBaseUrl,
    promptPrice: config.initPromptPrice,
    completionPrice: config.initCompletionPrice,
  };
}
