import { createFairShare, createId, type FairShare, networkOf, waitAtMost } from '@tollgate/core';
import { provideEventBus, type SharedBus } from '@tollgate/events';
import {
  createCleanupStack,
  type Readiness,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { readRpcSecurity } from '@tollgate/rpc';
import { createAccessTokenVerifier } from './auth/access-token';
import { createAddressCheck } from './auth/address-list';
import { createAuthenticate } from './auth/authenticate';
import { BearerRefusedError } from './auth/bearer';
import { createKeyUses } from './auth/key-uses';
import { createPrincipalCache, type PrincipalCache, type Revocation } from './auth/principal-cache';
import { createUserDirectory, type UserDirectory } from './auth/user-directory';
import { type ByteBound, createByteBound } from './bounds/byte-bound';
import { createLargeBodyTurns } from './bounds/large-body-turns';
import { createDropAnnouncement } from './chat/kept-answers/dropped-announcements';
import type { ServeChatDependencies } from './chat/serve-chat';
import { connectCompletions } from './clients/completion/connect';
import type { CompletionPool } from './clients/completion/pool';
import { type ControlPlane, createControlPlane, followRevocations } from './clients/control-plane';
import { fromPrincipal, fromRefusedKey, fromUser } from './clients/from-proto';
import type { GatewayConfig } from './config';
import { createExchangeObserver } from './http/observe-exchange';
import { publicOriginOf } from './http/public-origin';
import { remoteAddressOf } from './http/remote-address';
import { createPublicServer, type PublicServer } from './http/server';
import { createLimits, type Limits } from './limits/limits';
import { createGatewayMetrics, type GatewayMetrics } from './metrics';
import { createPages } from './pages/pages';
import { createRefusals, type Refusals } from './refusals/refusals';
import { createApplication } from './routes/application';
import { createLegacyGate } from './routes/serving/legacy';
import type { ServeDependencies } from './routes/serving/serve-route';
import { ROUTES, UNSUPPORTED_PATHS } from './routes/table';

/** The gateway as a module of a process. */
export interface GatewayService extends ServiceModule {
  /** As a process on this machine may call it; empty before it has started. */
  baseUrl(): string;
}

const ACCESS_TOKENS_MAX = 10_000;
const SIGNING_KEYS_TTL_MS = 600_000;
const SIGNING_KEYS_REFETCH_MS = 5000;
const USER_TTL_MS = 30_000;
/** The part of a whole process's time to drain that open answers may take. */
const DRAIN_SHARE = 0.5;
/** How long what is said last, to answers that are cut, may take to reach their clients. */
const LAST_WORDS_MS = 1000;
/** Its part of the whole time, where that is short. */
const LAST_WORDS_SHARE = 0.25;

/** Wires the service; nothing is opened before `start`. */
export function createGatewayService(
  config: GatewayConfig,
  host: ServiceHost,
  shared: SharedBus = {},
): GatewayService {
  const own = { ...host, logger: host.logger.child({ service: 'gateway' }) };
  const { clock, logger } = own;
  const gatewayId = createId('gateway');
  const security = readRpcSecurity(config);
  const cleanup = createCleanupStack();

  const bus = provideEventBus('gateway', config, own, { shared: shared.eventBus, cleanup });
  const plane = createControlPlane(config, security, own);
  cleanup.defer('control plane clients', () => plane.close());
  const unreadBytes = createByteBound(config.readerBytesMax);
  const completions = connectCompletions(config, own, security, unreadBytes);
  cleanup.defer('completion clients', () => completions.close());

  const { keys, users, uses, authenticate } = createAuth(config, own, plane);
  const bodies = createFairShare(config.bodyBytesMax);
  const metrics = createGatewayMetrics(own.metrics, {
    principals: () => keys.size,
    completionInstances: () => completions.instances.filter(({ available }) => available).length,
    bodyBytes: () => bodies.held,
    readerBytes: () => unreadBytes.held,
  });
  const refusals = createRefusals(config, own, { gatewayId, bus, metrics });
  cleanup.defer('refusals', () => refusals.close());
  const limits = createLimits(config, own, plane, {
    gatewayId,
    denials: refusals.denials,
  });
  cleanup.defer('limits', () => limits.close());
  const readiness = () =>
    readinessFrom([
      ...(completions.available ? [] : ['no completion instance takes work']),
      ...(limits.plans.loaded ? [] : ['the plan table is not loaded']),
      ...(limits.currencyProblem === undefined ? [] : [limits.currencyProblem]),
    ]);
  const server: PublicServer = createPublicServer({
    bind: config.bind,
    port: config.httpPort,
    connectionsMax: config.connectionsMax,
    headersTimeoutMs: config.headersTimeoutMs,
    requestTimeoutMs: config.requestTimeoutMs,
    connectionIdleMs: config.connectionIdleMs,
    pipelinedMax: config.pipelinedMax,
    stallMs: config.streamStallMs,
    clock,
    logger,
    listener: createHttpApplication(config, own, {
      plane,
      completions,
      authenticate,
      limits,
      refusals,
      metrics,
      bodies,
      unreadBytes,
      readiness,
      boundUrl: () => server.baseUrl(),
    }),
  });

  return {
    name: 'gateway',
    async start() {
      await completions.start();
      await limits.start();
      refusals.start();
      const feed = followRevocations(plane.identity, toRevocationListener(keys, users), own);
      cleanup.defer('revocations', () => feed.stop());
      uses.start();
      cleanup.defer('key uses', () => uses.stop());
      await server.listen();
      cleanup.defer('public server', () => server.close());
      logger.info({ baseUrl: server.baseUrl() }, 'serving');
    },
    leave: () => server.leave(),
    async drain(deadlineMs) {
      const answersMs = Math.min(config.drainAnswersMs, deadlineMs * DRAIN_SHARE);
      const ended = server.drain(deadlineMs);
      try {
        await waitAtMost(clock, answersMs, ended);
        // An answer that is cut here is settled by completion, which drains after us.
        await completions.drain(0);
        const lastWordsMs = Math.min(LAST_WORDS_MS, deadlineMs * LAST_WORDS_SHARE);
        // Who reads or sends slowly must not use up the time of those that drain after us.
        if (!(await waitAtMost(clock, lastWordsMs, ended))) server.cut();
        await ended;
      } finally {
        // In one process identity drains after us, and takes no call from then on.
        await uses.stop();
      }
    },
    waitsFor: () => `${completions.inFlight} open answers`,
    stop: () => cleanup.run(),
    readiness,
    baseUrl: () => server.baseUrl(),
  };
}

interface ApplicationDependencies {
  readonly plane: ControlPlane;
  readonly completions: CompletionPool;
  readonly authenticate: ServeDependencies['authenticate'];
  readonly limits: Limits;
  readonly refusals: Refusals;
  readonly metrics: GatewayMetrics;
  readonly bodies: FairShare;
  readonly unreadBytes: ByteBound;
  readonly readiness: () => Readiness;
  readonly boundUrl: () => string;
}

function createHttpApplication(
  config: GatewayConfig,
  { clock, logger, tracing }: ServiceHost,
  deps: ApplicationDependencies,
) {
  const { authenticate, bodies, completions, limits, metrics, plane, refusals } = deps;
  const isTrustedProxy = createAddressCheck(config.trustedProxies);
  const { chatBytesMax, managementBytesMax, jsonDepthMax: depthMax } = config;
  const largeBodies = createLargeBodyTurns(clock);
  const { admission, plans, throttles } = limits;
  const serving: ServeDependencies = {
    authenticate,
    bodies,
    largeBodies,
    throttles,
    admission,
    denials: refusals.denials,
    refusedRequests: refusals.refusedRequests,
    services: {
      ...plane,
      completions,
      clock,
      plans,
      signerSecrets: config.topUpSecrets,
      startedAtMs: clock.now(),
      denialWindowMs: config.denialWindowMs,
    },
    routes: ROUTES,
    chat: {
      admission,
      metrics,
      client: completions,
      billing: plane.billing,
      dropAnnouncement: createDropAnnouncement({ billing: plane.billing, clock, logger }),
      clock,
      bodies,
      largeBodies,
      ...toChatSettings(config, deps.unreadBytes),
    },
    remoteAddressOf: (request) => remoteAddressOf(request, isTrustedProxy),
    publicOriginOf: (request) => publicOriginOf(request, config.publicUrl, deps.boundUrl),
    logger,
    bounds: { chatBytesMax, managementBytesMax, depthMax },
  };
  return createApplication({
    routes: ROUTES,
    serving,
    legacy: createLegacyGate(config.legacySunset, clock),
    cors: { origins: new Set(config.corsOrigins) },
    unsupported: UNSUPPORTED_PATHS,
    pages: createPages({
      routes: ROUTES,
      readiness: deps.readiness,
      consoleAddress: config.consoleAddress,
      logger,
      admit: ({ request }) => throttles.pages.check(networkOf(serving.remoteAddressOf(request))),
    }),
    observe: createExchangeObserver({
      metrics,
      logger,
      clock,
      tracing,
      logSample: config.logSample,
    }),
    logger,
  });
}

function toChatSettings(
  config: GatewayConfig,
  unreadBytes: ByteBound,
): Pick<ServeChatDependencies, 'stream' | 'deadlineMs' | 'body'> {
  const { streamHeadWaitMs: headWaitMs, streamKeepAliveMs: keepAliveMs } = config;
  return {
    stream: { headWaitMs, keepAliveMs, unreadBytes },
    deadlineMs: config.completionDeadlineMs,
    body: { bytesMax: config.chatBytesMax, depthMax: config.jsonDepthMax },
  };
}

function createAuth(
  config: GatewayConfig,
  { clock, logger }: ServiceHost,
  { identity }: ControlPlane,
) {
  const keys = createPrincipalCache({
    entriesMax: config.principalsMax,
    negativeTtlMs: config.refusedKeyTtlMs,
    stalenessMs: config.principalStalenessMs,
    verificationsMax: config.keyVerificationsMax,
    clock,
    async verify(apiKey) {
      const answer = await identity.verifyApiKey({ apiKey, explain: true });
      const { principal, refusal, revision } = answer;
      if (refusal !== null) throw new BearerRefusedError(fromRefusedKey(refusal, apiKey));
      if (principal === null) throw new Error('identity answered without a principal');
      return { principal: fromPrincipal(principal), revision: BigInt(revision) };
    },
  });
  const users = createUserDirectory({
    entriesMax: config.principalsMax,
    ttlMs: USER_TTL_MS,
    clock,
    load: async (userId, sessionId) => fromUser(await identity.getUser({ userId, sessionId })),
  });
  const tokens = createAccessTokenVerifier({
    fetchKeys: () => identity.getSigningKeys({}),
    entriesMax: ACCESS_TOKENS_MAX,
    refetchIntervalMs: SIGNING_KEYS_REFETCH_MS,
    keysTtlMs: SIGNING_KEYS_TTL_MS,
    clock,
  });
  const uses = createKeyUses({
    report: (batch) => identity.reportKeyUses({ uses: [...batch] }),
    intervalMs: config.keyUseReportMs,
    keysMax: config.principalsMax,
    clock,
    logger,
  });
  const authenticate = createAuthenticate({ keys, tokens, users, uses, clock });
  return { keys, users, uses, authenticate };
}

function toRevocationListener(keys: PrincipalCache, users: UserDirectory) {
  return {
    onChanges(revision: bigint, changes: readonly Revocation[], reset: boolean) {
      keys.applyRevocations(revision, changes, reset);
      users.applyRevocations(changes, reset);
    },
    onState: (connected: boolean) => keys.setConnected(connected),
  };
}
