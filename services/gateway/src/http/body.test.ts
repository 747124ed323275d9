import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFairShare } from '@tollgate/core';
import { readBody, roomOf } from './body';
import { createHttpExchange } from './exchange';

const BYTES_MAX = 1000;

/** Lets a client send a part of a body or all of it, and leave before anybody reads. */
async function afterTheClientLeft(text: string, length: number): Promise<unknown> {
  const arrived = Promise.withResolvers<[IncomingMessage, ServerResponse]>();
  const server = createServer((incoming, response) => arrived.resolve([incoming, response]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-length': String(length) };
  const client = request({ port, host: '127.0.0.1', method: 'POST', headers });
  client.on('error', () => {});
  client.write(text);
  const [incoming, response] = await arrived.promise;
  const left = new Promise((resolve) => response.once('close', resolve));
  client.destroy();
  await left;
  const bodies = createFairShare(BYTES_MAX);
  const { request: asked, onClose } = createHttpExchange(incoming, response, true);
  const body = readBody({ request: asked, response, onClose }, BYTES_MAX, roomOf(bodies, 'a'));
  const failure: unknown = await body.catch((error: unknown) => error);
  expect(bodies.held).toBe(0);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return failure;
}

test.each([
  ['half of its body', '{"a":', 10],
  ['all of its body', '{"a":1}', 7],
])('a client that sent %s and left before it was read is done with', async (_, body, length) => {
  expect(await afterTheClientLeft(body, length)).toMatchObject({ code: 'VALIDATION_ERROR' });
});
