import { connect, type Socket } from 'node:net';
import { createSystemClock } from '@tollgate/core';
import { createPublicServer, type PublicServer } from './public-server';

let server: PublicServer;
let client: Socket | undefined;

beforeEach(async () => {
  server = createPublicServer({
    bind: '127.0.0.1',
    port: 0,
    connectionsMax: 10,
    headersTimeoutMs: 100,
    requestTimeoutMs: 200,
    connectionIdleMs: 60_000,
    listener: (request, response) => {
      request.resume().on('end', () => response.end('done'));
    },
    clock: createSystemClock(),
  });
  await server.listen();
});

afterEach(async () => {
  client?.destroy();
  await server.close();
});

/** All that the server says until it closes the connection. */
async function talk(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl());
  const socket = connect(Number(port), hostname);
  client = socket;
  socket.write(bytes);
  let said = '';
  for await (const chunk of socket) said += String(chunk);
  return said;
}

test('a client that does not finish its headers is cut soon after the bound', async () => {
  expect(await talk('POST / HTTP/1.1\r\nHost: x\r\nX-Slow')).toContain('VALIDATION_ERROR');
});

test('a client that does not finish its body is cut soon after the bound', async () => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
  expect(await talk(`${head}half`)).toContain('VALIDATION_ERROR');
});
