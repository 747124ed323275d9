import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Clock, createSystemClock } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, waitFor } from '@tollgate/testkit';
import { createPublicServer, type PublicServer, type PublicServerOptions } from './server';

let server: PublicServer;
let client: Socket | undefined;
/** Every response that the listener was given. */
let begun: ServerResponse[];
const logger = createRecordingLogger();
/** More than the sockets of both sides hold. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** Bounds that nobody reaches, but where a test gives others. */
async function startServer(clock: Clock, bounds: Partial<PublicServerOptions> = {}): Promise<void> {
  begun = [];
  server = createPublicServer({ ...boundsOf(clock), ...bounds });
  await server.listen();
}

function boundsOf(clock: Clock): PublicServerOptions {
  return {
    bind: '127.0.0.1',
    port: 0,
    connectionsMax: 10,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    connectionIdleMs: 60_000,
    pipelinedMax: 4,
    stallMs: 60_000,
    listener(request, response) {
      begun.push(response);
      if (request.url === '/later') return;
      if (request.url === '/large') {
        response.end(Buffer.alloc(LARGE_BYTES));
        return;
      }
      request.resume().on('end', () => response.end(`done ${request.url}`));
    },
    clock,
    logger,
  };
}

beforeEach(() => startServer(createSystemClock()));

async function restartServer(bounds: Partial<PublicServerOptions>): Promise<void> {
  await server.close();
  await startServer(createSystemClock(), bounds);
}

afterEach(async () => {
  client?.destroy();
  await server.close();
});

function open(bytes: string): Socket {
  const { hostname, port } = new URL(server.baseUrl());
  client = connect(Number(port), hostname);
  client.on('error', () => {});
  client.write(bytes);
  return client;
}

/** All that the server says until it closes the connection. */
async function talk(bytes: string): Promise<string> {
  let said = '';
  for await (const chunk of open(bytes)) said += String(chunk);
  return said;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const last = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
const statuses = (said: string) => said.match(/HTTP\/1\.1 \d{3}/g);

test.each([
  ['its headers', 'POST / HTTP/1.1\r\nHost: x\r\nX-Slow'],
  ['its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'],
])('a client that does not finish %s is told so soon after the bound', async (_what, bytes) => {
  await restartServer({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
  const said = await talk(bytes);
  expect(statuses(said)).toEqual(['HTTP/1.1 408']);
  expect(said).toContain('"code":"REQUEST_TIMEOUT"');
});

test.each([
  ['headers that are too large', `${get('/a').slice(0, -2)}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['what is no HTTP', 'HELLO\r\n\r\n', 400],
])('%s are refused with the headers of every answer', async (_what, bytes, status) => {
  const said = await talk(bytes);
  expect(statuses(said)).toEqual([`HTTP/1.1 ${status}`]);
  expect(said).toMatch(/^x-request-id: req_\w+\r$/im);
  expect(said).toMatch(/^x-api-version: v1\r$/im);
  expect(said).toMatch(/^x-content-type-options: nosniff\r$/im);
});

test('requests that are sent ahead are answered in their order', async () => {
  const said = await talk(get('/1') + get('/2') + last('/3'));
  expect(said.match(/done \/\d/g)).toEqual(['done /1', 'done /2', 'done /3']);
});

test('a request that waits for its turn is not begun, and not at all when its client leaves', async () => {
  const socket = open(get('/later') + get('/never') + get('/never'));
  await waitFor(() => begun.length > 0);
  const closed = new Promise((resolve) => begun[0]?.once('close', resolve));
  socket.destroy();
  await closed;
  await talk(last('/after'));
  expect(begun.map(({ req }) => req.url)).toEqual(['/later', '/after']);
});

test('a client that sends more ahead than it may is cut', async () => {
  expect(await talk(get('/later') + get('/never').repeat(5))).toBe('');
});

test('what is no HTTP behind a good request is refused after the answer to that one', async () => {
  const said = await talk(`${get('/1')}garbage\r\n\r\n`);
  expect(statuses(said)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('an answer that has begun is cut, not written into, when its request goes wrong', async () => {
  const head = 'POST /later HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const socket = open(head);
  await waitFor(() => begun.length > 0);
  begun[0]?.writeHead(200).write('partial');
  let said = '';
  for await (const chunk of socket) {
    said += String(chunk);
    if (said.includes('partial')) socket.write('no chunk\r\n');
  }
  expect(statuses(said)).toEqual(['HTTP/1.1 200']);
});

describe('a server that leaves', () => {
  test('asks every client to open its next connection elsewhere, and still serves', async () => {
    expect(await talk(get('/1') + last('/2'))).not.toContain('Connection: close\r\n\r\ndone /1');
    server.leave();
    const said = await talk(get('/1'));
    expect(statuses(said)).toEqual(['HTTP/1.1 200']);
    expect(said).toMatch(/^connection: close\r$/im);
    expect(said).toContain('done /1');
  });

  test('serves who uses a connection again whose answer was begun before', async () => {
    const socket = open(get('/later'));
    await waitFor(() => begun.length > 0);
    begun[0]?.writeHead(200, { 'content-length': '4' });
    begun[0]?.flushHeaders();
    server.leave();
    const drained = server.drain(5_000);
    let said = '';
    socket.on('data', (chunk) => {
      said += String(chunk);
      if (said.endsWith('last')) socket.write(get('/next'));
    });
    begun[0]?.end('last');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(statuses(said)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(said).toMatch(/^connection: close\r$/im);
    expect(said).toContain('done /next');
    await drained;
  });

  test('serves a request that has arrived and was not read yet', async () => {
    const socket = open(get('/1'));
    await new Promise((resolve) => socket.once('data', resolve));
    server.leave();
    let said = '';
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(get('/2'));
    await Promise.all([server.drain(5_000), closed]);
    expect(statuses(said)).toEqual(['HTTP/1.1 200']);
  });

  test('leaves an idle connection to its client, for as long as clients keep one', async () => {
    await server.close();
    const clock = createFakeClock();
    await startServer(clock);
    const first = open(get('/1'));
    await new Promise((resolve) => first.once('data', resolve));
    const second = open(get('/1'));
    await new Promise((resolve) => second.once('data', resolve));
    server.leave();
    await clock.advance(3000);
    const drained = server.drain(60_000);
    await clock.advance(2000);
    let said = '';
    first.on('data', (chunk) => {
      said += String(chunk);
    });
    const closed = new Promise((resolve) => first.once('close', resolve));
    first.write(get('/2'));
    await closed;
    expect(statuses(said)).toEqual(['HTTP/1.1 200']);
    expect(said).toMatch(/^connection: close\r$/im);
    expect(second.readableEnded).toBe(false);
    await clock.advance(2000);
    await drained;
  });

  test('ends idle connections well before the time is up that it has', async () => {
    await server.close();
    const clock = createFakeClock();
    await startServer(clock);
    const socket = open(get('/1'));
    await new Promise((resolve) => socket.once('data', resolve));
    server.leave();
    await clock.advance(1000);
    const drained = server.drain(2000);
    await clock.advance(1500);
    await drained;
  });

  test('lets an answer that is complete reach a client that reads slowly', async () => {
    await server.close();
    const clock = createFakeClock();
    await startServer(clock);
    const socket = open(last('/large')).pause();
    await waitFor(() => begun[0]?.writableEnded === true);
    const drained = server.drain(60_000);
    await clock.advance(20_000);
    let bytes = 0;
    for await (const chunk of socket) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
    await clock.advance(100);
    await drained;
  });

  test('ends an idle connection although another one still reads its answer', async () => {
    await server.close();
    const clock = createFakeClock();
    await startServer(clock);
    const slow = open(last('/large')).pause();
    await waitFor(() => begun[0]?.writableEnded === true);
    const idle = open(get('/1'));
    await new Promise((resolve) => idle.once('data', resolve));
    const unused = open('');
    await waitFor(() => !unused.connecting);
    server.leave();
    await clock.advance(3000);
    const drained = server.drain(60_000);
    const closed = [idle, unused].map(
      (one) => new Promise((resolve) => one.once('close', resolve)),
    );
    idle.resume();
    unused.resume();
    await clock.advance(3500);
    await Promise.all(closed);
    expect(slow.destroyed).toBe(false);
    slow.destroy();
    await drained;
  });

  test('awaits a request that has begun to come', async () => {
    await server.close();
    const clock = createFakeClock();
    await startServer(clock);
    const socket = open(get('/1'));
    await new Promise((resolve) => socket.once('data', resolve));
    let said = '';
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    socket.write(get('/2').slice(0, 10));
    await waitFor(() => begun[0]?.req.socket.bytesRead === get('/1').length + 10);
    const drained = server.drain(60_000);
    await clock.advance(20_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(get('/2').slice(10));
    await closed;
    expect(said).toContain('done /2');
    await drained;
  });

  test('ends at once what was idle when it drained', async () => {
    const socket = open(get('/1'));
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const drained = server.drain(100);
    await closed;
    await drained;
  });
});

test('a client that takes no byte of an answer is cut, and one that waits for it is not', async () => {
  await restartServer({ stallMs: 150 });
  const waiting = open(get('/later'));
  await waitFor(() => begun.length > 0);
  const stalled = open(get('/large'));
  await waitFor(() => begun.length > 1);
  await new Promise((resolve) => begun[1]?.once('close', resolve));
  stalled.destroy();
  expect(begun[1]?.writableFinished).toBe(false);
  begun[0]?.end('at last');
  for await (const chunk of waiting) {
    if (String(chunk).includes('at last')) break;
  }
  waiting.destroy();
});

test('connections that cannot be accepted are told to the log, each of them', async () => {
  await talk(last('/1'));
  const socket = begun[0]?.req.socket as { readonly server?: Server } | undefined;
  for (const code of ['EMFILE', 'ENFILE']) socket?.server?.emit('error', new Error(code));
  const told = logger.lines.map(({ level, fields }) => [level, (fields.error as Error).message]);
  expect(told).toEqual([
    ['error', 'EMFILE'],
    ['error', 'ENFILE'],
  ]);
});

test('a port that is taken names the setting by which another one is chosen', async () => {
  const taken = Number(new URL(server.baseUrl()).port);
  const second = createPublicServer({ ...boundsOf(createSystemClock()), port: taken });
  await expect(second.listen()).rejects.toThrow('set TOLLGATE_HTTP_PORT to another port');
});
