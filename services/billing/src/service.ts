import { type EventBus, provideEventBus } from '@tollgate/events';
import { createLeader } from '@tollgate/jobs';
import {
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { createLeaseStore, openMongo, runMigrations } from '@tollgate/mongo';
import { controlPlane, createRpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createLeaseHolders } from './clients/lease-holders';
import type { BillingConfig } from './config';
import { accountRules } from './domain/account-rules';
import { createDeadLetters } from './events/dead-letters';
import { subscribeToKeys } from './events/key-consumer';
import { createLedgerPublisher } from './events/ledger-publisher';
import { createSettlementPace } from './events/settlement-pace';
import { subscribeToUsage } from './events/usage-consumer';
import { billingPolicy, createBillingHandlers } from './grpc/handlers';
import { createBillingMetrics } from './metrics';
import { withSettlementAlarms } from './operations/alarm-settlements';
import { createAuditRuns } from './operations/audit-runs';
import { createOperations } from './operations/operations';
import { toOperationSettings } from './settings';
import { createAccountStore } from './storage/account-store';
import { createAuditResultStore } from './storage/audit-store';
import { createLedgerStore } from './storage/ledger-store';
import { MIGRATIONS } from './storage/migrations';
import { createOutboxStore } from './storage/outbox-store';
import { createQuarantineStore } from './storage/quarantine-store';

/** Billing as a module of a process. */
export type BillingService = ServiceModule;

/** Engines that the process shares between its services. */
export interface BillingEngines {
  readonly eventBus?: EventBus;
}

/** Wires the service; nothing is opened before `start`. */
export function createBillingService(
  config: BillingConfig,
  host: ServiceHost,
  engines: BillingEngines = {},
): BillingService {
  const { clock } = host;
  const logger = host.logger.child({ service: 'billing' });
  const cleanup = createCleanupStack();
  const security = readRpcSecurity(config);
  const settings = toOperationSettings(config);

  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-billing', logger });
  cleanup.defer('document store', () => mongo.close());
  const bus = engines.eventBus ?? provideEventBus(config.kafkaBrokers, 'billing', host);
  if (engines.eventBus === undefined) cleanup.defer('event bus', () => bus.close());
  const holders = createLeaseHolders({
    ...{ security, host, deadlineMs: config.recallDeadlineMs },
    clientsMax: config.holderClientsMax,
  });
  cleanup.defer('lease holders', () => holders.close());

  const { observer, countCommands } = createBillingMetrics(host.metrics);
  const publishing = { bus, clock, publishTimeoutMs: config.publishTimeoutMs };
  const operations = createOperations({
    store: countCommands('accounts', createAccountStore(mongo)),
    ledger: countCommands('ledger', createLedgerStore(mongo)),
    outbox: countCommands('outbox', createOutboxStore(mongo)),
    quarantine: createQuarantineStore(mongo),
    publisher: createLedgerPublisher(publishing),
    ...{ holders, clock, logger, observer, settings },
  });
  const { relay, sweeper } = operations;
  const audits = createAuditRuns({
    ...{ audit: operations.audit, results: createAuditResultStore(mongo) },
    ...{ clock, logger, observer, intervalMs: config.auditIntervalMs },
  });
  const deadLetters = createDeadLetters(publishing);
  const settleUsage = withSettlementAlarms(operations.settleUsage, { logger, deadLetters });

  const leader = createLeader({
    ...{ store: createLeaseStore(mongo), group: 'billing-jobs' },
    ...{ ttlMs: config.leaderTtlMs, clock, logger },
  });
  const server = createRpcServer({ listen: config.listen, security, host });
  const { policy } = settings;
  server.addService(
    controlPlane('billing'),
    billingPolicy,
    createBillingHandlers({
      ...{ operations, audits, settleUsage, rules: accountRules, policy, logger },
      currency: config.currency,
    }),
  );

  return {
    name: 'billing',
    dependsOn: [],
    async start() {
      await mongo.connect();
      await runMigrations(mongo, 'billing', MIGRATIONS, logger);
      cleanup.defer('journal relay', () => relay.close());
      leader.start(async ({ signal }) => {
        await Promise.all([relay.lead(signal), sweeper.lead(signal), audits.lead(signal)]);
      });
      cleanup.defer('leader jobs', () => leader.stop());
      const observing = new AbortController();
      const observed = audits.observe(observing.signal);
      cleanup.defer('audit figures', () => {
        observing.abort();
        return observed;
      });
      const { usageBatchMax: batchMax, settleIntervalMs: intervalMs } = config;
      const pace = createSettlementPace({ clock, intervalMs, batchMax });
      const subscription = await subscribeToUsage({ bus, settle: settleUsage, batchMax, pace });
      cleanup.defer('usage consumer', () => subscription.stop());
      const keys = await subscribeToKeys({ bus, forgetKey: operations.forgetKey });
      cleanup.defer('key consumer', () => keys.stop());
      await server.listen();
      cleanup.defer('gRPC server', () => server.close());
    },
    drain: (deadlineMs) => server.drain(deadlineMs),
    stop: () => cleanup.run(),
    // Without the event bus leases and settlement by gRPC go on, so it does not count here.
    readiness: () => readinessFrom(mongo.isHealthy() ? [] : ['the document store is away']),
  };
}
