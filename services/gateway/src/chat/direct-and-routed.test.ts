import { createFakeClock } from '@tollgate/testkit';
import { answer, chunk, delta, end, failure, head, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';
import { CHAT as HELLO, type SentRequest } from '../testing/http-client';

let gateway: GatewayUnderTest;
const key = keyText(1);
const scopeless = keyText(2);
const limited = keyText(3);
const CHAT = { ...HELLO, max_tokens: 64 };
/** The same in the fields of another format. */
function bodyFor(path: string, body: unknown): unknown {
  if (path !== '/v1/responses' || typeof body !== 'object') return body;
  const { messages: input, max_tokens: _max, ...rest } = body as typeof CHAT;
  return { ...rest, input };
}

const ORIGIN = 'https://console.example.com';

beforeAll(async () => {
  gateway = await startGateway({
    // Stands still, so that the minute of a limit is over for nobody, nor the wait for it shorter.
    clock: createFakeClock(noonAfterTomorrow()),
    environment: { TOLLGATE_GATEWAY_CHAT_BYTES_MAX: '2048', TOLLGATE_CORS_ORIGINS: ORIGIN },
  });
  gateway.principals.set(key, { plan: 'enterprise' });
  gateway.principals.set(scopeless, { keyId: 'key_2', scopes: ['models'] });
  gateway.principals.set(limited, { keyId: 'key_3', accountId: 'acc_3', requestsPerMinute: 1 });
  gateway.completion.handlers.complete = async () => answer('hi é');
  gateway.completion.handlers.streamCompletion = async ({ input }, _call, out) => {
    out.write(head());
    out.write(chunk(delta('hi'), delta(' é')));
    out.write(end(input?.model === 'broken' ? failure('UPSTREAM_ERROR') : undefined));
  };
  await gateway.send('POST', '/v1/chat/completions', { key: limited, body: CHAT });
});
afterAll(() => gateway.stop());

/** What differs between any two requests, and what hangs on how their packets were cut. */
const VARYING =
  /^(?:date|(?:x-)?request-id|retry-after|retry-after-ms|connection|keep-alive)$|ratelimit/;

async function exchangeOf(path: string, request: SentRequest) {
  const { status, headers, text } = await gateway.send('POST', path, request);
  const requestId = headers.get('x-request-id') ?? '';
  return {
    status,
    text: text.replaceAll(requestId, 'ID'),
    headers: [...headers].filter(([name]) => !VARYING.test(name)).sort(),
    limits: [...headers.keys()].filter((name) => name.includes('ratelimit')).sort(),
  };
}

const PATHS = ['/v1/llm/chat/completions', '/v1/chat/completions', '/v1/messages', '/v1/responses'];

// A query sends a request through the router; without one it is served before the router.
describe.each(PATHS)('%s answers the same before and behind the router', (path) => {
  test.each<readonly [string, number, SentRequest]>([
    ['an answer', 200, { key, body: CHAT }],
    ['an answer for a browser', 200, { key, body: CHAT, headers: { origin: ORIGIN } }],
    ['the id of a client', 200, { key, body: CHAT, headers: { 'x-request-id': 'mine' } }],
    ['a stream', 200, { key, body: { ...CHAT, stream: true } }],
    ['a stream that breaks', 200, { key, body: { ...CHAT, model: 'broken', stream: true } }],
    ['no bearer', 401, { body: CHAT }],
    ['a key without the scope', 403, { key: scopeless, body: CHAT }],
    ['another media type', 415, { key, body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['too large a body', 413, { key, body: { ...CHAT, padding: 'x'.repeat(3000) } }],
    ['the limit', 429, { key: limited, body: CHAT }],
    ['a fault in the form', 400, { key, body: { ...CHAT, temperature: 9 } }],
  ])('%s', async (_what, status, request) => {
    const sent = { ...request, body: bodyFor(path, request.body) };
    const before = await exchangeOf(path, sent);
    expect(before.status).toBe(status);
    expect(before).toEqual(await exchangeOf(`${path}?by=router`, sent));
  });

  test('what the request may cost goes to completion in nano-units, or is refused', async () => {
    const costs: (bigint | undefined)[] = [];
    gateway.completion.handlers.complete = async ({ input }) => {
      costs.push(input?.maxCost);
      return answer('hi é');
    };
    const body = bodyFor(path, CHAT);
    const ask = (headers: Record<string, string>) =>
      gateway.send('POST', path, { key, body, headers });
    await ask({});
    for (const amount of ['0', '0.05', '12.000000001']) {
      expect((await ask({ 'x-tollgate-max-cost': amount })).status).toBe(200);
    }
    expect(costs).toEqual([undefined, 0n, 50_000_000n, 12_000_000_001n]);
    for (const amount of ['', '-1', '1e3', '0.0000000001', '1, 2', '10000000000']) {
      const { status, json } = await ask({ 'x-tollgate-max-cost': amount });
      expect([amount, status]).toEqual([amount, 400]);
      expect(json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'X-Tollgate-Max-Cost' });
    }
    expect(costs).toHaveLength(4);
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s is no method of it', async (method) => {
    const received = await gateway.send(method, path, { key });
    expect(received.status).toBe(405);
    expect(received.headers.get('allow')).toBe('POST');
  });
});
