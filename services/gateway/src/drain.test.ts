import { Agent, get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { answer, chunk, delta, end, head, keyText } from './testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from './testing/gateway-fixture';
import { CHAT } from './testing/http-client';

const key = keyText(1);
const PATH = '/v1/chat/completions';

let gateway: GatewayUnderTest;
/** Ends the answer that the vendor gives now. */
let finish: () => void;
let agent: Agent;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  gateway = await startGateway();
  gateway.principals.set(key, { plan: 'enterprise' });
  gateway.completion.handlers.streamCompletion = (_request, _call, out) =>
    new Promise((resolve) => {
      out.write(head());
      out.write(chunk(delta('first')));
      finish = () => {
        out.write(chunk(delta('last')));
        out.write(end());
        resolve();
      };
    });
});
afterEach(async () => {
  agent.destroy();
  await gateway.stop();
});

/** Asks for a stream on the one connection of the agent; resolves with the head of the answer. */
function ask(): Promise<IncomingMessage> {
  const { hostname, port } = new URL(gateway.baseUrl);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const place = { hostname, port, method: 'POST', path: PATH, headers, agent };
  return new Promise((resolve, reject) => {
    const request = httpRequest(place, resolve);
    request.on('error', reject);
    request.end(JSON.stringify({ ...CHAT, stream: true }));
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response) text += String(part);
  return text;
}

/** Resolves when nobody listens any more. */
function untilClosed(): Promise<unknown> {
  return waitFor(
    () =>
      new Promise<boolean>((resolve) => {
        const attempt = httpGet(`${gateway.baseUrl}/livez`, { agent: false }, (answer) => {
          answer.resume();
          resolve(false);
        });
        attempt.on('error', () => resolve(true));
      }),
  );
}

test('draining finishes open streams and takes no new connection', async () => {
  const response = await ask();
  const drained = gateway.service.drain?.(10_000);
  await untilClosed();
  finish();
  expect(await textOf(response)).toMatch(/"last".*\[DONE\]/s);
  await drained;
});

test('a client that asks again on its connection meanwhile is served, and told to leave', async () => {
  const first = await ask();
  gateway.service.leave?.();
  const drained = gateway.service.drain?.(10_000);
  await untilClosed();
  finish();
  await textOf(first);
  const second = await ask();
  expect([second.statusCode, second.headers.connection]).toEqual([200, 'close']);
  finish();
  expect(await textOf(second)).toMatch(/"last".*\[DONE\]/s);
  await drained;
});

describe('what outlasts the time for open answers is cut soon after it', () => {
  const DEADLINE_MS = 60_000;
  /** More than the sockets of both sides hold, and less than a frame of completion may. */
  const ANSWER_CHARACTERS = 14 * 1024 * 1024;
  let client: Socket;
  let closed: Promise<unknown>;
  const clock = createFakeClock(noonAfterTomorrow());

  beforeEach(async () => {
    await gateway.stop();
    gateway = await startGateway({ clock });
    gateway.principals.set(key, { plan: 'enterprise' });
    const { hostname, port } = new URL(gateway.baseUrl);
    client = connect(Number(port), hostname);
    closed = new Promise((resolve) => client.once('close', resolve));
    client.on('error', () => {});
  });
  afterEach(() => client.destroy());

  function post(body: string, sentBytes = body.length): void {
    const headers = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const length = `Content-Length: ${body.length}\r\n`;
    client.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\n${headers}${length}\r\n`);
    client.write(body.slice(0, sentBytes));
  }

  async function expectCut(): Promise<void> {
    const drained = gateway.service.drain?.(DEADLINE_MS);
    await clock.advance(24_900);
    expect(client.destroyed).toBe(false);
    await clock.advance(2_000);
    await drained;
    client.resume();
    await closed;
  }

  test('an answer that its client does not read', async () => {
    gateway.completion.handlers.complete = async () => answer('x'.repeat(ANSWER_CHARACTERS));
    client.pause();
    post(JSON.stringify(CHAT));
    await waitFor(async () =>
      /^tollgate_gateway_reader_bytes [1-9]/m.test(await gateway.exposeMetrics()),
    );
    await expectCut();
  });

  test('a body that its client does not finish', async () => {
    post(JSON.stringify(CHAT), 10);
    await waitFor(() => gateway.identity.calls.some(([method]) => method === 'verifyApiKey'));
    await expectCut();
  });
});

test('an instance of completion that drains is none that takes work, as the alert reads it', async () => {
  const countInstances = async () =>
    /^tollgate_gateway_completion_instances (\d+)$/m.exec(await gateway.exposeMetrics())?.[1];
  await waitFor(async () => (await countInstances()) === '1');
  gateway.completion.drain();
  await waitFor(async () => (await countInstances()) === '0');
});
