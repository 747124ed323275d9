import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, type ServiceName, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import {
  createEvent,
  createInProcessBus,
  type EventBus,
  type EventData,
  type EventType,
  type TollgateEvent,
  toOutgoing,
} from '@tollgate/events';
import type { ServiceModule } from '@tollgate/lifecycle';
import { createMetrics } from '@tollgate/observability';
import type { webhookV1 } from '@tollgate/protos';
import { createRpcClient, definitionOf, type RpcClient } from '@tollgate/rpc';
import {
  createJumpingClock,
  createRecordingLogger,
  createTestMongo,
  type JumpingClock,
  makeTemporaryDirectory,
  type RecordingLogger,
} from '@tollgate/testkit';
import { webhookConfigSchema } from '../config';
import { createWebhookService } from '../service';

const SECRET = 'a-service-secret-that-exists-only-in-this-test';
const PUBLISH_TIMEOUT_MS = 10_000;

/** One message as a receiver got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
  readonly message: {
    readonly id: string;
    readonly type: string;
    readonly created_at: string;
    readonly sequence: number;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A real HTTP server on loopback; `answer` may be replaced at any time. */
export interface TestReceiver {
  readonly url: string;
  readonly received: Received[];
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** Answers with a status and a body that must never be seen again. */
export const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end('what the receiver says is its own business');
  };

async function startReceiver(clock: JumpingClock): Promise<TestReceiver> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const entry: Received = {
        headers: request.headers,
        body,
        atMs: clock.now(),
        message: JSON.parse(body) as Received['message'],
      };
      received.push(entry);
      receiver.answer(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: answering(204),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

export type WebhookClient = RpcClient<ReturnType<typeof definitionOf<'webhook'>>>;

/** The service over the embedded store and the in-process bus, reached by gRPC. */
export interface WebhookFixture {
  readonly clock: JumpingClock;
  readonly logger: RecordingLogger;
  readonly bus: EventBus;
  readonly server: EmbeddedMongo;
  readonly gateway: WebhookClient;
  connect(ownName: ServiceName): WebhookClient;
  receiver(): Promise<TestReceiver>;
  /** Creates an endpoint of the account for every given event. */
  subscribe(
    receiver: { readonly url: string },
    events: readonly string[],
    more?: webhookV1.CreateEndpointRequest,
  ): Promise<{ readonly id: string; readonly secret: string }>;
  publish(event: TollgateEvent, key?: string): Promise<void>;
  event<Type extends EventType>(type: Type, data: EventData<Type>): TollgateEvent;
  deliveries(
    endpointId: string,
    accountId?: string,
  ): Promise<readonly webhookV1.Delivery__Output[]>;
  /** Lets the service finish what runs, as before a stop. */
  drain(): Promise<void>;
  /** Stops the service and starts it again on the same store. */
  restart(environment?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

const ENVIRONMENT = {
  TOLLGATE_SERVICE_SECRET: SECRET,
  TOLLGATE_SEALING_KEYS: `k1:${Buffer.alloc(32, 'k').toString('base64')}`,
  TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  TOLLGATE_WEBHOOK_POLL_INTERVAL_MS: '20',
  // A leader that a busy machine holds up for a second would give up its attempts and make them again.
  TOLLGATE_WEBHOOK_LEADER_TTL_MS: '60000',
};

function connectTo(address: string, ownName: ServiceName): WebhookClient {
  return createRpcClient(definitionOf('webhook'), {
    address,
    ownName,
    security: { serviceSecret: SECRET, plaintext: false },
    host: { clock: createSystemClock(), logger: silentLogger },
    deadlineMs: 20_000,
    breaker: false,
  });
}

export async function startWebhookFixture(
  environment: Record<string, string> = {},
): Promise<WebhookFixture> {
  const clock = createJumpingClock();
  const logger = createRecordingLogger();
  const directory = await makeTemporaryDirectory('whk');
  const server = await createTestMongo();
  const bus = createInProcessBus({ clock, logger: silentLogger, validate: true });
  const closing: (() => unknown)[] = [];
  const address = `unix:${join(directory.path, 'w.sock')}`;
  let service: ServiceModule | undefined;

  const start = async (more: Record<string, string>): Promise<void> => {
    const config = parseConfig(webhookConfigSchema, {
      WEBHOOK_LISTEN: address,
      MONGODB_URI: server.uriFor('webhook'),
      ...ENVIRONMENT,
      ...more,
    });
    const host = { clock, logger, metrics: createMetrics() };
    service = createWebhookService(config, host, { eventBus: bus });
    await service.start();
  };
  const connect = (ownName: ServiceName): WebhookClient => {
    const client = connectTo(address, ownName);
    closing.push(() => client.close());
    return client;
  };

  await start(environment);
  const gateway = connect('gateway');
  return {
    clock,
    logger,
    bus,
    server,
    gateway,
    connect,
    async receiver() {
      const receiver = await startReceiver(clock);
      closing.push(() => receiver.close());
      return receiver;
    },
    subscribe: (receiver, events, more) => subscribeTo(gateway, receiver.url, events, more),
    publish: (event, key = 'acc_1') =>
      bus.publish([toOutgoing(key, event)], { timeoutMs: PUBLISH_TIMEOUT_MS }),
    event: (type, data) => createEvent(type, data, clock) as TollgateEvent,
    async deliveries(endpointId, accountId = 'acc_1') {
      return (await gateway.listDeliveries({ accountId, endpointId, limit: 200 })).deliveries;
    },
    drain: () => service?.drain?.(PUBLISH_TIMEOUT_MS) ?? Promise.resolve(),
    async restart(more = {}) {
      await service?.stop();
      await start({ ...environment, ...more });
    },
    async close() {
      for (const end of closing) await end();
      await service?.stop();
      await bus.close();
      await server.close();
      await directory.remove();
    },
  };
}

async function subscribeTo(
  gateway: WebhookClient,
  url: string,
  events: readonly string[],
  more: webhookV1.CreateEndpointRequest = {},
) {
  const request = { accountId: 'acc_1', url, events: [...events], ...more };
  const { endpoint, secret } = await gateway.createEndpoint(request);
  return { id: endpoint?.id ?? '', secret };
}

/** A key that an account created. */
export function keyCreated(name: string, accountId = 'acc_1'): EventData<'key.created'> {
  return { account_id: accountId, key_id: `key_${name}`, name, actor_user_id: null };
}

/** What a gateway counted in the window that began so many seconds after 2026-01-01T00:00:00Z. */
export function deniedAt(
  second: number,
  over: Partial<EventData<'denials.counted'>> = {},
): EventData<'denials.counted'> {
  return {
    account_id: 'acc_1',
    key_id: 'key_1',
    reason: 'key_rpm',
    count: 3,
    window_start: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    window_seconds: 10,
    gateway_id: 'gtw_1',
    ...over,
  };
}
