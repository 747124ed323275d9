import { parseConfig } from '@tollgate/config';
import {
  AppError,
  type Clock,
  createSystemClock,
  DAY_MS,
  type Logger,
  silentLogger,
} from '@tollgate/core';
import { createInProcessBus, type ReceivedEvent } from '@tollgate/events';
import { createMetrics } from '@tollgate/observability';
import type { identityV1 } from '@tollgate/protos';
import { gatewayConfigSchema } from '../config';
import { createGatewayService, type GatewayService } from '../service';
import {
  type ControlHandlers,
  type FakeCompletion,
  type FakeService,
  startFakeCompletion,
  startFakeControl,
  TEST_SECRET,
} from './fake-services';
import { model, PLANS, principal, TOP_UP_SECRETS } from './fixtures';
import { type ReceivedResponse, type SentRequest, sendRequest } from './http-client';

/** What differs from the default. */
export interface GatewayTestOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Time as the gateway sees it; never before the machine's, by which deadlines pass. */
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** A real gateway on a free port before fakes of the services behind it. */
export interface GatewayUnderTest {
  readonly baseUrl: string;
  /** One request to it, redirects not followed. */
  send(method: string, path: string, sent?: SentRequest): Promise<ReceivedResponse>;
  readonly service: GatewayService;
  readonly identity: FakeService<ControlHandlers<'identity'>>;
  readonly billing: FakeService<ControlHandlers<'billing'>>;
  readonly routing: FakeService<ControlHandlers<'routing'>>;
  readonly stats: FakeService<ControlHandlers<'stats'>>;
  readonly webhook: FakeService<ControlHandlers<'webhook'>>;
  readonly completion: FakeCompletion;
  /** Who owns which bearer; unknown bearers are refused. */
  readonly principals: Map<string, identityV1.Principal>;
  /** Pushes a frame on every open revocation stream. */
  revoke(frame: identityV1.WatchRevocationsResponse): void;
  /** Counts on the denials topic. */
  readonly denials: ReceivedEvent[];
  /** Some of the refused requests, on the same topic. */
  readonly refusals: ReceivedEvent[];
  exposeMetrics(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything; `stop` ends everything. */
export async function startGateway(options: GatewayTestOptions = {}): Promise<GatewayUnderTest> {
  const clock = options.clock ?? createSystemClock();
  const logger = options.logger ?? silentLogger;
  const principals = new Map<string, identityV1.Principal>();
  const watchers = new Set<(frame: identityV1.WatchRevocationsResponse) => void>();
  const identity = await startFakeControl('identity', identityHandlers(principals, watchers));
  const billing = await startFakeControl('billing', {
    listPlans: async () => ({ plans: PLANS }),
    getPlan: async () => ({ plan: PLANS[0] ?? null }),
  });
  const routing = await startFakeControl('routing', {
    listModels: async () => ({
      models: [model({ name: 'auto', routing: true, pricing: null }), model()],
    }),
  });
  const stats = await startFakeControl('stats', {});
  const webhook = await startFakeControl('webhook', {});
  const completion = await startFakeCompletion({});
  const services = { identity, billing, routing, stats, webhook, completion };

  const bus = createInProcessBus({ clock, logger, validate: true });
  const denials: ReceivedEvent[] = [];
  const refusals: ReceivedEvent[] = [];
  await bus.subscribe({
    group: 'test',
    topics: ['tollgate.denials.v1'],
    async handle(events) {
      for (const received of events) {
        const told = received.event.type.startsWith('refusals.') ? refusals : denials;
        told.push(received);
      }
    },
  });
  const addresses = Object.entries(services).map(([name, { address }]) => [
    `${name.toUpperCase()}_ADDRESS`,
    address,
  ]);
  const config = parseConfig(gatewayConfigSchema, {
    TOLLGATE_HTTP_PORT: '0',
    TOLLGATE_PUBLIC_URL: 'https://gate.example',
    TOLLGATE_SERVICE_SECRET: TEST_SECRET,
    TOLLGATE_SINGLE_GATEWAY: 'true',
    TOLLGATE_TOPUP_SECRETS: TOP_UP_SECRETS,
    ...(Object.fromEntries(addresses) as Record<string, string>),
    ...options.environment,
  });
  const metrics = createMetrics();
  const service = createGatewayService(config, { clock, logger, metrics }, { eventBus: bus });
  await service.start();
  return {
    baseUrl: service.baseUrl(),
    send: (method, path, sent) => sendRequest(service.baseUrl(), method, path, sent),
    service,
    ...services,
    principals,
    revoke(frame) {
      for (const push of watchers) push(frame);
    },
    denials,
    refusals,
    exposeMetrics: () => metrics.expose(),
    async stop() {
      await service.stop();
      await bus.close();
      await Promise.all(Object.values(services).map((each) => each.close()));
    },
  };
}

function identityHandlers(
  principals: ReadonlyMap<string, identityV1.Principal>,
  watchers: Set<(frame: identityV1.WatchRevocationsResponse) => void>,
): ControlHandlers<'identity'> {
  return {
    beginAuditEntry: async () => ({}),
    endAuditEntry: async () => ({}),
    async verifyApiKey({ apiKey }) {
      const known = principals.get(apiKey);
      if (known === undefined) throw new AppError('UNAUTHORIZED');
      return { principal: principal(known), revision: '1' };
    },
    watchRevocations: (_request, call, out) =>
      new Promise((resolve) => {
        const push = (frame: identityV1.WatchRevocationsResponse) => void out.write(frame);
        watchers.add(push);
        push({ revision: '1', changes: [], reset: false });
        const end = () => {
          watchers.delete(push);
          resolve();
        };
        call.signal.addEventListener('abort', end, { once: true });
        call.draining.addEventListener('abort', end, { once: true });
      }),
  };
}

const NOON_MS = DAY_MS / 2;

/** A time for fake clocks: no real call's deadline, which counts from it, is over before it began. */
export function noonAfterTomorrow(): number {
  const today = Math.floor(createSystemClock().now() / DAY_MS);
  return (today + 2) * DAY_MS + NOON_MS;
}
