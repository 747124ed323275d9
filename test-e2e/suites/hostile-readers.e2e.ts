import { createConnection, type Socket } from 'node:net';
import { eventually } from '../support/eventually';
import { readGauge } from '../support/running-process';
import { directive } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(180_000);

const MEBIBYTE = 1024 * 1024;
const BUDGET = 8 * MEBIBYTE;
const READERS = 4;
/** In frames of a word each this is more than the system keeps in the buffers of a connection. */
const TEXT = 'a '.repeat(49_000);

let tollgate: RunningTollgate;
let open: Socket[] = [];

beforeAll(async () => {
  tollgate = await startTollgate({
    // The admin port is told in a line of this level.
    LOG_LEVEL: 'info',
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_GATEWAY_READER_BYTES_MAX: String(BUDGET),
    TOLLGATE_GATEWAY_COMPLETION_HELD_BYTES_MAX: String(MEBIBYTE),
    TOLLGATE_GATEWAY_STREAM_STALL_MS: '5000',
  });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

const heldBytes = () => readGauge(tollgate.process, 'tollgate_gateway_reader_bytes');
const inFlight = () => readGauge(tollgate.process, 'tollgate_gateway_requests_in_flight');

/** Asks for a long stream and never reads a byte of it. */
function neverRead(): Socket {
  const { hostname, port } = new URL(tollgate.baseUrl);
  const content = directive({ text: TEXT });
  const body = JSON.stringify({
    model: 'sim-small',
    stream: true,
    messages: [{ role: 'user', content }],
  });
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${tollgate.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

test('readers that never read hold no more than the budget, and are cut', async () => {
  open = Array.from({ length: READERS }, neverRead);
  let most = 0;
  await eventually(
    async () => {
      const held = await heldBytes();
      most = Math.max(most, held);
      return { held, requests: await inFlight() };
    },
    ({ held, requests }) => most > 0 && requests === 0 && held === 0,
    120_000,
  );
  expect(most).toBeLessThanOrEqual(BUDGET + MEBIBYTE);
  for (const socket of open) socket.destroy();
  const messages = [{ role: 'user', content: 'Hello' }];
  const answer = await tollgate.api.request('POST', '/v1/chat/completions', {
    body: { model: 'sim-small', messages, max_tokens: 1 },
  });
  expect(answer.status).toBe(200);
});
