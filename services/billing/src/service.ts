import { randomBytes } from 'node:crypto';
import { createSealer, createTurnsByKey } from '@tollgate/core';
import { provideEventBus, type SharedBus } from '@tollgate/events';
import { createWakeup } from '@tollgate/jobs';
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
import type { AccountStore, ClaimStore, PlanStore, StatementStore } from './domain/ports';
import { createDeadLetters } from './events/dead-letter-publisher';
import { subscribeToIdentity, subscribeToUsage } from './events/event-consumers';
import { createLedgerPublisher } from './events/ledger-publisher';
import { createSettlementSpacing } from './events/settlement-spacing';
import { billingPolicy, createBillingHandlers } from './grpc/handlers';
import { createEraseAccounts, type EraseAccountsOptions } from './jobs/erase-accounts';
import { type BillingJobsOptions, createBillingJobs, createBillingWork } from './jobs/jobs';
import { type BillingMetrics, createBillingMetrics } from './metrics';
import { createAnswerOperations } from './operations/answers';
import { createAuditRuns } from './operations/audit-runs';
import { createCodeOperations } from './operations/codes';
import type { IdempotentRunner, Instruments } from './operations/dependencies';
import { createListLedger } from './operations/ledger';
import { createOperations, type Operations } from './operations/operations';
import { createPlanOperations } from './operations/plans';
import { createLedgerSearches } from './operations/search-ledger';
import { withSettlementAlarms } from './operations/settlement';
import { createStatementOperations } from './operations/statements';
import { createPlanThresholds } from './operations/thresholds';
import { createTopUp } from './operations/top-ups';
import { createAccountStore } from './storage/account-store';
import { createAnswerStore } from './storage/answer-store';
import { createAuditMarkStore, createAuditResultStore } from './storage/audit-store';
import { createClaimStore } from './storage/claim-store';
import { createCodeStore } from './storage/code-store';
import { requireSameCurrency } from './storage/currency-store';
import { createErasureStore } from './storage/erasure-store';
import { createLedgerQueries } from './storage/ledger-queries';
import { createLedgerStore } from './storage/ledger-store';
import { billingMigrations, IDEMPOTENCY } from './storage/migrations';
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
  const plans = createPlanStore(mongo);
  const planThresholds = createPlanThresholds(plans);
  const settings = toBillingSettings(config, planThresholds.of);
  cleanup.defer('document store', () => mongo.close());
  const bus = provideEventBus('billing', config, host, { shared: shared.eventBus, cleanup });
  const { recallDeadlineMs: deadlineMs, holderClientsMax: clientsMax } = config;
  const holders = createLeaseHolders({ security, host, deadlineMs, clientsMax });
  cleanup.defer('lease holders', () => holders.close());

  const metrics = createBillingMetrics(host.metrics);
  const instruments = { clock, logger, metrics };
  const publishing = { bus, clock, publishTimeoutMs: config.publishTimeoutMs };
  const stores = createStores(mongo, metrics);
  const { store, claims } = stores;
  const reads = { store, statements: createStatementStore(mongo) };
  const searches = createSearches(config, { ...reads, clock, logger, cleanup });
  const operations = createOperations({ ...stores, ...instruments, holders, settings });
  const publisher = createLedgerPublisher({ ...publishing, currency: config.currency });
  const work = createBillingWork({ ...stores, ...instruments, operations, publisher, settings });
  const erasure = createErasure(mongo, { store, operations, clock, logger });
  const { audits, jobs } = createAuditsAndJobs(mongo, config, {
    ...instruments,
    operations,
    work,
    planThresholds,
    eraseAccounts: erasure.job,
    catchUpStatements: searches.statements.catchUp,
  });
  const deadLetters = createDeadLetters(publishing);
  const settleUsage = withSettlementAlarms(operations.settleUsage, { logger, deadLetters });

  const server = createRpcServer({ listen: config.listen, security, host });
  server.addService(
    definitionOf('billing'),
    billingPolicy,
    createBillingHandlers({
      ...createPlanAndCreditOperations(config, host, { mongo, plans, claims, operations }),
      answers: createAnswers(config, mongo, { clock, operations }),
      statements: searches.statements,
      operations,
      audits,
      settleUsage,
      policy: settings.policy,
      logger,
      search: searches.operations,
      currency: config.currency,
    }),
  );

  return {
    name: 'billing',
    async start() {
      await Promise.all([mongo.connect(), searches.connect()]);
      await runMigrations(mongo, 'billing', billingMigrations, logger);
      await requireSameCurrency(mongo, config.currency);
      cleanup.defer('journals', () => work.journals.close());
      await planThresholds.refresh();
      jobs.start();
      cleanup.defer('jobs', () => jobs.stop());
      const { usageBatchMax: batchMax, settleIntervalMs: intervalMs } = config;
      const spacing = createSettlementSpacing({ clock, intervalMs, batchMax });
      const subscription = await subscribeToUsage({ bus, settle: settleUsage, batchMax, spacing });
      cleanup.defer('usage consumer', () => subscription.stop());
      const identityEvents = await subscribeToIdentity({
        bus,
        operations,
        beginErasure: erasure.begin,
      });
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

/** The stores. Commands to those that every request uses (accounts, outbox, ledger) are counted. */
function createStores(mongo: MongoStore, { countCommands }: BillingMetrics) {
  return {
    store: countCommands('accounts', createAccountStore(mongo)),
    outbox: countCommands('outbox', createOutboxStore(mongo)),
    ledger: countCommands('ledger', createLedgerStore(mongo)),
    claims: createClaimStore(mongo),
    quarantine: createQuarantineStore(mongo),
  };
}

/** The work that one replica does for all, and the audits, which may be asked for as well. */
function createAuditsAndJobs(
  mongo: MongoStore,
  config: BillingConfig,
  deps: Pick<
    BillingJobsOptions,
    'catchUpStatements' | 'eraseAccounts' | 'planThresholds' | 'work'
  > &
    Instruments & { readonly operations: Operations },
) {
  const { auditIntervalMs, leaderTtlMs } = config;
  const { clock, logger, metrics } = deps;
  const audits = createAuditRuns({
    audit: deps.operations.audit,
    results: createAuditResultStore(mongo),
    marks: createAuditMarkStore(mongo),
    clock,
    logger,
    metrics,
    intervalMs: auditIntervalMs,
  });
  const leases = createJobLeaseStore(mongo);
  const jobs = createBillingJobs({ ...deps, audits, leases, leaderTtlMs, auditIntervalMs });
  return { audits, jobs };
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
function createSearches(
  config: BillingConfig,
  { store, statements, clock, logger, cleanup }: SearchesDependencies,
) {
  const mongo = openMongo({
    uri: config.mongodbUri,
    appName: 'tollgate-billing-search',
    logger,
    poolSizeMax: SEARCHES_AT_ONCE_MAX + STATEMENT_READS_AT_ONCE_MAX + 1,
  });
  cleanup.defer('document store for searches', () => mongo.close());
  const inTurn = createTurnsByKey({ clock, ...SEARCHES });
  const whole = { store: createAccountStore(mongo), ledger: createLedgerStore(mongo) };
  const listLedger = createListLedger(whole);
  return {
    connect: () => mongo.connect(),
    operations: createLedgerSearches({
      store,
      queriesOf: createLedgerQueries(mongo),
      inTurn,
      scannedMax: SCANNED_MAX,
    }),
    statements: createStatementOperations({ statements, listLedger }),
  };
}

interface SearchesDependencies extends Pick<ServiceHost, 'clock' | 'logger'> {
  readonly store: AccountStore;
  readonly statements: StatementStore;
  readonly cleanup: CleanupStack;
}

/** What follows when an account is erased: that is kept at once, and the leader's job empties it. */
function createErasure(mongo: MongoStore, deps: Omit<EraseAccountsOptions, 'erasures' | 'wakeup'>) {
  const erasures = createErasureStore(mongo);
  const wakeup = createWakeup();
  return {
    async begin(accountId: string): Promise<void> {
      await erasures.begin(accountId, deps.clock.now());
      wakeup.wake();
    },
    job: createEraseAccounts({ ...deps, erasures, wakeup }),
  };
}

/** Answers that are kept for their clients. */
function createAnswers(
  { sealingKeys, answerBytesPerAccountMax: accountBytesMax }: BillingConfig,
  mongo: MongoStore,
  { clock, operations }: Pick<ServiceHost, 'clock'> & { readonly operations: Operations },
) {
  return createAnswerOperations({
    answers: createAnswerStore(mongo),
    clock,
    findCharge: operations.getReceipt,
    accountBytesMax,
    sealer: createSealer(sealingKeys, 'answers'),
  });
}

/** How money arrives, and the plans that say how much of it. */
function createPlanAndCreditOperations(
  { currency }: BillingConfig,
  { clock, logger }: ServiceHost,
  deps: {
    readonly mongo: MongoStore;
    readonly plans: PlanStore;
    readonly claims: ClaimStore;
    readonly operations: Operations;
  },
) {
  const { mongo, plans, claims } = deps;
  const { creditClaim } = deps.operations;
  const keyClaims = createIdempotencyStore(mongo, { collection: IDEMPOTENCY });
  const runOnce: IdempotentRunner = (work) =>
    runIdempotently({ claims: keyClaims, clock, logger }, work);
  return {
    plans: createPlanOperations({ plans, clock, runIdempotently: runOnce }),
    topUp: createTopUp({ creditClaim, clock, currency }),
    codes: createCodeOperations({
      codes: createCodeStore(mongo),
      claims,
      creditClaim,
      clock,
      randomBytes,
      runIdempotently: runOnce,
    }),
  };
}
