import { DAY_MS } from '@tollgate/core';
import { provideEventBus, type SharedBus, type Subscription } from '@tollgate/events';
import { type JobLeaseStore, type Jobs, runElected } from '@tollgate/jobs';
import {
  type CleanupStack,
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createJobLeaseStore, type MongoStore, openMongo, runMigrations } from '@tollgate/mongo';
import {
  createRpcClient,
  createRpcServer,
  definitionOf,
  type RpcServer,
  readRpcSecurity,
} from '@tollgate/rpc';
import { openAdapters, startPrincipalLog } from './adapters';
import { createBillingClient } from './clients/billing-client';
import type { IdentityConfig } from './config';
import type { BillingClient } from './domain/ports';
import { subscribeToSystemActs } from './events/system-acts-consumer';
import { createIdentityHandlers } from './grpc/handlers';
import { createIdentityJobs } from './jobs/jobs';
import { createIdentityMetrics } from './metrics';
import { type FirstStartResult, grantFirstCredit, runFirstStart } from './operations/first-start';
import { createIdentityOperations } from './operations/operations';
import { maintainSigningKeys } from './operations/signing-keys';
import { identityMigrations } from './storage/migrations';

/** Identity as a module of a process. */
export interface IdentityService extends ServiceModule {
  /** The operator that this start made, when it was the first one; for showing once. */
  firstStart(): FirstStartResult | undefined;
}

const BILLING_DEADLINE_MS = 5000;

/** How long a first start may be silent before another replica goes on in its place. */
const FIRST_START_TTL_MS = 3_000;

/** Wires the service; nothing is opened before `start`. */
export function createIdentityService(
  config: IdentityConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): IdentityService {
  const logger = host.logger.child({ service: 'identity' });
  const cleanup = createCleanupStack();

  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-identity', logger });
  cleanup.defer('document store', () => mongo.close());
  const bus = provideEventBus('identity', config, host, { shared: shared.eventBus, cleanup });
  const security = readRpcSecurity(config);
  const billing = createRpcClient(definitionOf('billing'), {
    address: config.billingAddress,
    ownName: 'identity',
    security,
    host,
    deadlineMs: BILLING_DEADLINE_MS,
    // Only the first credit is asked for, and it waits between its attempts itself.
    breaker: false,
  });
  cleanup.defer('billing client', () => billing.close());

  const metrics = createIdentityMetrics(host.metrics);
  const adapters = openAdapters({
    config,
    host: { ...host, logger },
    metrics,
    mongo,
    bus,
    cleanup,
  });
  const operations = createIdentityOperations(adapters);
  const server = createRpcServer({ listen: config.listen, security, host });
  const handlers = createIdentityHandlers(metrics.countOutcomes(operations));
  // Only the gateway asks identity; everybody else gets what it needs with the request.
  server.addService(definitionOf('identity'), ['gateway'], handlers);

  const rotateAfterMs = config.signingKeyRotateDays * DAY_MS;
  const prepareSigningKeys = () => maintainSigningKeys({ ...adapters, rotateAfterMs });
  const leases = createJobLeaseStore(mongo);
  const jobs = createIdentityJobs({
    ...adapters,
    ...config,
    leases,
    maintainSigningKeys: prepareSigningKeys,
  });
  const firstStart = createFirstStart(
    config,
    { ...adapters, leases },
    createBillingClient(billing),
  );
  const { recordSystemAct } = operations;
  const followSystemActs = () => subscribeToSystemActs({ bus, recordSystemAct });
  return createModule({
    mongo,
    cleanup,
    server,
    jobs,
    prepareSigningKeys,
    followSystemActs,
    firstStart,
    adapters,
  });
}

type Adapters = ReturnType<typeof openAdapters>;

/** The first start with what configuration says about it. */
function createFirstStart(
  config: IdentityConfig,
  adapters: Adapters & { readonly leases: JobLeaseStore },
  billing: BillingClient,
) {
  const { initOperatorEmail: email, initOperatorPassword: password, initPlan: plan } = config;
  const { clock, logger, firstStarts, leases } = adapters;
  const election = { store: leases, group: 'identity-first-start', ttlMs: FIRST_START_TTL_MS };
  const alone = <T>(work: () => Promise<T>) => runElected({ ...election, clock, logger }, work);
  const credit = { clock, logger, firstStarts, billing, amount: config.initCredit };
  return {
    run: () => runFirstStart({ ...adapters, alone, email, password, plan }),
    grantCredit: (signal: AbortSignal) => grantFirstCredit(credit, signal),
  };
}

interface ModuleDependencies {
  readonly mongo: MongoStore;
  readonly cleanup: CleanupStack;
  readonly server: RpcServer;
  readonly jobs: Jobs;
  readonly firstStart: ReturnType<typeof createFirstStart>;
  readonly adapters: Pick<Adapters, 'logger' | 'principalLog'>;
  prepareSigningKeys(): Promise<void>;
  followSystemActs(): Promise<Subscription>;
}

/** The order in which things start and stop. */
function createModule(deps: ModuleDependencies): IdentityService {
  const { mongo, cleanup, server, jobs, firstStart } = deps;
  const { logger, principalLog } = deps.adapters;
  const stopping = new AbortController();
  let made: FirstStartResult | undefined;
  return {
    name: 'identity',
    async start() {
      await mongo.connect();
      await runMigrations(mongo, 'identity', identityMigrations, logger);
      await startPrincipalLog(principalLog);
      await deps.prepareSigningKeys();
      made = await firstStart.run();
      const credit = firstStart.grantCredit(stopping.signal);
      cleanup.defer('first credit', async () => {
        stopping.abort();
        await credit;
      });
      const systemActs = await deps.followSystemActs();
      cleanup.defer('event consumer', () => systemActs.stop());
      jobs.start();
      cleanup.defer('background jobs', () => jobs.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    readiness: () =>
      readinessFrom([
        ...(mongo.isHealthy() ? [] : ['the document store is away']),
        ...(principalLog.isFresh() ? [] : ['revocations cannot be read']),
      ]),
    firstStart: () => made,
  };
}
