import { promises } from 'node:dns';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, createSystemClock, nano, silentLogger } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import {
  type CallInfo,
  completionDefinition,
  createRpcClient,
  createRpcServer,
  definitionOf,
  type Handlers,
  type RpcServer,
} from './index';
import { createPeerVerifier, createServiceToken, type RpcSecurity } from './security';
import type { RpcServerBounds } from './server';

const security = { serviceSecret: 'only-for-this-test', plaintext: false };
/** Longer than a busy machine stands still: where a deadline is the subject the test sets its own. */
const DEADLINE_MS = 20_000;
const host = { clock: createSystemClock(), logger: silentLogger };
type StatsShape = ReturnType<typeof definitionOf<'stats'>>;
type RoutingShape = ReturnType<typeof definitionOf<'routing'>>;

let directory: string;
let servers: RpcServer[];
let clients: { close(): void }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rpc-'));
  servers = [];
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  for (const server of servers) await server.close();
  rmSync(directory, { recursive: true, force: true });
});

async function serveStats(
  queryUsage: Handlers<StatsShape>['queryUsage'],
  bounds: Partial<RpcServerBounds> = {},
  proof: RpcSecurity = security,
  logger = silentLogger,
): Promise<string> {
  const listen = `unix:${directory}/stats${servers.length}`;
  const server = createRpcServer({ listen, security: proof, host: { ...host, logger }, bounds });
  servers.push(server);
  server.addService(definitionOf('stats'), ['gateway'], {
    queryUsage,
    getRefusal: async () => ({}),
    listRefusals: async () => ({}),
  });
  return (await server.listen()).address;
}

function statsClient(
  address: string,
  options: { ownName?: 'gateway' | 'webhook'; security?: RpcSecurity } = {},
) {
  const client = createRpcClient(definitionOf('stats'), {
    address,
    ownName: options.ownName ?? 'gateway',
    security: options.security ?? security,
    host,
    deadlineMs: DEADLINE_MS,
    breaker: false,
  });
  clients.push(client);
  return client;
}

/** A routing server in which only the stream does anything. */
function routingHandlers(
  watchRouteTable: Handlers<RoutingShape>['watchRouteTable'],
): Handlers<RoutingShape> {
  const closed = () => Promise.reject(new AppError('NOT_FOUND'));
  return {
    watchRouteTable,
    reportOutcomes: closed,
    listModels: closed,
    putModel: closed,
    deleteModel: closed,
    listChannels: closed,
    getChannel: closed,
    createChannel: closed,
    updateChannel: closed,
    deleteChannel: closed,
    checkChannelHealth: closed,
    discoverModels: closed,
  };
}

async function serveRouting(watch: Handlers<RoutingShape>['watchRouteTable']) {
  const server = createRpcServer({ listen: `unix:${directory}/routing`, security, host });
  servers.push(server);
  const handlers = routingHandlers(watch);
  server.addService(definitionOf('routing'), ['completion'], handlers);
  const { address } = await server.listen();
  const client = createRpcClient(definitionOf('routing'), {
    address,
    ownName: 'completion',
    security,
    host,
    deadlineMs: DEADLINE_MS,
  });
  clients.push(client);
  return { server, client };
}

test('a call carries its context and its answer comes back typed', async () => {
  let seen: CallInfo | undefined;
  const address = await serveStats(async (request, call) => {
    seen = call;
    return { asOf: `asked for ${request.accountId}` };
  });
  const answer = await statsClient(address).queryUsage(
    { accountId: 'acc_1' },
    { requestId: 'req_1', accountId: 'acc_1', traceparent: '00-aa-bb-01' },
  );
  expect(answer.asOf).toBe('asked for acc_1');
  expect(seen).toMatchObject({ peer: 'gateway', requestId: 'req_1', traceparent: '00-aa-bb-01' });
  expect(seen?.deadlineMs).toBeLessThanOrEqual(DEADLINE_MS);
});

test('an AppError crosses with its code, public text, param and retry time, and nothing else', async () => {
  const address = await serveStats(() =>
    Promise.reject(
      new AppError('RATE_LIMIT_EXCEEDED', {
        publicMessage: 'Zu viele – später',
        internalMessage: 'internal detail',
        param: 'intervál',
        retryAfterMs: 1500,
        balance: nano(-5n),
        spendingSuspended: true,
      }),
    ),
  );
  const error = await statsClient(address)
    .queryUsage({})
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    publicMessage: 'Zu viele – später',
    param: 'intervál',
    retryAfterMs: 1500,
    retryable: true,
    balance: -5n,
    spendingSuspended: true,
  });
  expect(JSON.stringify(error)).not.toContain('internal detail');
});

test('a bug in a handler is INTERNAL_ERROR without its text', async () => {
  const address = await serveStats(() => Promise.reject(new Error('password=hunter2')));
  const error: AppError = await statsClient(address)
    .queryUsage({})
    .then(() => Promise.reject(new Error('must fail')))
    .catch((reason: AppError) => reason);
  expect(error.code).toBe('INTERNAL_ERROR');
  expect(`${error.message} ${error.publicMessage}`).not.toContain('hunter2');
});

test('a peer that is not on the list is refused', async () => {
  const address = await serveStats(async () => ({}));
  await expect(statsClient(address, { ownName: 'webhook' }).queryUsage({})).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('a peer with another secret is told nothing about whom it asks for, and the log why', async () => {
  const logged: unknown[] = [];
  const warn = (...line: unknown[]) => void logged.push(line);
  const address = await serveStats(async () => ({}), {}, security, { ...silentLogger, warn });
  const stranger = statsClient(address, {
    security: { serviceSecret: 'another', plaintext: false },
  });
  // UNAUTHORIZED would say that the key or the session in the request is not valid.
  const code = 'SERVICE_UNAVAILABLE';
  await expect(stranger.queryUsage({})).rejects.toMatchObject({ code, retryable: true });
  expect(logged).toEqual([
    [
      {
        path: '/tollgate.stats.v1.StatsService/QueryUsage',
        error: expect.objectContaining({
          message: expect.stringContaining('TOLLGATE_SERVICE_SECRET') as string,
        }) as Error,
      },
      'call failed',
    ],
  ]);
});

describe('while the service secret is rotated, one replica after another', () => {
  const before = { serviceSecret: 'old', plaintext: false };
  const during = { serviceSecret: 'new', previousSecret: 'old', plaintext: false };
  const after = { serviceSecret: 'new', plaintext: false };
  const outcome = async (caller: RpcSecurity, callee: RpcSecurity) => {
    const address = await serveStats(async () => ({}), {}, callee);
    const client = statsClient(address, { security: caller });
    return client.queryUsage({}).then(
      () => 'answered',
      (error: AppError) => error.code,
    );
  };

  test.each([
    ['to both secrets', before, during],
    ['to the new one alone', during, after],
  ])('from one %s nobody is refused, whoever calls', async (_step, from, to) => {
    for (const caller of [from, to]) {
      for (const callee of [from, to]) expect(await outcome(caller, callee)).toBe('answered');
    }
  });

  test('who has nothing but the old one is refused when all have the new one', async () => {
    expect(await outcome(before, after)).toBe('SERVICE_UNAVAILABLE');
    expect(await outcome(after, before)).toBe('SERVICE_UNAVAILABLE');
  });

  test('a name with another name’s signature, or with more than two, is refused', () => {
    const verify = createPeerVerifier(during);
    // A call without a certificate; nothing else of it is read.
    const call = { getAuthContext: () => ({}) } as never;
    const token = createServiceToken(during, 'gateway');
    expect(verify(call, token)).toBe('gateway');
    expect(verify(call, token.replace('gateway', 'billing'))).toBeUndefined();
    expect(verify(call, `${token}.${token.split('.')[1]}`)).toBeUndefined();
    expect(verify(call, 'gateway')).toBeUndefined();
    expect(verify(call, 'gateway.')).toBeUndefined();
  });
});

test('a deadline ends a call that hangs, and the handler hears of it', async () => {
  let aborted: Promise<void> | undefined;
  const address = await serveStats((_request, call) => {
    aborted = new Promise((resolve) => {
      call.signal.addEventListener('abort', () => resolve());
    });
    return new Promise(() => {});
  });
  await expect(statsClient(address).queryUsage({}, { deadlineMs: 50 })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await aborted;
});

test('cancelling a call reaches the handler', async () => {
  const entered = Promise.withResolvers<CallInfo>();
  const address = await serveStats((_request, call) => {
    entered.resolve(call);
    return new Promise(() => {});
  });
  const controller = new AbortController();
  const running = statsClient(address).queryUsage({}, { signal: controller.signal });
  const { signal } = await entered.promise;
  const heard = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await heard;
});

test('a service that is away answers SERVICE_UNAVAILABLE', async () => {
  await expect(statsClient(`unix:${directory}/nobody`).queryUsage({})).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});

test('plaintext TCP is refused unless it was opted into', () => {
  expect(() => createRpcServer({ listen: '127.0.0.1:0', security, host })).toThrow(/unencrypted/);
  expect(() =>
    createRpcClient(definitionOf('stats'), {
      address: '127.0.0.1:1',
      ownName: 'gateway',
      security,
      host,
      deadlineMs: 1,
    }),
  ).toThrow(/TOLLGATE_RPC_PLAINTEXT/);
});

test('a stream delivers its messages in order and ends well', async () => {
  const { client } = await serveRouting(async (_request, _call, out) => {
    for (let revision = 1; revision <= 3; revision += 1) out.write({ revision: String(revision) });
  });
  const revisions: string[] = [];
  const end = await new Promise<AppError | undefined>((resolve) => {
    client.watchRouteTable({}).listen({
      onMessage: (message) => revisions.push(message.revision),
      onEnd: resolve,
    });
  });
  expect(end).toBeUndefined();
  expect(revisions).toEqual(['1', '2', '3']);
});

test('a stream that fails after messages delivers them and then the error', async () => {
  const { client } = await serveRouting(async (_request, _call, out) => {
    out.write({ revision: '1' });
    throw new AppError('UPSTREAM_ERROR', { publicMessage: 'gone' });
  });
  const seen: string[] = [];
  const end = await new Promise<AppError | undefined>((resolve) => {
    client.watchRouteTable({}).listen({
      onMessage: (message) => seen.push(message.revision),
      onEnd: resolve,
    });
  });
  expect(seen).toEqual(['1']);
  expect(end).toMatchObject({ code: 'UPSTREAM_ERROR', publicMessage: 'gone' });
});

test('a slow reader makes the writer wait instead of filling memory', async () => {
  const name = 'x'.repeat(64 * 1024);
  let written = 0;
  let waited = 0;
  const { client } = await serveRouting(async (_request, call, out) => {
    const changes: routingV1.RouteChanges = { channels: [{ name }] };
    while (written < 400 && !call.signal.aborted) {
      written += 1;
      if (!out.write({ changes })) {
        waited += 1;
        await out.drained();
      }
    }
  });
  let received = 0;
  const stream = client.watchRouteTable({});
  await waitFor(() => waited > 0);
  expect(written).toBeLessThan(400);
  await new Promise((resolve) => {
    stream.listen({
      onMessage() {
        received += 1;
      },
      onEnd: resolve,
    });
  });
  expect(received).toBe(400);
});

test('draining ends endless streams and waits for running calls', async () => {
  const { server, client } = await serveRouting(
    (_request, call, out) =>
      new Promise((resolve) => {
        out.write({ revision: '7' });
        call.draining.addEventListener('abort', () => resolve());
      }),
  );
  const first = Promise.withResolvers<void>();
  const ended = new Promise<AppError | undefined>((resolve) => {
    client.watchRouteTable({}).listen({ onMessage: () => first.resolve(), onEnd: resolve });
  });
  await first.promise;
  await server.drain(5000);
  expect(await ended).toBeUndefined();
});

async function serveSessions(
  session: Handlers<typeof completionDefinition>['session'],
  bounds: Partial<RpcServerBounds> = {},
): Promise<string> {
  const listen = `unix:${directory}/completion`;
  const server = createRpcServer({ listen, security, host, bounds });
  servers.push(server);
  const closed = () => Promise.reject(new AppError('NOT_FOUND'));
  server.addService(
    completionDefinition,
    {
      session: ['gateway'],
      recallLease: ['billing'],
      explainRoute: ['gateway'],
      countTokens: ['gateway'],
      getDefaultTimeouts: ['gateway'],
      listActiveRequests: ['gateway'],
    },
    {
      recallLease: closed,
      explainRoute: closed,
      countTokens: closed,
      getDefaultTimeouts: closed,
      listActiveRequests: closed,
      session,
    },
  );
  return (await server.listen()).address;
}

function openSession(address: string, ownName: 'gateway' | 'webhook' = 'gateway') {
  const options = { address, ownName, security, host, deadlineMs: DEADLINE_MS } as const;
  const client = createRpcClient(completionDefinition, options);
  clients.push(client);
  return client.session();
}

test('a session carries frames both ways until the peer ends it', async () => {
  const address = await serveSessions(
    (_call, stream) =>
      new Promise((resolve) => {
        stream.onMessage((message) => {
          for (const frame of message.frames) {
            stream.write({
              frames: [{ number: frame.number, event: undefined }],
              draining: false,
              unready: false,
            });
          }
        });
        stream.onEnd(() => resolve());
      }),
  );
  const session = openSession(address);
  const numbers: number[] = [];
  const over = new Promise<AppError | undefined>((resolve) => {
    session.onMessage((message) => {
      numbers.push(...message.frames.map((frame) => frame.number));
      if (numbers.length === 2) session.end();
    });
    session.onEnd(resolve);
  });
  session.write({
    frames: [
      { number: 1, action: undefined },
      { number: 2, action: undefined },
    ],
  });
  expect(await over).toBeUndefined();
  expect(numbers).toEqual([1, 2]);
});

test('a session outlives the age of connections and the signs of life asked for on it', async () => {
  const bounds = { connectionAgeMs: 20, silenceMs: 2000 };
  const address = await serveSessions(
    (_call, stream) =>
      new Promise((resolve) => {
        stream.onMessage(({ frames: [frame] }) => {
          const frames = [{ number: frame?.number ?? 0, event: undefined }];
          stream.write({ frames, draining: false, unready: false });
        });
        stream.onEnd(() => resolve());
      }),
    bounds,
  );
  const session = openSession(address);
  const ended = Promise.withResolvers<AppError | undefined>();
  const endMs = performance.now() + 2.5 * bounds.silenceMs;
  const ask = (number: number) =>
    session.write({ frames: [{ number, action: { $case: 'pause', value: true } }] });
  session.onMessage(({ frames: [frame] }) => {
    if (performance.now() < endMs) ask((frame?.number ?? 0) + 1);
    else session.end();
  });
  session.onEnd(ended.resolve);
  ask(1);
  expect(await ended.promise).toBeUndefined();
});

test('a session is accepted by its handler, not by the connection', async () => {
  const address = await serveSessions(async (_call, stream) => {
    stream.accept();
    stream.onMessage(() => {});
    await new Promise<void>((resolve) => stream.onEnd(() => resolve()));
  });
  const events: string[] = [];
  const follow = (session: ReturnType<typeof openSession>) =>
    new Promise<AppError | undefined>((resolve) => {
      session.onAccept(() => {
        events.push('accepted');
        session.end();
      });
      session.onMessage(() => {});
      session.onEnd(resolve);
    });
  expect(await follow(openSession(address))).toBeUndefined();
  expect(await follow(openSession(address, 'webhook'))).toMatchObject({ code: 'FORBIDDEN' });
  expect(events).toEqual(['accepted']);
});

test('what runs for a peer that vanished without a word is cancelled', async () => {
  const cancelled = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  const address = await serveSessions(
    (call, stream) => {
      call.signal.addEventListener('abort', () => cancelled.resolve());
      stream.accept();
      return cancelled.promise;
    },
    { silenceMs: 1000 },
  );
  // Between the two stands a wire that can be cut without either noticing.
  let cut = false;
  const sockets: Socket[] = [];
  const wire = createServer((near) => {
    const far = createConnection(address.replace('unix:', ''));
    sockets.push(near, far);
    near.on('data', (bytes) => cut || far.write(bytes));
    far.on('data', (bytes) => cut || near.write(bytes));
  });
  await new Promise<void>((resolve) => wire.listen(`${directory}/wire`, resolve));
  const session = openSession(`unix:${directory}/wire`);
  session.onAccept(() => accepted.resolve());
  await accepted.promise;
  cut = true;
  await cancelled.promise;
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => wire.close(resolve));
});

test('a caller connects again when its connection is old, and no call of it fails', async () => {
  const address = await serveStats(async () => ({ asOf: 'now' }), { connectionAgeMs: 30 });
  let connections = 0;
  const wire = createServer((near) => {
    connections += 1;
    const far = createConnection(address.replace('unix:', ''));
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('data', (bytes) => far.write(bytes)).on('close', () => far.destroy());
    far.on('data', (bytes) => near.write(bytes)).on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => wire.listen(`${directory}/wire`, resolve));
  const client = statsClient(`unix:${directory}/wire`);
  while (connections < 4) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.queryUsage({})));
    expect(answers.map(({ asOf }) => asOf)).toEqual(['now', 'now', 'now', 'now']);
  }
  await new Promise<void>((resolve) => {
    wire.close(() => resolve());
    client.close();
  });
});

test('replicas that moved twice within a second are found, as in an upgrade', async () => {
  let found: readonly string[] = [];
  // The one thing that cannot be real here: a name server whose answers change.
  const lookUp = jest.spyOn(promises, 'lookup').mockImplementation(async () => {
    return found.map((address) => ({ address, family: 4 })) as never;
  });
  const plain = { ...security, plaintext: true };
  const serve = async (listen: string, asOf: string) => {
    const server = createRpcServer({ listen, security: plain, host });
    servers.push(server);
    const queryUsage = async () => ({ asOf });
    server.addService(
      definitionOf('stats'),
      { queryUsage: ['gateway'], getRefusal: ['gateway'], listRefusals: ['gateway'] },
      { queryUsage, getRefusal: async () => ({}), listRefusals: async () => ({}) },
    );
    return { server, port: (await server.listen()).address.split(':').at(-1) };
  };
  const first = await serve('127.0.0.1:0', 'first');
  found = ['127.0.0.1'];
  const client = createRpcClient(definitionOf('stats'), {
    address: `dns:///stats.test:${first.port}`,
    ownName: 'gateway',
    security: plain,
    host,
    deadlineMs: DEADLINE_MS,
    breaker: false,
  });
  clients.push(client);
  expect((await client.queryUsage({})).asOf).toBe('first');
  let last = first;
  for (const [address, asOf] of [
    ['127.0.0.2', 'second'],
    ['127.0.0.3', 'third'],
  ] as const) {
    const next = await serve(`${address}:${first.port}`, asOf);
    found = [address];
    await last.server.drain(1000);
    last = next;
    await waitFor(async () => (await client.queryUsage({})).asOf === asOf, { timeoutMs: 10_000 });
  }
  lookUp.mockRestore();
});
