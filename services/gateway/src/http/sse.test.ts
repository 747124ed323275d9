import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { createByteBound } from '../bounds/byte-bound';
import { createHttpExchange } from './exchange';
import { createEventStream, type EventStream } from './sse';

/** One stream to a real client, on time that the test moves. */
async function openStream(readerBytesMax = 1024 ** 3) {
  const unreadBytes = createByteBound(readerBytesMax);
  const clock = createFakeClock();
  const events: string[] = [];
  let writer: EventStream | undefined;
  let served: ServerResponse | undefined;
  const server = createServer((request, response) => {
    served = response;
    writer = createEventStream(
      createHttpExchange(request, response, true),
      clock,
      { headWaitMs: 5000, keepAliveMs: 15_000, unreadBytes },
      {
        onDrain: () => void events.push('drain'),
        onGone: () => void events.push('gone'),
      },
      ': keep-alive\n\n',
    );
    writer.open({ 'X-Test': 'yes' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ port, host: '127.0.0.1', agent: false }, resolve);
  });
  response.on('error', () => {});
  if (writer === undefined || served === undefined) throw new Error('nothing was served');
  return {
    clock,
    events,
    unreadBytes,
    writer,
    served,
    response,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

test('after fifteen seconds of silence a comment is sent, and none while frames flow', async () => {
  const stream = await openStream();
  let text = '';
  stream.response.on('data', (bytes) => {
    text += String(bytes);
  });
  await stream.clock.advance(14_000);
  stream.writer.write(Buffer.from('data: 1\n\n'));
  await stream.clock.advance(14_000);
  await waitFor(() => text === 'data: 1\n\n');
  await stream.clock.advance(1_000);
  await waitFor(() => text === 'data: 1\n\n: keep-alive\n\n');
  await stream.clock.advance(15_000);
  stream.writer.end(Buffer.from('data: [DONE]\n\n'));
  await waitFor(() => stream.response.complete);
  expect(text).toBe('data: 1\n\n: keep-alive\n\n: keep-alive\n\ndata: [DONE]\n\n');
  expect(stream.response.headers['x-test']).toBe('yes');
  expect(stream.clock.pendingTimers).toBe(0);
  await stream.close();
});

test('what a client does not take is counted, and given back when it leaves', async () => {
  const stream = await openStream();
  const block = Buffer.alloc(1024 * 1024, 'x');
  while (stream.writer.write(block)) await Promise.resolve();
  expect(stream.unreadBytes.held).toBe(stream.served.writableLength);
  expect(stream.unreadBytes.held).toBeGreaterThan(0);
  stream.response.destroy();
  await waitFor(() => stream.events.includes('gone'));
  expect(stream.unreadBytes.held).toBe(0);
  await stream.close();
});

test('a client for whose bytes there is no room is cut', async () => {
  const stream = await openStream(1024 * 1024);
  const block = Buffer.alloc(1024 * 1024, 'x');
  while (stream.writer.write(block)) await Promise.resolve();
  stream.writer.write(block);
  await waitFor(() => stream.events.includes('gone'));
  expect([stream.served.destroyed, stream.unreadBytes.held]).toEqual([true, 0]);
  await stream.close();
});

test('the end of a stream is counted as well, until the client has taken it', async () => {
  const stream = await openStream();
  stream.writer.write(Buffer.from('data: 1\n\n'));
  stream.writer.end(Buffer.alloc(12 * 1024 * 1024, 'x'));
  await waitFor(() => stream.unreadBytes.held > 0);
  expect(stream.unreadBytes.held).toBe(stream.served.writableLength);
  stream.response.resume();
  await waitFor(() => stream.unreadBytes.held === 0);
  expect([stream.served.writableFinished, stream.events]).toEqual([true, []]);
  await stream.close();
});

test('an end for which there is no room cuts its client', async () => {
  const stream = await openStream(1024 * 1024);
  stream.writer.end(Buffer.alloc(12 * 1024 * 1024, 'x'));
  await waitFor(() => stream.served.closed);
  expect([stream.served.writableFinished, stream.unreadBytes.held]).toEqual([false, 0]);
  await stream.close();
});

test('a client that reads again is told of, and one that leaves is told of once', async () => {
  const stream = await openStream();
  const block = Buffer.alloc(1024 * 1024, 'x');
  while (stream.writer.write(block)) await Promise.resolve();
  stream.response.resume();
  await waitFor(() => stream.events.includes('drain'));
  stream.response.destroy();
  await waitFor(() => stream.events.includes('gone'));
  expect(stream.writer.write(block)).toBe(true);
  expect(stream.events.filter((event) => event === 'gone')).toHaveLength(1);
  await stream.close();
});
