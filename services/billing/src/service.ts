import { randomBytes } from 'node:crypto';
import { createSealer, createTurnsByKey } from '@tollgate/core';
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
  type MongoStore,
  openMongo,
  runIdempotently,
  runMigrations,
} from '@tollgate/mongo';
import { createRpcServer, definitionOf, readRpcSecurity } from '@tollgate/rpc';
import { createLeaseHolders } from './clients/completion-client';
import { type BillingConfig, toBillingSettings } from './config';
import type { AccountStore } from './domain/ports';
import { createDeadLetters } from './events/dead-letter-publisher';
import { subscribeToIdentity, subscribeToUsage } from './events/event-consumers';
import { createJournalPublisher } from './events/journal-publisher';
import { createSettlementSpacing } from './events/settlement-spacing';
import { billingPolicy, createBillingHandlers } from './grpc/handlers';
import { createBillingJobs } from './jobs/jobs';
import { createBillingMetrics } from './metrics';
import type { BillingHost, IdempotentRunner } from './operations/dependencies';
import { createListLedger } from './operations/ledger';
import { createOperations } from './operations/operations';
import { createParts } from './operations/parts';
import type { SearchDependencies } from './operations/search-ledger';
import { createPlanThresholds } from './operations/thresholds';
import { createAccountStore } from './storage/account-store';
import { createAnswerStore } from './storage/answer-store';
import { createAuditMarkStore, createAuditResultStore } from './storage/audit-store';
import { createClaimStore } from './storage/claim-store';
import { createCodeStore } from './storage/code-store';
import { COLLECTIONS } from './storage/collections';
import { requireSameCurrency } from './storage/currency-store';
import { createErasureStore } from './storage/erasure-store';
import { createLedgerQueries } from './storage/ledger-queries';
import { createLedgerStore } from './storage/ledger-store';
import { billingMigrations } from './storage/migrations';
import { createOutboxStore } from './storage/outbox-store';
import { createPlanStore } from './storage/plan-store';
import { createQuarantineStore } from './storage/quarantine-store';
import { createStatementStore } from './storage/statement-store';

/** Wires the service; nothing is opened before `start`. */
export function createBillingService(
  config: BillingConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): ServiceModule {
  const { clock } = host;
  const logger = host.logger.child({ service: 'billing' });
  const cleanup = createCleanupStack();
  const security = readRpcSecurity(config);
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-billing', logger });
  const metrics = createBillingMetrics(host.metrics);
  const billingHost = { clock, logger, metrics };
  const { shared: sharedStores, own: ownStores } = createStores(mongo, billingHost);
  const planThresholds = createPlanThresholds(ownStores.plans);
  const settings = toBillingSettings(config, planThresholds.of);
  cleanup.defer('document store', () => mongo.close());
  const bus = provideEventBus('billing', config, host, { shared: shared.eventBus, cleanup });
  const { recallDeadlineMs: deadlineMs, holderClientsMax: clientsMax } = config;
  const holders = createLeaseHolders({ security, host, deadlineMs, clientsMax });
  cleanup.defer('lease holders', () => holders.close());

  const publishing = { bus, clock, publishTimeoutMs: config.publishTimeoutMs };
  const searches = openSearches(config, { store: sharedStores.store, logger, clock, cleanup });
  const operations = createOperations({
    parts: createParts({ ...sharedStores, ...billingHost, holders, settings }),
    publisher: createJournalPublisher({ ...publishing, currency: config.currency }),
    deadLetters: createDeadLetters(publishing),
    ...ownStores,
    search: searches.search,
    listForStatements: searches.listForStatements,
    runIdempotently: createIdempotentRunner(mongo, billingHost),
    randomBytes,
    sealer: createSealer(config.sealingKeys, 'answers'),
    currency: config.currency,
    answerBytesMax: config.answerBytesPerAccountMax,
    auditIntervalMs: config.auditIntervalMs,
  });
  const jobs = createBillingJobs({
    operations,
    settings,
    planThresholds,
    jobLeases: createJobLeaseStore(mongo),
    leaderTtlMs: config.leaderTtlMs,
    auditIntervalMs: config.auditIntervalMs,
    clock,
    logger,
  });

  const server = createRpcServer({ listen: config.listen, security, host });
  const { bounds } = settings;
  const { currency } = config;
  const handlers = createBillingHandlers({ operations, bounds, currency, logger });
  server.addService(definitionOf('billing'), billingPolicy, handlers);

  return {
    name: 'billing',
    async start() {
      await Promise.all([mongo.connect(), searches.connect()]);
      await runMigrations(mongo, 'billing', billingMigrations, logger);
      await requireSameCurrency(mongo, config.currency);
      cleanup.defer('journals', () => operations.journals.close());
      // Until a job reads them, accounts have their own thresholds or the usual ones.
      await planThresholds.refresh().catch((error: unknown) => {
        logger.error({ error }, 'the thresholds of plans cannot be read yet');
      });
      jobs.start();
      cleanup.defer('jobs', () => jobs.stop());
      const { usageBatchMax: batchMax, settleIntervalMs: intervalMs } = config;
      const spacing = createSettlementSpacing({ clock, intervalMs, batchMax });
      const settle = operations.settleUsage;
      const subscription = await subscribeToUsage({ bus, settle, batchMax, spacing });
      cleanup.defer('usage consumer', () => subscription.stop());
      const identityEvents = await subscribeToIdentity({ bus, operations });
      cleanup.defer('identity consumer', () => identityEvents.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    // Without the event bus leases and settlement by gRPC go on, so it does not count here.
    readiness: () => readinessFrom(mongo.isHealthy() ? [] : ['the document store is away']),
  };
}

/**
 * The stores that operations share, and those that one has for its own. Commands to those that every
 * request uses are counted.
 */
function createStores(
  mongo: MongoStore,
  { logger, metrics }: Pick<BillingHost, 'logger' | 'metrics'>,
) {
  const { countCommands } = metrics;
  return {
    shared: {
      store: countCommands('accounts', createAccountStore(mongo)),
      outbox: countCommands('outbox', createOutboxStore(mongo)),
      ledger: countCommands('ledger', createLedgerStore(mongo)),
      claims: createClaimStore(mongo),
      quarantineStore: createQuarantineStore(mongo),
    },
    own: {
      answers: createAnswerStore(mongo),
      auditMarks: createAuditMarkStore(mongo),
      auditResults: createAuditResultStore(mongo),
      codes: createCodeStore(mongo),
      erasures: createErasureStore(mongo),
      plans: createPlanStore(mongo, logger),
      statements: createStatementStore(mongo),
    },
  };
}

function createIdempotentRunner(
  mongo: MongoStore,
  { clock, logger }: Pick<BillingHost, 'clock' | 'logger'>,
): IdempotentRunner {
  const idempotencyClaims = createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency });
  return (work) => runIdempotently({ idempotencyClaims, clock, logger }, work);
}

const SEARCHES_AT_ONCE_MAX = 3;
/** Entries of the ledger that one page of a search looks at. */
const SCANNED_MAX = 5_000;
const SEARCHES = { atOnceMax: SEARCHES_AT_ONCE_MAX, waitingMax: 32, waitingPerKeyMax: 8 };

/** Of statements, each of which reads one page at a time. */
const STATEMENT_READS_AT_ONCE_MAX = 4;

/**
 * What people look for in the ledger, and what statements are summed up from, is read by connections
 * of its own: leases never wait for it.
 */
function openSearches(
  config: BillingConfig,
  { store, clock, logger, cleanup }: SearchesDependencies,
) {
  const mongo = openMongo({
    uri: config.mongodbUri,
    appName: 'tollgate-billing-search',
    logger,
    poolSizeMax: SEARCHES_AT_ONCE_MAX + STATEMENT_READS_AT_ONCE_MAX + 1,
  });
  cleanup.defer('document store for searches', () => mongo.close());
  const search: SearchDependencies = {
    store,
    queriesOf: createLedgerQueries(mongo),
    inTurn: createTurnsByKey({ clock, ...SEARCHES }),
    scannedMax: SCANNED_MAX,
  };
  const whole = { store: createAccountStore(mongo), ledger: createLedgerStore(mongo) };
  return {
    connect: () => mongo.connect(),
    search,
    listForStatements: createListLedger(whole),
  };
}

interface SearchesDependencies extends Pick<ServiceHost, 'clock' | 'logger'> {
  readonly store: AccountStore;
  readonly cleanup: CleanupStack;
}
