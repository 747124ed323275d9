import { createId, toAppError } from '@tollgate/core';
import { type EventBus, provideEventBus } from '@tollgate/events';
import {
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createLeaderLease, openMongo, runMigrations } from '@tollgate/mongo';
import { controlPlane, createRpcClient, createRpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createAdapters } from './adapters';
import { createBillingClient } from './clients/billing-client';
import type { IdentityConfig } from './config';
import { createIdentityHandlers } from './grpc/handlers';
import { identityPolicy } from './grpc/identity-shape';
import { repeat } from './jobs';
import { withMetrics } from './metrics';
import { createFirstStart, type FirstStartResult } from './operations/first-start';
import { createGrantFirstCredit } from './operations/grant-first-credit';
import { createIdentityOperations } from './operations/identity-operations';
import { createMaintainSigningKeys } from './operations/maintain-signing-keys';
import { createNotifyExpiringKeys } from './operations/notify-expiring-keys';
import { createLastUseTracker } from './operations/track-last-use';
import { identityMigrations } from './storage/migrations';

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
const SIGNING_KEY_CHECK_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Wires the service; nothing is opened before `start`. */
export function createIdentityService(
  config: IdentityConfig,
  host: ServiceHost,
  engines: IdentityEngines = {},
): IdentityService {
  const { clock } = host;
  const logger = host.logger.child({ service: 'identity' });
  const cleanup = createCleanupStack();
  const stopping = new AbortController();

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
    breaker: false,
  });
  cleanup.defer('billing client', () => billing.close());

  const adapters = createAdapters({ config, host: { ...host, logger }, store, bus, cleanup });
  const { keyring, keys, firstStarts, revisions, relay } = adapters;
  const lastUse = createLastUseTracker(adapters);
  cleanup.defer('last uses', () => lastUse.flush());
  const operations = withMetrics(
    createIdentityOperations({ ...adapters, tokens: keyring, lastUse }),
    host.metrics,
  );
  const rotateAfterMs = config.signingKeyRotateDays * DAY_MS;
  const maintainSigningKeys = createMaintainSigningKeys({ ...adapters, rotateAfterMs });
  const makeFirstStart = createFirstStart({
    ...adapters,
    email: config.initOperatorEmail,
    password: config.initOperatorPassword,
    plan: config.initPlan,
  });
  const grantFirstCredit = createGrantFirstCredit({
    clock,
    logger,
    firstStarts,
    billing: createBillingClient(billing),
    amount: config.initCredit,
  });

  const leader = createLeaderLease({
    store,
    name: 'identity-jobs',
    holder: createId('session'),
    ttlMs: config.leaderTtlMs,
    clock,
    logger,
  });
  const notifyExpiringKeys = createNotifyExpiringKeys({ clock, keys, relay });
  const jobs = createJobs(config, { clock, logger }, { relay, notifyExpiringKeys });
  const server = createRpcServer({ listen: config.listen, security, host });
  server.addService(controlPlane('identity'), identityPolicy, createIdentityHandlers(operations));

  let card: FirstStartCard | undefined;
  let credit: Promise<void> = Promise.resolve();

  return {
    name: 'identity',
    dependsOn: ['embedded-mongo'],
    async start() {
      await store.connect();
      await runMigrations(store, 'identity', identityMigrations, logger);
      await revisions.start();
      await maintainSigningKeys();
      card = toCard(await makeFirstStart(), config.initOperatorPassword);
      credit = grantFirstCredit(stopping.signal).catch((error: unknown) => {
        logger.error({ error: toAppError(error) }, 'the first credit cannot be granted');
      });
      const replicaJobs = Promise.all([
        repeat(
          { name: 'signing-keys', intervalMs: SIGNING_KEY_CHECK_MS, run: maintainSigningKeys },
          { clock, logger },
          stopping.signal,
        ),
        repeat(
          { name: 'last-uses', intervalMs: config.lastUseFlushMs, run: () => lastUse.flush() },
          { clock, logger },
          stopping.signal,
        ),
      ]);
      cleanup.defer('replica jobs', async () => {
        stopping.abort();
        await Promise.all([replicaJobs, credit]);
      });
      leader.start(jobs);
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

interface LeaderWork {
  readonly relay: { relayPending(): Promise<number> };
  notifyExpiringKeys(): Promise<number>;
}

/** What one replica does for all. */
function createJobs(
  config: IdentityConfig,
  host: Pick<ServiceHost, 'clock' | 'logger'>,
  work: LeaderWork,
) {
  const { relayIntervalMs, expiryCheckIntervalMs } = config;
  return async (_fence: bigint, signal: AbortSignal): Promise<void> => {
    const relaying = {
      name: 'fact-relay',
      intervalMs: relayIntervalMs,
      run: () => work.relay.relayPending(),
    };
    const noticing = {
      name: 'expiry-notices',
      intervalMs: expiryCheckIntervalMs,
      run: () => work.notifyExpiringKeys(),
    };
    await Promise.all([repeat(relaying, host, signal), repeat(noticing, host, signal)]);
  };
}

function toCard(
  result: FirstStartResult | undefined,
  password: string | undefined,
): FirstStartCard | undefined {
  if (result === undefined) return undefined;
  return password === undefined ? result : { ...result, password };
}
