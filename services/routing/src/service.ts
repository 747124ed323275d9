import { createId, createSealer, delay } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { type EventBus, provideEventBus } from '@tollgate/events';
import { NO_KEY } from '@tollgate/idempotency';
import { createShardLeases, type ShardTerm } from '@tollgate/jobs';
import {
  type CleanupStack,
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import {
  createIdempotencyStore,
  createLeaseStore,
  createRevisionLog,
  openMongo,
  runMigrations,
} from '@tollgate/mongo';
import { controlPlane, createRpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createVendorProbe } from './clients/vendor-probe';
import type { RoutingConfig } from './config';
import type { Channel } from './domain/channel';
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

/** What the edges and the jobs of the service share. */
type Parts = ReturnType<typeof createParts>;

/** Stores, clients and operations, each with its clean-up on the next line. */
function createParts(config: RoutingConfig, host: ServiceHost, cleanup: CleanupStack) {
  const { clock } = host;
  const logger = host.logger.child({ service: 'routing' });
  const store = openMongo({ uri: config.mongodbUri, appName: 'tollgate-routing', logger });
  cleanup.defer('document store', () => store.close());
  const egress = createEgressClient({ allowedPrivateHosts: config.egressAllowedHosts, logger });
  cleanup.defer('egress', () => egress.close());
  const log = createRevisionLog({ store, name: 'routes', clock, logger });
  cleanup.defer('revision log', () => log.stop());
  const channels = createChannelStore(store, clock);
  const models = createModelStore(store);
  const sealer = createSealer(config.sealingKeys, 'channel credentials');
  const openCredential = (channel: Channel) => sealer.open(channel.sealedCredential, channel.id);
  const feed = createRouteTableFeed({
    ...{ channels, models, openCredential, clock, logger },
    revision: () => log.revision(),
    currency: config.currency,
  });
  cleanup.defer('route table', () => feed.stop());
  const changes = {
    announce: async (change: string) => {
      await log.append([change]);
      await feed.refresh();
    },
  };
  const probe = createVendorProbe({ egress, clock, timeoutMs: config.healthTimeoutMs });
  const operationPorts = {
    channels,
    models,
    changes,
    clock,
    logger,
    probe,
    sealer,
    openCredential,
    idempotency: createIdempotencyStore(store, {
      collection: 'routing_idempotency',
      writesRunsUntil: true,
    }),
  };
  return {
    ...operationPorts,
    ...{ store, log, feed, operationPorts },
    outcomes: createOutcomeCollector(operationPorts),
    checkHealth: (id: string, model: string, idempotency = NO_KEY) =>
      checkChannelHealth(operationPorts, id, model, idempotency),
  };
}

/** Jobs that run once among the replicas. */
function createJobs(config: RoutingConfig, parts: Parts, bus: EventBus) {
  const { channels: outbox, clock, logger, store, operationPorts, checkHealth } = parts;
  const leader = createShardLeases({
    ...{ store: createLeaseStore(store), group: 'routing-jobs', shards: 1, clock, logger },
    holder: createId('session'),
    ttlMs: config.leaderTtlMs,
  });
  const lead = async ({ signal }: ShardTerm): Promise<void> => {
    const probing = { ...operationPorts, checkHealth, intervalMs: config.probeIntervalMs };
    await Promise.all([
      relayFacts({ outbox, bus, clock, logger }, signal),
      probeDisabledChannels(probing, signal),
    ]);
  };
  return {
    start: () => leader.start(lead),
    stop: () => leader.stop(),
  };
}

/** Writes observed health now and then, on every replica, until the signal aborts. */
async function flushOutcomes(parts: Parts, intervalMs: number, signal: AbortSignal): Promise<void> {
  const { clock, logger, outcomes } = parts;
  while (!signal.aborted) {
    await delay(clock, intervalMs, signal).catch(() => {});
    await outcomes.flush().catch((error: unknown) => {
      logger.warn({ error }, 'observed health cannot be written now');
    });
  }
}

/** Wires the service; nothing is opened before `start`. */
export function createRoutingService(
  config: RoutingConfig,
  host: ServiceHost,
  engines: RoutingEngines = {},
): RoutingService {
  const cleanup = createCleanupStack();
  const stopping = new AbortController();
  const bus = engines.eventBus ?? provideEventBus(config.kafkaBrokers, 'routing', host);
  if (engines.eventBus === undefined) cleanup.defer('event bus', () => bus.close());
  const parts = createParts(config, host, cleanup);
  const { clock, feed, log, logger, operationPorts, store } = parts;
  declareRoutingMetrics(host.metrics, feed);
  const jobs = createJobs(config, parts, bus);

  const { currency, channelsMax, modelsMax } = config;
  const security = readRpcSecurity(config);
  const server = createRpcServer({ listen: config.listen, security, host });
  server.addService(
    controlPlane('routing'),
    routingPolicy,
    createRoutingHandlers({
      ...{ feed, currency, clock, outcomes: parts.outcomes, checkHealth: parts.checkHealth },
      channels: createChannelOperations({ ...operationPorts, channelsMax }),
      models: createModelOperations({ ...operationPorts, modelsMax }),
    }),
  );

  return {
    name: 'routing',
    dependsOn: ['simulator'],
    async start() {
      await store.connect();
      await runMigrations(store, 'routing', routingMigrations, logger);
      await log.start();
      log.subscribe(log.revision(), () => void feed.refresh().catch(() => {}));
      await prepareFirstChannel(operationPorts, toFirstStart(config));
      await feed.refresh();
      jobs.start();
      cleanup.defer('leader jobs', () => jobs.stop());
      const flushing = flushOutcomes(parts, config.healthWriteIntervalMs, stopping.signal);
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
