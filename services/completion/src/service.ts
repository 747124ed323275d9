import { hostname } from 'node:os';
import { join } from 'node:path';
import { createId, type Logger } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { type EventBus, provideEventBus } from '@tollgate/events';
import {
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { completionDefinition, createRpcServer, readRpcSecurity } from '@tollgate/rpc';
import { createBillingClient } from './clients/billing-client';
import { createRoutingClient } from './clients/routing-client';
import type { CompletionConfig } from './config';
import type { RouteTable } from './domain/route-table';
import { createUsagePublisher } from './events/usage-publisher';
import { completionPolicy, createCompletionHandlers } from './grpc/handlers';
import { LeaseManager } from './leases/lease-manager';
import { createCompletionMetrics, observeSpool } from './metrics';
import { createActiveRuns } from './operations/active-runs';
import { drainService } from './operations/drain-service';
import { UsagePublication } from './operations/publish-usage';
import { recoverSpool } from './operations/recover-spool';
import { startReporting } from './operations/report-outcomes';
import { createChannelMonitor } from './providers/channel-monitor';
import { createChannelPools } from './providers/channel-pools';
import { countPromptInTurns, createTokenCounter } from './providers/tokenizer';
import { createVendorClient } from './providers/vendor-client';
import { toSettings } from './settings';
import { createNodeDisk } from './spool/node-disk';
import { Spool } from './spool/spool';

/** Completion as a module of a process. */
export type CompletionService = ServiceModule;

/** Engines that the process shares between its services. */
export interface CompletionEngines {
  readonly eventBus?: EventBus;
}

/** Wires the service; nothing is opened before `start`. */
export function createCompletionService(
  config: CompletionConfig,
  host: ServiceHost,
  engines: CompletionEngines = {},
): CompletionService {
  const { clock } = host;
  const logger = host.logger.child({ service: 'completion' });
  const metrics = createCompletionMetrics(host.metrics);
  const cleanup = createCleanupStack();
  const security = readRpcSecurity(config);
  const settings = toSettings(config);
  const draining = new AbortController();
  const recovering = new AbortController();
  let table: RouteTable | undefined;
  let listening = config.listen;

  const directory = config.spoolDirectory ?? join(config.dataDirectory, 'spool');
  const spool = new Spool({
    disk: createNodeDisk(directory),
    clock,
    logger,
    limits: settings.spool,
  });
  const bus = engines.eventBus ?? provideEventBus(config.kafkaBrokers, 'completion', host);
  if (engines.eventBus === undefined) cleanup.defer('event bus', () => bus.close());
  const billing = createBillingClient({
    ...{ address: config.billingAddress, security, host, deadlineMs: config.billingDeadlineMs },
    holder: () => spool.spoolId,
    holderAddress: () => config.advertisedAddress ?? advertise(listening),
    metrics,
  });
  cleanup.defer('billing client', () => billing.close());
  const routing = createRoutingClient({
    ...{ address: config.routingAddress, security, host, deadlineMs: config.routingDeadlineMs },
    reporter: () => spool.spoolId,
    silenceTimeoutMs: config.routingSilenceMs,
  });
  cleanup.defer('routing client', () => routing.close());

  const egress = createEgressClient({
    allowedPrivateHosts: config.egressAllowedHosts,
    logger,
    clock,
  });
  cleanup.defer('vendor connections', () => egress.close());
  const monitor = createChannelMonitor(settings.breaker);
  cleanup.defer('channel breakers', () => monitor.shutdown());
  const pools = createChannelPools(egress, settings.connections, logger);
  const vendors = createVendorClient({ pools, monitor, clock, limits: settings.vendor });

  const createNonce = () => createId('session');
  const leases = new LeaseManager({
    ...{ billing, spool, clock, logger, createNonce, limits: settings.leases },
  });
  const publication = new UsagePublication({
    ...{ spool, billing, clock, logger, metrics, limits: settings.publication },
    publisher: createUsagePublisher(bus, clock),
  });
  const runs = createActiveRuns(config.requestsMax);
  spool.onPoison(() => runs.stopAll('poisoned'));
  const countTokens = createTokenCounter();

  const server = createRpcServer({ listen: config.listen, security, host });
  server.addService(
    completionDefinition,
    completionPolicy,
    createCompletionHandlers({
      ...{ vendors, leases, spool, runs, countTokens, clock, logger, metrics },
      routeTable: () => table,
      countPrompt: (request) => countPromptInTurns(countTokens, request),
      limits: settings.run,
      draining: draining.signal,
      random: Math.random,
    }),
  );

  return {
    name: 'completion',
    dependsOn: ['billing', 'routing'],
    async start() {
      cleanup.defer('spool', () => spool.close());
      const report = await spool.open();
      observeSpool(host.metrics, spool);
      cleanup.defer('recovery', () => recovering.abort());
      const recovery = { spool, billing, clock, logger, metrics };
      const recovered = recoverSpool(recovery, report, recovering.signal);
      // A damaged spool waits for billing, which must not keep the process from starting.
      if (report.damagedPlaces === 0) await recovered;
      else recovered.catch((error: unknown) => logFailedRecovery(logger, error));
      listening = (await server.listen()).address;
      cleanup.defer('gRPC server', () => server.close());
      const following = routing.follow((next) => {
        vendors.setChannels(next.channels);
        table = next;
      });
      cleanup.defer('route table', () => following.stop());
      const reporting = startReporting({
        ...{ takeOutcomes: monitor.takeOutcomes, routing, clock, logger },
        intervalMs: config.reportIntervalMs,
      });
      cleanup.defer('reports', () => reporting.stop());
      leases.start();
      cleanup.defer('leases', () => leases.stop());
      publication.start();
      cleanup.defer('publication', () => publication.stop());
    },
    async drain(deadlineMs) {
      draining.abort();
      const streamsMs = config.drainStreamsMs;
      try {
        await drainService(
          { runs, leases, spool, publication, clock, logger, streamsMs },
          deadlineMs,
        );
      } finally {
        await server.drain(SERVER_DRAIN_MS);
      }
    },
    stop: () => cleanup.run(),
    readiness: () => readinessFrom(reasonsAgainst(spool, table)),
  };
}

/** What the last answers may take to leave once everything is settled. */
const SERVER_DRAIN_MS = 1000;

function reasonsAgainst(spool: Spool, table: RouteTable | undefined): readonly string[] {
  const reasons: string[] = [];
  if (table === undefined) reasons.push('no route table came yet');
  if (spool.poison !== undefined) {
    reasons.push('the usage spool cannot be written: repair the disk, then restart');
  } else if (!spool.recovered) reasons.push('the usage spool is not recovered yet');
  else if (!spool.acceptsWork) reasons.push('the usage spool is nearly full');
  return reasons;
}

function logFailedRecovery(logger: Logger, error: unknown): void {
  logger.error({ error }, 'the damaged spool was not recovered; this instance serves nothing');
}

// Every interface is no address that someone else can dial.
function advertise(listening: string): string {
  return listening.replace(/^(?:0\.0\.0\.0|\[::\]):/, `${hostname()}:`);
}
