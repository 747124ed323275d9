import { createSealer } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { provideEventBus, type SharedBus } from '@tollgate/events';
import { runElected } from '@tollgate/jobs';
import {
  type CleanupStack,
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import {
  createIdempotencyStore,
  createJobLeaseStore,
  createReseal,
  createRevisionLog,
  NO_KEY,
  openMongo,
  runMigrations,
} from '@tollgate/mongo';
import { createRpcServer, definitionOf, readRpcSecurity } from '@tollgate/rpc';
import { createVendorProbe } from './clients/vendor-probe';
import type { RoutingConfig } from './config';
import type { Channel } from './domain/channel';
import { subscribeToIdentity } from './events/event-consumer';
import { createChannelEventPublisher } from './events/event-publisher';
import { createRoutingHandlers, routingPolicy } from './grpc/handlers';
import { createRoutingJobs } from './jobs/jobs';
import { createRoutingMetrics } from './metrics';
import { checkChannelHealth } from './operations/channel-health';
import { createChannelOperations } from './operations/channels';
import { describeVendors, prepareFirstChannel } from './operations/first-channel';
import { firstVendorsIn } from './operations/first-vendors';
import { createModelOperations } from './operations/models';
import { createOutcomeCollector } from './operations/outcome-collector';
import { createRouteTableFeed } from './operations/route-table-feed';
import { createChannelStore, SEALED_CREDENTIALS } from './storage/channel-store';
import { COLLECTIONS } from './storage/collections';
import { routingMigrations } from './storage/migrations';
import { createModelStore } from './storage/model-store';

/** Routing as a module of a process. */
export interface RoutingService extends ServiceModule {
  /** Who answered requests when it had started, for people; undefined before. */
  vendors(): string | undefined;
}

/** Everything that touches the outside, and the feed of the table, each with its end. */
function openAdapters(config: RoutingConfig, host: ServiceHost, cleanup: CleanupStack) {
  const { clock } = host;
  const logger = host.logger.child({ service: 'routing' });
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-routing', logger });
  cleanup.defer('document store', () => mongo.close());
  const egress = createEgressClient({
    allowedPrivateHosts: config.egressAllowedHosts,
    logger,
    tellsUnknownNames: true,
  });
  cleanup.defer('egress', () => egress.close());
  const log = createRevisionLog({
    store: mongo,
    name: 'routes',
    clock,
    logger,
    restingMs: ROUTES_RESTING_MS,
    keep: ROUTES_KEPT,
  });
  cleanup.defer('revision log', () => log.stop());
  const channels = createChannelStore(mongo, { clock, logger });
  const models = createModelStore(mongo, logger);
  const sealer = createSealer(config.sealingKeys, 'channel credentials');
  const openCredential = (channel: Channel) => sealer.open(channel.sealedCredential, channel.id);
  const feed = createRouteTableFeed({
    channels,
    models,
    openCredential,
    clock,
    logger,
    revision: () => log.revision(),
    changesSince: (revision) => log.since(revision),
    announce: (change) => log.append([change]),
    look: () => log.look(),
    currency: config.currency,
  });
  cleanup.defer('route table', () => feed.stop());
  const routeLog = {
    append: async (...changes: readonly string[]) => {
      await log.append(changes);
      await feed.refresh();
    },
  };
  const probe = createVendorProbe({ egress, clock, timeoutMs: config.healthTimeoutMs });
  const idempotencyClaims = createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency });
  const leases = createJobLeaseStore(mongo);
  const election = { store: leases, group: 'routing-first-channel', ttlMs: FIRST_CHANNEL_TTL_MS };
  const ports = {
    channels,
    models,
    routeLog,
    probe,
    sealer,
    openCredential,
    idempotencyClaims,
    leases,
    alone: <T>(work: () => Promise<T>) => runElected({ ...election, clock, logger }, work),
  };
  const reseal = createReseal({ store: mongo, sealer, member: SEALED_CREDENTIALS, logger });
  return { mongo, log, feed, reseal, ports: { ...ports, clock, logger } };
}

/** After a rest, a change at another replica is seen this late; no shorter time is promised. */
const ROUTES_RESTING_MS = 3_000;

/**
 * More than come while a replica rests; who missed more reads all. Each may name many channels, and
 * every replica reads all of them with each change.
 */
const ROUTES_KEPT = 20;

/** Others that start look three times as often whether they may go on. */
const FIRST_CHANNEL_TTL_MS = 3_000;

/** Wires the service; nothing is opened before `start`. */
export function createRoutingService(
  config: RoutingConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): RoutingService {
  const cleanup = createCleanupStack();
  const bus = provideEventBus('routing', config, host, { shared: shared.eventBus, cleanup });
  const { mongo, log, feed, reseal, ports } = openAdapters(config, host, cleanup);
  const { clock, logger, channels } = ports;
  createRoutingMetrics(host.metrics, feed);

  const checkHealth = async (channelId: string, model = '', signal?: AbortSignal) =>
    (await checkChannelHealth({ ...ports, signal }, channelId, model, NO_KEY)).answer;
  const outcomes = createOutcomeCollector({ ...ports, checkHealth: (id) => checkHealth(id) });
  cleanup.defer('credential checks', () => outcomes.idle());
  const jobs = createRoutingJobs({
    leases: ports.leases,
    channels,
    publisher: createChannelEventPublisher(bus),
    clock,
    logger,
    leaderTtlMs: config.leaderTtlMs,
    probeIntervalMs: config.probeIntervalMs,
    healthWriteIntervalMs: config.healthWriteIntervalMs,
    checkHealth,
    reseal,
    writeObservedHealth: () => outcomes.flush(),
  });

  const { currency, channelsMax, modelsMax } = config;
  const channelOperations = createChannelOperations({ ...ports, channelsMax });
  const security = readRpcSecurity(config);
  const server = createRpcServer({ listen: config.listen, security, host });
  server.addService(
    definitionOf('routing'),
    routingPolicy,
    createRoutingHandlers({
      feed,
      outcomes,
      currency,
      clock,
      checkHealth: (channelId, model, idempotency) =>
        checkChannelHealth(ports, channelId, model, idempotency),
      channels: channelOperations,
      models: createModelOperations({ ...ports, modelsMax }),
    }),
  );

  let vendors: string | undefined;
  return {
    name: 'routing',
    vendors: () => vendors,
    async start() {
      await mongo.connect();
      await runMigrations(mongo, 'routing', routingMigrations, logger);
      await log.start();
      // Only into the log: no table is made until all first channels are there.
      const routeLog = {
        append: async (...changes: readonly string[]) => void (await log.append(changes)),
      };
      const first = { ...ports, routeLog };
      const fault = await prepareFirstChannel(first, toFirstChannelSettings(config));
      vendors = await describeVendors(channels, fault);
      log.subscribe(log.revision(), () => void feed.refresh().catch(() => {}));
      await feed.refresh();
      jobs.start();
      cleanup.defer('jobs', () => jobs.stop());
      const identity = await subscribeToIdentity({ bus, channels: channelOperations });
      cleanup.defer('identity consumer', () => identity.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    readiness: () =>
      readinessFrom([
        ...(mongo.isHealthy() ? [] : ['the document store is away']),
        ...(feed.isReady() ? [] : ['the route table is not loaded']),
      ]),
  };
}

function toFirstChannelSettings(config: RoutingConfig) {
  const { currency, simulatorBaseUrl } = config;
  const { initPromptPrice: promptPrice, initCompletionPrice: completionPrice } = config;
  const defaultPrice = { promptPrice, completionPrice, currency };
  return { vendors: firstVendorsIn(config), simulatorBaseUrl, defaultPrice };
}
