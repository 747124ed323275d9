import { createSealer, DAY_MS, SECOND_MS, waitAtMost } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { provideEventBus, type SharedBus } from '@tollgate/events';
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
  openMongo,
  runMigrations,
} from '@tollgate/mongo';
import { createRpcServer, definitionOf, type RpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createHttpReceiver } from './clients/http-receiver';
import type { WebhookConfig } from './config';
import type { AttemptOutcome } from './domain/attempt';
import { createAttemptPermits } from './domain/attempt-permits';
import type { DenialCount } from './domain/denial';
import { RECENT_DENIALS_KEPT_MS } from './domain/sustained-denials';
import type { WebhookEvent } from './domain/webhook-event';
import { subscribeToEvents } from './events/event-consumer';
import { createWebhookHandlers } from './grpc/handlers';
import { createDispatchJob, type DispatchJob } from './jobs/dispatch-deliveries';
import { createWebhookJobs } from './jobs/jobs';
import { createWebhookMetrics } from './metrics';
import { attemptDelivery } from './operations/attempt-delivery';
import { createDeliveryOperations } from './operations/deliveries';
import { reportDenialSpells } from './operations/denial-spells';
import { createEndDenialSpells } from './operations/end-denial-spells';
import { createEndpointOperations } from './operations/endpoints';
import { enqueueEvent } from './operations/enqueue-event';
import { eraseAccount } from './operations/erase-account';
import { createRunIsolated } from './operations/run-isolated';
import { reportSustainedDenials } from './operations/sustained-denials';
import { COLLECTIONS } from './storage/collections';
import { createDeliveryStores } from './storage/delivery-store';
import { createDenialSpellStore } from './storage/denial-spell-store';
import { createEndpointStore, SEALED_SIGNING_SECRETS } from './storage/endpoint-store';
import { createErasureStore, createRemnantStore } from './storage/erasure-store';
import { webhookMigrations } from './storage/migrations';
import { createRecentDenialsStore } from './storage/recent-denials-store';

/** How much longer than an attempt a claim holds: a claim that ends too early sends twice. */
const CLAIM_MARGIN_MS = 15_000;

/** Wires the service; nothing is opened before `start`. */
export function createWebhookService(
  config: WebhookConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): ServiceModule {
  const { clock } = host;
  const logger = host.logger.child({ service: 'webhook' });
  const cleanup = createCleanupStack();
  const bus = provideEventBus('webhook', config, host, { shared: shared.eventBus, cleanup });
  const adapters = openAdapters(config, { ...host, logger }, cleanup);
  const { mongo } = adapters;
  const dispatchJob = wireDispatchJob(config, adapters);
  const waking = { ...adapters, wakeup: dispatchJob };
  const { enqueue, reportDenials, endSpells } = wireEvents(config, waking);
  const server = wireServer(config, host, waking);
  const jobs = createWebhookJobs({
    ...adapters,
    leases: createJobLeaseStore(mongo),
    leaderTtlMs: config.leaderTtlMs,
    dispatchJob,
    endSpells,
    reseal: createReseal({ ...adapters, store: mongo, member: SEALED_SIGNING_SECRETS }),
  });

  return {
    name: 'webhook',
    async start() {
      await mongo.connect();
      await runMigrations(mongo, 'webhook', webhookMigrations, logger);
      jobs.start();
      cleanup.defer('leader jobs', () => jobs.stop());
      const subscription = await subscribeToEvents({
        bus,
        enqueue,
        reportDenials,
        eraseAccount: (accountId) => eraseAccount(adapters, accountId),
      });
      cleanup.defer('event consumer', () => subscription.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    async drain(deadlineMs) {
      // Attempts that do not end in time are cut at stop and sent again by the next leader.
      const sent = waitAtMost(clock, deadlineMs, dispatchJob.drain());
      await Promise.all([server.drain(deadlineMs), sent]);
    },
    stop: () => cleanup.run(),
    readiness: () => readinessFrom(mongo.isHealthy() ? [] : ['the document store is away']),
  };
}

type Adapters = ReturnType<typeof openAdapters>;
type WakingAdapters = Adapters & { readonly wakeup: DispatchJob };

/** Everything that touches the outside, each with its end. */
function openAdapters(config: WebhookConfig, host: ServiceHost, cleanup: CleanupStack) {
  const { clock, logger } = host;
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-webhook', logger });
  cleanup.defer('document store', () => mongo.close());
  const egress = createEgressClient({
    allowedPrivateHosts: config.allowedHosts,
    allowedBy: 'TOLLGATE_WEBHOOK_ALLOWED_HOSTS',
    singleRequestsMax: config.attemptsAtOnceMax,
    logger,
    clock,
  });
  cleanup.defer('egress', () => egress.close());
  const permits = createAttemptPermits({
    total: config.attemptsAtOnceMax,
    perEndpoint: config.attemptsAtOncePerEndpointMax,
  });
  const metrics = createWebhookMetrics(host.metrics, () => permits.taken);
  return {
    mongo,
    endpoints: createEndpointStore(mongo),
    ...createDeliveryStores(mongo, config.deliveryRetentionDays * DAY_MS),
    erasures: createErasureStore(mongo),
    idempotencyClaims: createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency }),
    denialSpells: createDenialSpellStore(mongo),
    recentDenials: createRecentDenialsStore(mongo, {
      retentionMs: RECENT_DENIALS_KEPT_MS,
      now: () => clock.now(),
    }),
    remnants: createRemnantStore(mongo),
    receiver: createHttpReceiver({
      egress,
      clock,
      timeoutMs: config.attemptTimeoutMs,
      retryAfterMsMax: config.retryAfterSecondsMax * SECOND_MS,
    }),
    sealer: createSealer(config.sealingKeys, 'webhook secrets'),
    permits,
    metrics,
    runIsolated: createRunIsolated(logger, () => metrics.endpointFaults.inc()),
    clock,
    logger,
  };
}

/** The job that sends deliveries. */
function wireDispatchJob(config: WebhookConfig, adapters: Adapters): DispatchJob {
  const { metrics } = adapters;
  const options = {
    ...adapters,
    disableAfterMs: config.disableAfterDays * DAY_MS,
    random: Math.random,
    onAttempt(outcome: AttemptOutcome['kind'], durationMs: number) {
      metrics.attempts.inc({ outcome });
      metrics.attemptSeconds.observe(durationMs / SECOND_MS);
    },
    onAutoDisabled: () => metrics.endpointsDisabled.inc(),
  };
  return createDispatchJob({
    ...adapters,
    pollIntervalMs: config.pollIntervalMs,
    claimMs: config.attemptTimeoutMs + CLAIM_MARGIN_MS,
    attempt: (attempt, signal) => attemptDelivery(options, attempt, signal),
  });
}

/** The consumers that turn events into deliveries. */
function wireEvents(config: WebhookConfig, adapters: WakingAdapters) {
  const { metrics } = adapters;
  const options = {
    ...adapters,
    pendingMax: config.pendingMax,
    onAppended: () => metrics.deliveriesCreated.inc(),
    onAutoDisabled: () => metrics.endpointsDisabled.inc(),
  };
  const enqueue = (event: WebhookEvent) => enqueueEvent(options, event);
  const rule = {
    windowsNeeded: config.denialWindows,
    quietMs: config.denialQuietSeconds * SECOND_MS,
  };
  const reporting = { ...adapters, rule, enqueue };
  const reportDenials = async (denials: readonly DenialCount[]) => {
    const ofLimits = denials.filter(({ isLimit }) => isLimit);
    await reportSustainedDenials(reporting, ofLimits);
    await reportDenialSpells(reporting, denials);
  };
  return { enqueue, reportDenials, endSpells: createEndDenialSpells(reporting) };
}

/** The operations that accounts call. */
function wireServer(config: WebhookConfig, host: ServiceHost, adapters: WakingAdapters): RpcServer {
  const endpoints = createEndpointOperations({ ...adapters, endpointsMax: config.endpointsMax });
  const deliveries = createDeliveryOperations({
    ...adapters,
    endpoints,
    testsPendingMax: config.testsPendingMax,
  });
  const security = readRpcSecurity(config);
  const server = createRpcServer({ listen: config.listen, security, host });
  // Only the gateway calls, for the account that it authenticated.
  server.addService(
    definitionOf('webhook'),
    ['gateway'],
    createWebhookHandlers({ endpoints, deliveries }),
  );
  return server;
}
