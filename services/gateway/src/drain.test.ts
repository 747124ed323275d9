import { Agent, get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { waitFor } from '@tollgate/testkit';
import { chunk, delta, end, head, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-fixture';
import { CHAT } from '../testing/http-client';

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

test('an instance of completion that drains is none that takes work, as the alert reads it', async () => {
  const countInstances = async () =>
    /^tollgate_gateway_completion_instances (\d+)$/m.exec(await gateway.exposeMetrics())?.[1];
  await waitFor(async () => (await countInstances()) === '1');
  gateway.completion.drain();
  await waitFor(async () => (await countInstances()) === '0');
});
