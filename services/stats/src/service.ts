import { type Clock, createTurnsByKey, DAY_MS } from '@tollgate/core';
import { HandledInPart, provideEventBus, type SharedBus } from '@tollgate/events';
import {
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createJobLeaseStore, openMongo, runMigrations } from '@tollgate/mongo';
import { createRpcClient, createRpcServer, definitionOf, readRpcSecurity } from '@tollgate/rpc';
import { createBillingLedger } from './clients/billing-client';
import type { StatsConfig } from './config';
import type { DenialStore, FigureStore, Ledger } from './domain/ports';
import { subscribeToEvents } from './events/event-consumer';
import { createStatsHandlers } from './grpc/handlers';
import { createStatsJobs } from './jobs/jobs';
import { createStatsMetrics } from './metrics';
import { createAddDenials } from './operations/add-denials';
import { type ApplyLedger, createApplyLedger } from './operations/apply-ledger';
import { createSharedAnswers } from './operations/shared-answers';
import { createDenialStore } from './storage/denial-store';
import { createFigureStore } from './storage/figure-store';
import { statsMigrations } from './storage/migrations';
import { createRefusedRequestStore } from './storage/refused-request-store';
import { applyRetention, type KeptSinceAtMs, readKeptSince } from './storage/retention';

const LEDGER_DEADLINE_MS = 5000;

/** Of the accounts that ask for their own figures. A page asks for some things at once. */
const OWN_QUERIES = { atOnceMax: 4, waitingMax: 64, waitingPerKeyMax: 16 };

/** Wires the service; nothing is opened before `start`. */
export function createStatsService(
  config: StatsConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): ServiceModule {
  const { clock } = host;
  const logger = host.logger.child({ service: 'stats' });
  const cleanup = createCleanupStack();
  const security = readRpcSecurity(config);

  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-stats', logger });
  cleanup.defer('document store', () => mongo.close());
  const bus = provideEventBus('stats', config, host, { shared: shared.eventBus, cleanup });
  const billing = createRpcClient(definitionOf('billing'), {
    address: config.billingAddress,
    ownName: 'stats',
    security,
    host,
    deadlineMs: LEDGER_DEADLINE_MS,
  });
  cleanup.defer('billing client', () => billing.close());

  const figureStore = createFigureStore(mongo);
  const denialStore = createDenialStore(mongo);
  const refusedRequests = createRefusedRequestStore(mongo);
  const stores = { figureStore, denialStore };
  const { applyLedger, addDenials } = wireWriters(config, {
    ...stores,
    ledger: createBillingLedger(billing),
    clock,
    metrics: createStatsMetrics(host.metrics),
  });

  let keptSinceAtMs: KeptSinceAtMs = { minute: 0, hour: 0 };
  const server = createRpcServer({ listen: config.listen, security, host });
  // Figures are shown by the gateway alone.
  server.addService(
    definitionOf('stats'),
    ['gateway'],
    createStatsHandlers({
      ...stores,
      refusedRequests,
      clock,
      resultsMax: config.resultsMax,
      documentsMax: config.documentsMax,
      inTurn: createTurnsByKey({ clock, ...OWN_QUERIES }),
      shared: createSharedAnswers({ clock, atOnceMax: 2, waitingMax: 64 }),
      retentionMs: {
        minute: config.minuteRetentionDays * DAY_MS,
        hour: config.hourRetentionDays * DAY_MS,
      },
      keptSinceAtMs: (granularity) => keptSinceAtMs[granularity],
    }),
  );

  return {
    name: 'stats',
    async start() {
      await mongo.connect();
      await runMigrations(mongo, 'stats', statsMigrations(config), logger);
      const { minuteRetentionDays: minute, hourRetentionDays: hour } = config;
      keptSinceAtMs = await applyRetention(mongo, { minute, hour }, clock.now());
      const jobs = createStatsJobs({
        leases: createJobLeaseStore(mongo),
        async rereadRetention() {
          keptSinceAtMs = await readKeptSince(mongo);
        },
        clock,
        logger,
      });
      jobs.start();
      cleanup.defer('jobs', () => jobs.stop());
      const subscription = await subscribeToEvents({
        bus,
        addDenials,
        eventBatchMax: config.eventBatchMax,
        applyLedger,
        addRefusedRequests: refusedRequests.add,
      });
      cleanup.defer('event consumer', () => subscription.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    readiness: () => readinessFrom(mongo.isHealthy() ? [] : ['the document store is away']),
  };
}

interface Adapters {
  readonly figureStore: FigureStore;
  readonly denialStore: DenialStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly metrics: ReturnType<typeof createStatsMetrics>;
}

/** What writes figures and denials, both in batches. */
function wireWriters(
  { lingerMs, batchEntriesMax, cachedSequencesMax }: StatsConfig,
  { metrics, ...adapters }: Adapters,
) {
  const batching = { ...adapters, lingerMs };
  const apply = createApplyLedger({ ...batching, batchEntriesMax, cachedSequencesMax });
  const applyLedger: ApplyLedger = async (entries, control) => {
    try {
      await apply(entries, control);
      metrics.entriesApplied.inc(undefined, entries.length);
    } catch (error) {
      if (!(error instanceof HandledInPart)) metrics.batchesFailed.inc();
      throw error;
    }
  };
  return {
    applyLedger,
    addDenials: createAddDenials({ ...batching, batchDenialsMax: batchEntriesMax }),
  };
}
