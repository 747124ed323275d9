import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, silentLogger } from '@tollgate/core';
import { type CollectOptions, collectResponse } from './collect-response';
import type { OriginPoolOptions } from './egress-client';
import type { ExchangeRequest } from './exchange';
import {
  createEgressClient,
  type EgressClient,
  type ExchangeHandle,
  type FailurePhase,
  type FailureReason,
  type OriginPool,
} from './index';
import { startHttpServer, startTcpServer, stopLocalServers } from './testing/local-servers';

const BOUNDS: OriginPoolOptions = {
  connections: 4,
  connectTimeoutMs: 5_000,
  bodyTimeoutMs: 20_000,
  keepAliveMs: 5_000,
};
const GET: ExchangeRequest = { method: 'GET', path: '/' };

const clients: EgressClient[] = [];

function poolTo(url: string, options: Partial<OriginPoolOptions> = {}): OriginPool {
  const client = createEgressClient({ allowedPrivateHosts: ['127.0.0.1'], logger: silentLogger });
  clients.push(client);
  return client.createOriginPool(url, { ...BOUNDS, ...options });
}

/** The whole answer, as far as it is wanted. */
const ask = (
  pool: OriginPool,
  request: ExchangeRequest = GET,
  options: CollectOptions = { responseBytesMax: 1_000 },
) => collectResponse((observer) => pool.dispatch(request, observer), options);

/** An observer that keeps everything, and promises for the moments that a test waits for. */
function watch(pool: OriginPool, request: ExchangeRequest) {
  const head = Promise.withResolvers<number>();
  const firstData = Promise.withResolvers<void>();
  const end = Promise.withResolvers<Outcome>();
  const seen = { calls: [] as string[], bytes: 0, chunks: [] as Buffer[] };
  const handle: ExchangeHandle = pool.dispatch(request, {
    onHead(status) {
      seen.calls.push('head');
      head.resolve(status);
    },
    onData(chunk) {
      seen.calls.push('data');
      seen.bytes += chunk.length;
      seen.chunks.push(chunk);
      firstData.resolve();
    },
    onEnd() {
      seen.calls.push('end');
      end.resolve('ended');
    },
    onFailure(error, phase, reason) {
      seen.calls.push('failure');
      end.resolve({ error, phase, reason });
    },
  });
  return { handle, seen, head: head.promise, firstData: firstData.promise, end: end.promise };
}

type Outcome = 'ended' | { error: AppError; phase: FailurePhase; reason: FailureReason };

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stopLocalServers();
});

describe('an exchange through an origin pool', () => {
  it('sends method, path, headers and a body of several buffers with its length', async () => {
    const server = await startHttpServer(async (request, response) => {
      const body = await readAll(request);
      const { method, url, headers } = request;
      const encoding = headers['transfer-encoding'] ?? 'none';
      const echo = { method, url, x: headers['x-test'], length: headers['content-length'] };
      response.end(JSON.stringify({ ...echo, encoding, body }));
    });
    const answer = await ask(poolTo(server.url), {
      method: 'POST',
      path: '/v1/x?y=1',
      headers: { 'x-test': 'yes', 'content-type': 'application/json' },
      body: [Buffer.from('{"a":'), Buffer.from('"ü"'), Buffer.from('}')],
    });
    expect(answer.status).toBe(200);
    expect(answer.truncated).toBe(false);
    expect(JSON.parse(answer.body.toString())).toEqual({
      method: 'POST',
      url: '/v1/x?y=1',
      x: 'yes',
      length: '10',
      encoding: 'none',
      body: '{"a":"ü"}',
    });
  });

  it('calls head, then data, then end, and leaves informational heads out', async () => {
    const server = await startHttpServer((_request, response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.end('payload');
    });
    const exchange = watch(poolTo(server.url), GET);
    expect(exchange.seen.calls).toEqual([]);
    expect(await exchange.end).toBe('ended');
    expect(await exchange.head).toBe(200);
    expect(exchange.seen.calls).toEqual(['head', 'data', 'end']);
  });

  it('reuses connections for later exchanges', async () => {
    const server = await startHttpServer((_request, response) => response.end('ok'));
    const pool = poolTo(server.url);
    for (let index = 0; index < 20; index += 1) {
      await ask(pool);
    }
    // Two, because a connection becomes free one tick after its answer ended.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('leaves the room of each that ended to the next', async () => {
    const server = await startHttpServer((_request, response) => response.end('ok'));
    const pool = poolTo(server.url, { connections: 1, queuedMax: 0 });
    for (let index = 0; index < 3; index += 1) {
      const { status } = await ask(pool);
      expect(status).toBe(200);
    }
  });

  it('hands out a redirect as the answer and does not follow it', async () => {
    let hits = 0;
    const server = await startHttpServer((_request, response) => {
      hits += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const answer = await ask(poolTo(server.url));
    expect(answer.status).toBe(302);
    expect(hits).toBe(1);
  });

  it('keeps no more of an answer than was asked for', async () => {
    const server = await startHttpServer((_request, response) => response.end('x'.repeat(50_000)));
    const pool = poolTo(server.url);
    const cut = await ask(pool, GET, { responseBytesMax: 100 });
    expect([cut.status, cut.body.length, cut.truncated]).toEqual([200, 100, true]);
    const whole = await ask(pool, GET, { responseBytesMax: 50_000 });
    expect([whole.body.length, whole.truncated]).toEqual([50_000, false]);
  });

  it('refuses an origin with a path, because the path would be lost', () => {
    expect(() => poolTo('http://127.0.0.1:1/v1')).toThrow(AppError);
  });
});

describe('back-pressure', () => {
  const SIZE = 24 * 1_024 * 1_024;

  async function paused() {
    const server = await startHttpServer((request, response) => {
      if (request.url === '/tick') response.end('tick');
      else response.end(Buffer.alloc(SIZE, 1));
    });
    const pool = poolTo(server.url);
    let bytes = 0;
    let chunks = 0;
    const first = Promise.withResolvers<void>();
    const end = Promise.withResolvers<Outcome>();
    const handle = pool.dispatch(GET, {
      onHead() {},
      onData(chunk) {
        bytes += chunk.length;
        chunks += 1;
        first.resolve();
        if (chunks === 1) handle.pause();
      },
      onEnd: () => end.resolve('ended'),
      onFailure: (error, phase, reason) => end.resolve({ error, phase, reason }),
    });
    await first.promise;
    // Twenty round trips on another connection are time enough for a reader that does not pause.
    for (let index = 0; index < 20; index += 1) {
      await ask(pool, { method: 'GET', path: '/tick' });
    }
    return { handle, end: end.promise, chunks: () => chunks, bytes: () => bytes };
  }

  it('stops reading while it is paused and loses nothing', async () => {
    const exchange = await paused();
    expect(exchange.chunks()).toBe(1);
    exchange.handle.resume();
    expect(await exchange.end).toBe('ended');
    expect(exchange.bytes()).toBe(SIZE);
  });

  it('lets one exchange resume another from within its own callback', async () => {
    const exchange = await paused();
    const server = await startHttpServer((_request, response) => response.end('wake'));
    poolTo(server.url).dispatch(GET, {
      onHead() {},
      onData: () => void exchange.handle.resume(),
      onEnd() {},
      onFailure() {},
    });
    expect(await exchange.end).toBe('ended');
    expect(exchange.bytes()).toBe(SIZE);
  });

  it('aborts a paused exchange', async () => {
    const exchange = await paused();
    exchange.handle.abort('enough');
    expect(await exchange.end).toMatchObject({ phase: 'body', reason: 'aborted' });
    expect(exchange.chunks()).toBe(1);
  });
});

describe('abort', () => {
  it('ends the exchange at once and closes the vendor side', async () => {
    const gone = Promise.withResolvers<void>();
    const server = await startHttpServer((_request, response) => {
      response.on('close', () => gone.resolve());
      response.write('first');
    });
    const exchange = watch(poolTo(server.url), GET);
    await exchange.firstData;
    exchange.handle.abort();
    expect(exchange.seen.calls).toEqual(['head', 'data', 'failure']);
    exchange.handle.abort();
    exchange.handle.resume();
    await gone.promise;
    expect(await exchange.end).toMatchObject({ phase: 'body', reason: 'aborted' });
    expect(exchange.seen.calls).toEqual(['head', 'data', 'failure']);
  });

  it('sends nothing before a connection is free, and spares the connection', async () => {
    const paths: string[] = [];
    const held: ServerResponse[] = [];
    const arrived = Promise.withResolvers<void>();
    const server = await startHttpServer((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/held') {
        held.push(response);
        arrived.resolve();
      } else response.end('ok');
    });
    // One owner may wait with as many as it leaves free.
    const pool = poolTo(server.url, { connections: 1, queuedMax: 4 });
    const first = watch(pool, { method: 'GET', path: '/held' });
    await arrived.promise;
    const body = Buffer.from('x');
    const second = watch(pool, { method: 'POST', path: '/aborted', body });
    const third = watch(pool, { method: 'POST', path: '/third', body });
    second.handle.abort();
    expect(await second.end).toMatchObject({ phase: 'connect', reason: 'aborted' });
    for (const response of held) response.end();
    expect([await first.end, await third.end]).toEqual(['ended', 'ended']);
    expect(paths).toEqual(['/held', '/third']);
    expect(server.connections()).toBe(1);
    // The room of all three is free again.
    const later = [1, 2, 3].map(() => watch(pool, GET).end);
    expect(await Promise.all(later)).toEqual(['ended', 'ended', 'ended']);
  });

  it.each([
    ['with a keep-alive answer', 'keep-alive'],
    ['with an answer that closes', 'close'],
  ])('from within the last chunk leaves the pool usable, %s', async (_what, connection) => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { connection }).end('all of it');
    });
    const pool = poolTo(server.url, { connections: 1, queuedMax: 0 });
    const end = Promise.withResolvers<FailureReason | 'ended'>();
    const handle = pool.dispatch(GET, {
      onHead() {},
      onData: () => void handle.abort(),
      onEnd: () => end.resolve('ended'),
      onFailure: (_error, _phase, reason) => end.resolve(reason),
    });
    expect(await end.promise).toBe('aborted');
    expect((await ask(pool)).status).toBe(200);
  });

  it('fires by a signal, before and during a collected answer', async () => {
    const server = await startHttpServer((_request, response) => void response.write('part'));
    const pool = poolTo(server.url);
    const during = new AbortController();
    const outcome = ask(pool, GET, { responseBytesMax: 10, signal: during.signal });
    during.abort();
    await expect(outcome).rejects.toBeInstanceOf(AppError);
    const signal = AbortSignal.abort();
    await expect(ask(pool, GET, { responseBytesMax: 10, signal })).rejects.toThrow(AppError);
  });
});

describe('the phase of a failure says whether the vendor may have seen the request', () => {
  it('is connect when nobody listens', async () => {
    const server = await startHttpServer(() => {});
    await stopLocalServers();
    const outcome = await watch(poolTo(server.url), GET).end;
    expect(outcome).toMatchObject({ phase: 'connect', reason: 'unreachable' });
    expect(outcome).toMatchObject({ error: { code: 'UPSTREAM_ERROR', retryable: true } });
  });

  it.each<readonly [string, string, FailurePhase, FailureReason]>([
    ['is sent when the vendor closes without a word', '', 'sent', 'reset'],
    ['is sent when the answer is no HTTP', 'SSH-2.0-x\r\n\r\n', 'sent', 'protocol'],
    ['is sent when the head breaks off', 'HTTP/1.1 200 OK\r\nx: ', 'sent', 'reset'],
    [
      'is body when the answer is shorter than announced',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'body',
      'reset',
    ],
    [
      'is body when a chunked answer breaks off',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
      'body',
      'reset',
    ],
    [
      'is body when a chunk has no length',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n',
      'body',
      'protocol',
    ],
    [
      'is sent when the head is larger than any vendor needs',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
      'sent',
      'protocol',
    ],
  ])('%s', async (_what, answer, phase, reason) => {
    const server = await startTcpServer((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    const outcome = await watch(poolTo(server.url), { ...GET, method: 'POST' }).end;
    expect(outcome).toMatchObject({ phase, reason, error: { retryable: false } });
  });

  it('is connect with reason overloaded beyond the bound of waiting exchanges', async () => {
    const server = await startHttpServer(() => {});
    const pool = poolTo(server.url, { connections: 1, queuedMax: 1 });
    const [first, second, third] = [watch(pool, GET), watch(pool, GET), watch(pool, GET)];
    expect(await third.end).toMatchObject({ phase: 'connect', reason: 'overloaded' });
    expect(third.seen.calls).toEqual(['failure']);
    await pool.destroy();
    expect(await first.end).toMatchObject({ reason: 'closed' });
    expect(await second.end).toMatchObject({ phase: 'connect', reason: 'closed' });
  });

  it('is connect with reason closed after the pool was closed', async () => {
    const server = await startHttpServer((_request, response) => response.end());
    const pool = poolTo(server.url);
    await pool.close();
    const exchange = watch(pool, GET);
    expect(exchange.seen.calls).toEqual([]);
    expect(await exchange.end).toMatchObject({ phase: 'connect', reason: 'closed' });
  });

  it('is connect with reason invalid for a request that HTTP cannot carry', async () => {
    const server = await startHttpServer((_request, response) => response.end());
    const bad: ExchangeRequest = { ...GET, headers: { 'x-bad': 'a\r\nb: c' } };
    const outcome = await watch(poolTo(server.url), bad).end;
    expect(outcome).toMatchObject({ phase: 'connect', error: { code: 'INTERNAL_ERROR' } });
    expect(server.connections()).toBe(0);
  });

  it('bounds the silence in the body', async () => {
    const server = await startHttpServer((_request, response) => response.write('part'));
    const body = await watch(poolTo(server.url, { bodyTimeoutMs: 20 }), GET).end;
    expect(body).toMatchObject({ phase: 'body', reason: 'body_timeout' });
    expect(body).toMatchObject({ error: { code: 'UPSTREAM_TIMEOUT' } });
  });
});

describe('an observer that throws', () => {
  it.each(['onHead', 'onData', 'onEnd'] as const)(
    'in %s fails its own exchange only',
    async (place) => {
      const server = await startHttpServer((_request, response) => response.end('x'));
      const pool = poolTo(server.url);
      const reason = await new Promise<FailureReason | 'ended'>((resolve) => {
        const observer = {
          onHead() {},
          onData() {},
          onEnd: () => resolve('ended'),
          onFailure: (_error: AppError, _phase: FailurePhase, cause: FailureReason) =>
            resolve(cause),
        };
        const thrower = () => {
          throw new Error('observer');
        };
        pool.dispatch(GET, { ...observer, [place]: thrower });
      });
      expect(reason).toBe('observer');
      expect((await ask(pool)).status).toBe(200);
    },
  );

  it('in its last callback does not reach the process', async () => {
    const server = await startHttpServer((_request, response) => response.end('x'));
    const pool = poolTo(server.url);
    const failed = Promise.withResolvers<void>();
    pool.dispatch(GET, {
      onHead() {},
      onData() {},
      onEnd() {
        throw new Error('observer');
      },
      onFailure() {
        failed.resolve();
        throw new Error('observer');
      },
    });
    await failed.promise;
    expect((await ask(pool)).status).toBe(200);
  });
});
