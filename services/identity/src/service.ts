import { createId, type Logger } from '@tollgate/core';
import { type EventBus, provideEventBus } from '@tollgate/events';
import { createShardLeases, type ShardLeases } from '@tollgate/jobs';
import {
  type CleanupStack,
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createLeaseStore, type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import {
  controlPlane,
  createRpcClient,
  createRpcServer,
  type RpcServer,
  readRpcSecurity,
} from '@tollgate/rpc';
import { createAdapters } from './adapters';
import { createBackgroundWork } from './background-work';
import { createBillingClient } from './clients/billing-client';
import type { IdentityConfig } from './config';
import { createIdentityHandlers } from './grpc/handlers';
import { identityPolicy } from './grpc/identity-shape';
import { withMetrics } from './metrics';
import type { FirstStartResult } from './operations/first-start';
import { createIdentityOperations } from './operations/identity-operations';
import { createLastUseTracker } from './operations/track-last-use';
import { identityMigrations } from './storage/migrations';
import { startPrincipalLog } from './storage/principal-log';

/** Identity as a module of a process. */
export interface IdentityService extends ServiceModule {
  /** What this very start made, when it was the first one; for showing once. */
  firstStart(): FirstStartCard | undefined;
  /** Resolves when the operator account has its first credit, or at the stop. */
  firstCredit(): Promise<void>;
}

/** How an operator gets in after the first start. */
export interface FirstStartCard extends FirstStartResult {
  /** As configured; absent when nobody can log in yet. */
  readonly password?: string;
}

/** Engines that the process shares between its services. */
export interface IdentityEngines {
  readonly eventBus?: EventBus;
}

const BILLING_DEADLINE_MS = 5000;

/** Wires the service; nothing is opened before `start`. */
export function createIdentityService(
  config: IdentityConfig,
  host: ServiceHost,
  engines: IdentityEngines = {},
): IdentityService {
  const { clock } = host;
  const logger = host.logger.child({ service: 'identity' });
  const cleanup = createCleanupStack();

  const store = openMongo({ uri: config.mongodbUri, appName: 'tollgate-identity', logger });
  cleanup.defer('document store', () => store.close());
  const bus = engines.eventBus ?? provideEventBus(config.kafkaBrokers, 'identity', host);
  if (engines.eventBus === undefined) cleanup.defer('event bus', () => bus.close());
  const security = readRpcSecurity(config);
  const billing = createRpcClient(controlPlane('billing'), {
    address: config.billingAddress,
    caller: 'identity',
    security,
    host,
    deadlineMs: BILLING_DEADLINE_MS,
    // One caller that already waits between its attempts.
    breaker: false,
  });
  cleanup.defer('billing client', () => billing.close());

  const adapters = createAdapters({ config, host: { ...host, logger }, store, bus, cleanup });
  const lastUse = createLastUseTracker(adapters);
  cleanup.defer('last uses', () => lastUse.flush());
  const operations = createIdentityOperations({ ...adapters, tokens: adapters.keyring, lastUse });
  const billingClient = createBillingClient(billing);
  const parts = { config, clock, logger, adapters, lastUse, billing: billingClient };
  const work = createBackgroundWork(parts);
  const holder = createId('session');
  const leader = createShardLeases({
    ...{ store: createLeaseStore(store), group: 'identity-jobs', shards: 1, holder },
    ...{ ttlMs: config.leaderTtlMs, clock, logger },
  });
  const server = createRpcServer({ listen: config.listen, security, host });
  const handlers = createIdentityHandlers(withMetrics(operations, host.metrics));
  server.addService(controlPlane('identity'), identityPolicy, handlers);

  const password = config.initOperatorPassword;
  return createModule({ store, cleanup, leader, server, work, password, logger, adapters });
}

interface ModuleParts {
  readonly store: MongoStore;
  readonly cleanup: CleanupStack;
  readonly leader: ShardLeases;
  readonly server: RpcServer;
  readonly work: ReturnType<typeof createBackgroundWork>;
  readonly password: string | undefined;
  readonly logger: Logger;
  readonly adapters: Pick<ReturnType<typeof createAdapters>, 'revisions'>;
}

/** The order in which things start and stop. */
function createModule(parts: ModuleParts): IdentityService {
  const { store, cleanup, leader, server, work, logger } = parts;
  const { revisions } = parts.adapters;
  const stopping = new AbortController();
  let card: FirstStartCard | undefined;
  let credit: Promise<void> = Promise.resolve();
  return {
    name: 'identity',
    dependsOn: [],
    async start() {
      await store.connect();
      await runMigrations(store, 'identity', identityMigrations, logger);
      await startPrincipalLog(revisions);
      await work.maintainSigningKeys();
      card = toCard(await work.firstStart(), parts.password);
      credit = work.grantFirstCredit(stopping.signal);
      const replicaJobs = work.runReplicaJobs(stopping.signal);
      cleanup.defer('replica jobs', async () => {
        stopping.abort();
        await Promise.all([replicaJobs, credit]);
      });
      leader.start(({ signal }) => work.runLeaderJobs(signal));
      cleanup.defer('leader jobs', () => leader.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    readiness: () =>
      readinessFrom([
        ...(store.isHealthy() ? [] : ['the document store is away']),
        ...(revisions.isFresh() ? [] : ['revocations cannot be read']),
      ]),
    firstStart: () => card,
    firstCredit: () => credit,
  };
}

function toCard(
  result: FirstStartResult | undefined,
  password: string | undefined,
): FirstStartCard | undefined {
  if (result === undefined) return undefined;
  return password === undefined ? result : { ...result, password };
}
