import { connect } from 'node:net';
import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createAddressGuard, type Resolver } from './address-guard';
import { collectResponse } from './collect-response';
import type { EgressClientOptions, SingleRequest } from './egress-client';
import { createGuardedConnector } from './guarded-connector';
import { createEgressClient, type EgressClient } from './index';
import { startHttpServer, startTcpServer, stopLocalServers } from './testing/local-servers';

const clients: EgressClient[] = [];
const GET: SingleRequest = { method: 'GET', timeoutMs: 20_000, responseBytesMax: 1_000 };

function clientWith(options: Partial<EgressClientOptions> = {}): EgressClient {
  const client = createEgressClient({
    allowedPrivateHosts: [],
    logger: silentLogger,
    ...options,
  });
  clients.push(client);
  return client;
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error(`no AppError: ${String(error)}`);
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stopLocalServers();
});

describe('the address guard at the moment of connecting', () => {
  const local: Resolver = async () => [{ address: '127.0.0.1', family: 4 }];

  it('refuses a name that now leads to loopback, and the server sees no connection', async () => {
    const server = await startHttpServer((_request, response) => response.end('secret'));
    const url = `http://rebound.test:${server.port}/`;
    const error = await failureOf(clientWith({ resolver: local }).requestOnce(url, GET));
    expect(error.code).toBe('UPSTREAM_ERROR');
    expect(error.retryable).toBe(false);
    expect(server.connections()).toBe(0);
  });

  it('refuses a name that was public when it was checked and is private when dialled', async () => {
    const server = await startHttpServer((_request, response) => response.end('secret'));
    let lookups = 0;
    const rebinding: Resolver = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }];
    };
    const client = clientWith({ resolver: rebinding });
    const url = `http://rebound.test:${server.port}/`;
    await expect(client.checkUrl(url)).resolves.toBeInstanceOf(URL);
    expect((await failureOf(client.requestOnce(url, GET))).code).toBe('UPSTREAM_ERROR');
    expect([lookups, server.connections()]).toEqual([2, 0]);
  });

  it('refuses a name with one private address among public ones', async () => {
    const mixed: Resolver = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const pool = clientWith({ resolver: mixed }).createOriginPool('http://mixed.test', {
      connections: 1,
      connectTimeoutMs: 5_000,
      bodyTimeoutMs: 5_000,
      keepAliveMs: 1_000,
    });
    const request = { method: 'GET', path: '/' } as const;
    const answer = collectResponse((observer) => pool.dispatch(request, observer), GET);
    const error = await failureOf(answer);
    expect(error.code).toBe('UPSTREAM_ERROR');
    expect(error.publicMessage).not.toMatch(/\d+\.\d+/);
  });

  it('refuses a literal in pools and single requests before anything is dialled', async () => {
    const server = await startHttpServer((_request, response) => response.end());
    const client = clientWith();
    const bounds = { connections: 1, connectTimeoutMs: 1, bodyTimeoutMs: 1 };
    const open = () => client.createOriginPool(server.url, { ...bounds, keepAliveMs: 1 });
    expect(open).toThrow(AppError);
    expect(open).toThrow('a literal address that is not public');
    expect((await failureOf(client.requestOnce(server.url, GET))).code).toBe('VALIDATION_ERROR');
    expect(server.connections()).toBe(0);
  });

  it('judges by the address that was really reached', async () => {
    const server = await startTcpServer(() => {});
    const guard = createAddressGuard({
      allowedPrivateHosts: [],
      allowedBy: 'THE_SETTING',
      resolver: local,
      logger: silentLogger,
      clock: createSystemClock(),
    });
    const origin = new URL('http://public.test');
    const connector = createGuardedConnector(
      { guard, origin, connectTimeoutMs: 1_000 },
      (_target, callback) => {
        const socket = connect(server.port, '127.0.0.1', () => callback(null, socket));
      },
    );
    const target = { hostname: 'public.test', protocol: 'http:', port: '' };
    const error = await new Promise<Error | null>((resolve) => {
      connector(target, (...outcome) => resolve(outcome[0]));
    });
    expect(error?.name).toBe('AddressRefusedError');
  });

  it('connects to a private host that the operator allows, by name and by literal', async () => {
    const server = await startHttpServer((_request, response) => response.end('hello'));
    const allowedPrivateHosts = [`vendor.test:${server.port}`, '127.0.0.1'];
    const client = clientWith({ resolver: local, allowedPrivateHosts });
    const byName = await client.requestOnce(`http://vendor.test:${server.port}/`, GET);
    const byLiteral = await client.requestOnce(`${server.url}/`, GET);
    expect([byName.body.toString(), byLiteral.body.toString()]).toEqual(['hello', 'hello']);
  });
});

describe('a single request', () => {
  const allowedPrivateHosts = ['127.0.0.1'];

  it('sends its body and query and hands back status, headers and body', async () => {
    const server = await startHttpServer((request, response) => {
      request.resume().on('end', () => {
        const { method, url } = request;
        response.writeHead(201, { 'x-a': 'b' }).end(`${method} ${url} ${request.headers.host}`);
      });
    });
    const answer = await clientWith({ allowedPrivateHosts }).requestOnce(`${server.url}/h?x=1#f`, {
      ...GET,
      method: 'POST',
      body: Buffer.from('{}'),
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-a': 'b' }, truncated: false });
    expect(answer.body.toString()).toBe(`POST /h?x=1 127.0.0.1:${server.port}`);
  });

  it('does not follow a redirect, not even to an allowed host', async () => {
    let hits = 0;
    const server = await startHttpServer((_request, response) => {
      hits += 1;
      response.writeHead(307, { location: '/again' }).end();
    });
    const answer = await clientWith({ allowedPrivateHosts }).requestOnce(server.url, GET);
    expect([answer.status, hits]).toEqual([307, 1]);
  });

  it('of whose answer no body is wanted ends at its head', async () => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(202, { 'x-a': 'b' }).flushHeaders();
    });
    const client = clientWith({ allowedPrivateHosts });
    const answer = await client.requestOnce(server.url, { ...GET, responseBytesMax: 0 });
    expect(answer).toMatchObject({ status: 202, headers: { 'x-a': 'b' } });
    expect(answer.body).toHaveLength(0);
  });

  it('ends at its total time whatever the server is doing', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await startHttpServer((_request, response) => {
      response.write('drip');
      arrived.resolve();
    });
    const clock = createFakeClock();
    const outcome = failureOf(
      clientWith({ allowedPrivateHosts, clock }).requestOnce(server.url, GET),
    );
    await arrived.promise;
    await clock.advance(GET.timeoutMs);
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  it('ends at its total time while the name is still being resolved', async () => {
    const asked = Promise.withResolvers<void>();
    const resolver: Resolver = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const clock = createFakeClock();
    const client = clientWith({ resolver, clock });
    const outcome = failureOf(client.requestOnce('http://slow.test/', GET));
    await asked.promise;
    await clock.advance(GET.timeoutMs);
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
  });

  it('is refused beyond the bound of running ones', async () => {
    const server = await startHttpServer(() => {});
    const client = clientWith({ allowedPrivateHosts, singleRequestsMax: 1 });
    const first = failureOf(client.requestOnce(server.url, GET));
    const second = await failureOf(client.requestOnce(server.url, GET));
    expect(second.code).toBe('SERVICE_UNAVAILABLE');
    await client.close();
    expect((await first).code).toBe('SERVICE_UNAVAILABLE');
    expect((await failureOf(client.requestOnce(server.url, GET))).code).toBe('SERVICE_UNAVAILABLE');
  });
});
