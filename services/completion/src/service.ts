import { hostname } from 'node:os';
import { join } from 'node:path';
import { createId, type Logger } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import { type EventBus, provideEventBus, type SharedBus } from '@tollgate/events';
import {
  type CleanupStack,
  createCleanupStack,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import {
  completionDefinition,
  createRpcServer,
  type RpcSecurity,
  type RpcServer,
  readRpcSecurity,
} from '@tollgate/rpc';
import { createBillingClient } from './clients/billing-client';
import { startReporting } from './clients/report-outcomes';
import { createRoutingClient, type RoutingClient } from './clients/routing-client';
import type { CompletionConfig } from './config';
import { LeaseManager } from './credit/lease-manager';
import { createAnswerRoom } from './domain/answer-room';
import type { BillingPort } from './domain/billing';
import type { KeptAnswers } from './domain/kept-answers';
import {
  completionPolicy,
  createCompletionHandlers,
  type HandlerDependencies,
} from './grpc/handlers';
import {
  type CompletionMetrics,
  createCompletionMetrics,
  observeAnswerRooms,
  observeBreakers,
  observeSpool,
} from './metrics';
import { createAbandonedWork } from './operations/abandoned-work';
import { createActiveRuns } from './operations/active-runs';
import { createAnswerResender } from './operations/answer-resender';
import { drainService } from './operations/drain';
import { createPromptRoom } from './operations/prompt-room';
import { type RecoveryDependencies, recoverSpool } from './operations/recover';
import { createRetryBudget } from './operations/retries';
import { createTieBreakers } from './operations/to-route-query';
import type { RouteChannel } from './routing/candidate';
import type { RouteTable } from './routing/route-table';
import { createNodeDisk } from './spool/disk';
import type { RecoveryReport } from './spool/recovery';
import { Spool } from './spool/spool';
import {
  createUsagePublisher,
  type PublicationDependencies,
  UsagePublication,
} from './usage/publish';
import { createSettlementSpans } from './usage/settlement-spans';
import { createTokenizerThread, type TokenizerThread } from './usage/tokenizer';
import { createChannelConnections } from './vendors/channel-connections';
import { type ChannelMonitor, createChannelMonitor } from './vendors/health/channel-monitor';
import { createRefusalLog } from './vendors/refusal-log';
import { traceVendorCalls } from './vendors/traced-calls';
import { createVectorReader } from './vendors/vectors';
import { createVendorClient } from './vendors/vendor-client';

/** Wires the service; nothing is opened before `start`. */
export function createCompletionService(
  config: CompletionConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): ServiceModule {
  const { clock } = host;
  const logger = host.logger.child({ service: 'completion' });
  const metrics = createCompletionMetrics(host.metrics);
  const cleanup = createCleanupStack();
  const security = readRpcSecurity(config);
  const tokens = createTokenizerThread(clock);
  cleanup.defer('tokenizer', () => tokens.close());
  const context: Context = { config, host, logger, metrics, cleanup, security, tokens };
  const draining = new AbortController();
  const recovering = new AbortController();
  let table: RouteTable | undefined;
  let listening = config.listen;

  const directory = config.spoolDirectory ?? join(config.dataDirectory, 'spool');
  const spool = createSpool(directory, config, { clock, logger });
  const bus = provideEventBus('completion', config, host, { shared: shared.eventBus, cleanup });
  const { billing, routing } = createPeers(context, spool, () => listening);
  const { answerRoom, monitor, vendors } = createVendors(context);
  const leases = createLeases(context, { billing, spool });
  const settlementSpans = createSettlementSpans(host.tracing);
  const watchedBilling = settlementSpans?.watch(billing) ?? billing;
  const publication = createPublication(context, { billing: watchedBilling, spool, bus });
  const runs = createActiveRuns(config.requestsMax);
  spool.onPoisoned(() => runs.stopAll('poisoned'));
  const server = createServer(context, {
    vendors,
    leases,
    spool,
    runs,
    settlementSpans,
    draining: draining.signal,
    recall: { leases, spool, billing },
    keptAnswers: resendKeptAnswers(context, billing.keptAnswers),
    answerRoom,
    routeTable: () => table,
  });

  return {
    name: 'completion',
    async start() {
      cleanup.defer('spool', () => spool.close());
      const report = await spool.open();
      // The id by which an operator can give up its leases when this disk is destroyed.
      logger.info({ spoolId: spool.spoolId }, 'the spool is open');
      observeSpool(host.metrics, spool);
      cleanup.defer('recovery', () => recovering.abort());
      await beginRecovery({ spool, billing, clock, logger, metrics }, report, recovering.signal);
      listening = (await server.listen()).address;
      cleanup.defer('gRPC server', () => server.close());
      const following = routing.follow((next) => {
        vendors.setChannels(next.channels);
        table = next;
      });
      cleanup.defer('route table', () => following.stop());
      startBackground(context, monitor, routing);
      leases.start();
      cleanup.defer('leases', () => leases.stop());
      publication.start();
      cleanup.defer('publication', () => publication.stop());
    },
    async drain(deadlineMs) {
      draining.abort();
      // Answers that are cut soon are counted then.
      tokens.start();
      const parts = { runs, leases, spool, publication, clock, logger };
      const drained = drainService({ ...parts, streamsMs: config.drainStreamsMs }, deadlineMs);
      await drained.finally(() => server.drain(SERVER_DRAIN_MS));
    },
    waitsFor: () => `${runs.count} open answers, ${spool.unsettledCount} records to be settled`,
    stop: () => cleanup.run(),
    readiness: () => readinessFrom(reasonsAgainst(spool, table)),
  };
}

interface Context {
  readonly config: CompletionConfig;
  readonly host: ServiceHost;
  readonly logger: Logger;
  readonly metrics: CompletionMetrics;
  readonly cleanup: CleanupStack;
  readonly security: RpcSecurity;
  readonly tokens: TokenizerThread;
}

export function createSpool(
  directory: string,
  config: CompletionConfig,
  host: Pick<ServiceHost, 'clock' | 'logger'>,
): Spool {
  const { clock, logger } = host;
  const bounds = {
    segmentBytesMax: config.spoolSegmentBytes,
    totalBytesMax: config.spoolBytesMax,
  };
  return new Spool({ disk: createNodeDisk(directory), clock, logger, bounds, gather: tickEnds });
}

/** Answers that one look at the sockets brings share a sync, and cost it once. */
function tickEnds(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

interface MoneyParts {
  readonly billing: BillingPort;
  readonly spool: Spool;
}

function createLeases({ config, host, logger }: Context, parts: MoneyParts): LeaseManager {
  const bounds = {
    waitersMax: config.leaseWaitersMax,
    idlePoorMs: config.leaseIdlePoorMs,
    idleRichMs: config.leaseIdleRichMs,
    slowPaceMs: config.leaseSlowPaceMs,
    refusalMs: config.refusalCacheMs,
    lookAfterMs: config.lookAfterLeasesMs,
  };
  const createNonce = () => createId('nonce');
  return new LeaseManager({ ...parts, clock: host.clock, logger, bounds, createNonce });
}

function createPublication(
  { config, host, logger, metrics }: Context,
  {
    billing,
    spool,
    bus,
  }: Pick<PublicationDependencies, 'billing' | 'spool'> & { readonly bus: EventBus },
): UsagePublication {
  const { clock } = host;
  return new UsagePublication({
    spool,
    billing,
    clock,
    logger,
    metrics,
    publisher: createUsagePublisher(bus, clock),
    bounds: {
      batchMs: config.publishBatchMs,
      batchRecordsMax: config.publishRecordsMax,
      pollMs: config.settlementPollMs,
      leasesPerPollMax: config.settlementLeasesMax,
      resendMs: config.resendMs,
      busTimeoutMs: config.busTimeoutMs,
      busPauseMs: config.busPauseMs,
    },
  });
}

function createPeers(context: Context, spool: Spool, listening: () => string) {
  const { cleanup, config, host, metrics, security } = context;
  const billing = createBillingClient({
    address: config.billingAddress,
    security,
    host,
    deadlineMs: config.billingDeadlineMs,
    holder: () => spool.spoolId,
    holderAddress: () => config.advertisedAddress ?? advertise(listening()),
    metrics,
  });
  cleanup.defer('billing client', () => billing.close());
  const routing = createRoutingClient({
    address: config.routingAddress,
    security,
    host,
    deadlineMs: config.routingDeadlineMs,
    silenceTimeoutMs: config.routingSilenceMs,
  });
  cleanup.defer('routing client', () => routing.close());
  return { billing, routing };
}

function resendKeptAnswers(
  { cleanup, host, logger }: Context,
  keptAnswers: KeptAnswers,
): KeptAnswers {
  const resender = createAnswerResender({ keptAnswers, clock: host.clock, logger });
  cleanup.defer('kept answers', () => resender.stop());
  return resender;
}

function createVendors({ cleanup, config, host, logger, metrics }: Context) {
  const { clock } = host;
  const egress = createEgressClient({
    allowedPrivateHosts: config.egressAllowedHosts,
    logger,
    clock,
  });
  cleanup.defer('vendor connections', () => egress.close());
  const breaker = {
    failurePercent: config.breakerFailurePercent,
    callsMin: config.breakerCallsMin,
    openMs: config.breakerOpenMs,
    breakersMax: config.breakersMax,
  };
  const monitor = createChannelMonitor(breaker, clock);
  observeBreakers(host.metrics, monitor);
  const connections = createChannelConnections(egress, config, logger, {
    onCrowded: (channel, result) =>
      metrics.vendorCrowded.inc({ channel: metrics.channelLabel(channel), result }),
    hasPlace: monitor.hasPlace,
  });
  const rooms = {
    answers: createAnswerRoom(config.heldBytesMax, 'TOLLGATE_COMPLETION_HELD_BYTES_MAX'),
    lines: createAnswerRoom(config.heldLineBytesMax, 'TOLLGATE_COMPLETION_HELD_LINE_BYTES_MAX'),
  };
  observeAnswerRooms(host.metrics, rooms);
  const refusals = createRefusalLog({ logger, clock });
  const vectors = createVectorReader(clock);
  cleanup.defer('vectors', () => vectors.close());
  const onPastAsked = (channel: RouteChannel) =>
    metrics.vendorOverruns.inc({ channel: metrics.channelLabel(channel) });
  const parts = { connections, monitor, clock, rooms, refusals, vectors, onPastAsked };
  const client = createVendorClient({ ...parts, bounds: config });
  return {
    answerRoom: rooms.answers,
    monitor,
    vendors: traceVendorCalls(client, host.tracing),
  };
}

type ServedParts = Pick<
  HandlerDependencies,
  | 'answerRoom'
  | 'draining'
  | 'keptAnswers'
  | 'leases'
  | 'recall'
  | 'routeTable'
  | 'runs'
  | 'settlementSpans'
  | 'spool'
  | 'vendors'
>;

function createServer(context: Context, parts: ServedParts): RpcServer {
  const { config, host, logger, metrics, security, tokens } = context;
  const server = createRpcServer({ listen: config.listen, security, host });
  const handlers = createCompletionHandlers({
    ...parts,
    tokens,
    clock: host.clock,
    logger,
    metrics,
    tracing: host.tracing,
    bounds: config,
    defaultTimeouts: {
      connectMs: config.connectTimeoutMs,
      headMs: config.headTimeoutMs,
      wholeHeadMs: config.wholeHeadTimeoutMs,
      firstTokenMs: config.firstTokenTimeoutMs,
      idleMs: config.idleTimeoutMs,
      totalMs: config.totalTimeoutMs,
    },
    random: Math.random,
    tieBreakers: createTieBreakers(Math.random),
    prompts: createPromptRoom(config.heldPromptBytesMax),
    retries: createRetryBudget(host.clock),
    abandoned: createAbandonedWork(host.clock),
  });
  server.addService(completionDefinition, completionPolicy, handlers);
  return server;
}

function startBackground(context: Context, monitor: ChannelMonitor, routing: RoutingClient): void {
  const { cleanup, config, host, logger, tokens } = context;
  const { clock } = host;
  const { takeOutcomes } = monitor;
  const intervalMs = config.reportIntervalMs;
  const reporting = startReporting({ takeOutcomes, routing, clock, logger, intervalMs });
  cleanup.defer('reports', () => reporting.stop());
  // The vocabulary takes a tenth of a second to load, which the first cut stream should not.
  const warmUp = clock.schedule(TOKENIZER_WARM_UP_MS, () => tokens.start());
  cleanup.defer('tokenizer start', () => warmUp.cancel());
}

// A damaged spool waits for billing, which must not keep the process from starting.
async function beginRecovery(
  deps: RecoveryDependencies,
  report: RecoveryReport,
  signal: AbortSignal,
): Promise<void> {
  const recovered = recoverSpool(deps, report, signal);
  if (report.damagedPlaces === 0) return recovered;
  recovered.catch((error: unknown) => {
    deps.logger.error({ error }, 'a damaged spool was not recovered; nothing is served');
  });
}

/** The time that the last answers may take to leave once everything is settled. */
const SERVER_DRAIN_MS = 1000;
/** Late enough not to make the start slower. */
const TOKENIZER_WARM_UP_MS = 3000;

function reasonsAgainst(spool: Spool, table: RouteTable | undefined): readonly string[] {
  const reasons: string[] = [];
  if (table === undefined) reasons.push('no route table came yet');
  if (spool.poisonedBy !== undefined) {
    reasons.push('the usage spool cannot be written: repair the disk, then restart');
  } else if (!spool.recovered) reasons.push('the usage spool is not recovered yet');
  else if (!spool.acceptsWork) reasons.push('the usage spool is nearly full');
  return reasons;
}

// Every interface is no address that someone else can dial.
function advertise(listening: string): string {
  return listening.replace(/^(?:0\.0\.0\.0|\[::\]):/, `${hostname()}:`);
}
