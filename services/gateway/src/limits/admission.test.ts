import { AppError, LIMIT_NAMES } from '@tollgate/core';
import { createFakeClock, type FakeClock, waitFor } from '@tollgate/testkit';
import { answer, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';
import { CHAT } from '../testing/http-client';

const key = keyText(1);
const other = keyText(2);
const NOON = noonAfterTomorrow();

let clock: FakeClock;
let gateway: GatewayUnderTest;

beforeEach(async () => {
  clock = createFakeClock(NOON);
  gateway = await startGateway({ clock });
  gateway.principals.set(key, {});
  gateway.completion.handlers.complete = async () => answer('hi');
});
afterEach(() => gateway.stop());

const chat = (body: unknown = CHAT, bearer = key) =>
  gateway.send('POST', '/v1/chat/completions', { key: bearer, body });

test('the 61st request of a minute on the free plan is a 429 that says how long to wait', async () => {
  for (let request = 1; request <= 60; request += 1) {
    const received = await chat();
    expect(received.status).toBe(200);
    expect(received.headers.get('x-ratelimit-limit-requests')).toBe('60');
    expect(received.headers.get('x-ratelimit-remaining-requests')).toBe(String(60 - request));
  }
  await clock.advance(17_500);
  const refused = await chat();
  expect(refused.status).toBe(429);
  expect(refused.json.error).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    param: null,
    message: 'The limit of 60 requests per minute is reached. Please wait 43 s and try again.',
  });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '43s',
    'ratelimit-policy': '"rpm";q=60;w=60, "rpd";q=1000;w=86400',
    ratelimit: '"rpm";r=0;t=43',
    'retry-after': '43',
    'retry-after-ms': '42500',
  });
  expect(refused.headers.get('x-should-retry')).toBeNull();
  await clock.advance(42_500);
  expect((await chat()).status).toBe(200);
});

test.each(LIMIT_NAMES)(
  'a key is held to %s of its own, though it has no other limit',
  async (name) => {
    gateway.principals.set(other, { keyId: 'key_2', [name]: 0 });
    const refused = await chat(CHAT, other);
    expect(refused.status).toBe(429);
    expect(refused.json.error?.message).toContain("This API key's limit of 0 requests");
  },
);

test('completion is told what its client is told of the limits, for the usage record', async () => {
  const told: string[] = [];
  gateway.completion.handlers.complete = async ({ input }) => {
    told.push(input?.limitsLeft ?? 'nothing');
    return answer('hi');
  };
  await chat();
  gateway.principals.set(other, { keyId: 'key_2', requestsPerMinute: 3 });
  await chat(CHAT, other);
  const unlimited = keyText(3);
  gateway.principals.set(unlimited, { accountId: 'acc_2', plan: 'enterprise' });
  await chat(CHAT, unlimited);
  expect(told).toEqual(['rpm 59/60 rpd 999/1000', 'rpm 2/3 rpd 998/1000', '']);
});

test('a request that is refused for its form keeps the minute and returns the day', async () => {
  const bad = await chat({ ...CHAT, temperature: 9 });
  expect(bad.status).toBe(400);
  expect(bad.headers.get('x-ratelimit-remaining-requests')).toBe('59');
  gateway.principals.set(other, { keyId: 'key_2', requestsPerDay: 1 });
  expect((await chat({ ...CHAT, temperature: 9 }, other)).status).toBe(400);
  expect((await chat(CHAT, other)).status).toBe(200);
  const spent = await chat(CHAT, other);
  expect(spent.status).toBe(429);
  expect(spent.json.error?.message).toBe(
    "This API key's limit of 1 request per day is reached. It starts anew at midnight UTC.",
  );
});

test('a failure returns the day only while nothing was done for the client', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerDay: 1 });
  for (const [retryable, next] of [
    [true, 503],
    [false, 503],
    [false, 429],
  ] as const) {
    gateway.completion.handlers.complete = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', { retryable });
    };
    expect((await chat(CHAT, other)).status).toBe(next);
  }
});

test.each([true, false])(
  'a client that leaves while its answer is made (stream: %s) has used one of its day',
  async (stream) => {
    gateway.principals.set(other, { keyId: 'key_2', requestsPerDay: 1 });
    const untilCancelled = ({ signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new AppError('SERVICE_UNAVAILABLE')));
      });
    gateway.completion.handlers.complete = (_request, call) => untilCancelled(call);
    gateway.completion.handlers.streamCompletion = (_request, call) => untilCancelled(call);
    const client = new AbortController();
    const left = fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...CHAT, stream }),
      signal: client.signal,
    });
    await waitFor(() => gateway.completion.calls.length > 0);
    client.abort();
    await expect(left).rejects.toThrow();
    const isGone = /chat_broken\S*client_gone\S* 1/;
    await waitFor(async () => isGone.test(await gateway.exposeMetrics()));
    expect((await chat(CHAT, other)).status).toBe(429);
  },
);

test('the day limit tells client libraries not to wait for midnight', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerDay: 1 });
  await chat(CHAT, other);
  const refused = await chat(CHAT, other);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
});

test('a limit of 0 says that it admits none, and that a retry is of no use', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerMinute: 0 });
  const refused = await chat(CHAT, other);
  expect(refused.json.error?.message).toBe(
    "This API key's limit of 0 requests per minute admits none.",
  );
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect(refused.headers.get('retry-after')).toBe('60');
});

test('all keys of an account share its limits', async () => {
  gateway.principals.set(other, { keyId: 'key_2' });
  for (let request = 0; request < 60; request += 1) {
    expect((await chat(CHAT, request % 2 === 0 ? key : other)).status).toBe(200);
  }
  expect((await chat()).status).toBe(429);
  expect((await chat(CHAT, other)).status).toBe(429);
});

test('an unlimited plan sends no number for what is not limited', async () => {
  gateway.principals.set(other, { accountId: 'acc_2', plan: 'enterprise' });
  const received = await chat(CHAT, other);
  expect(received.status).toBe(200);
  expect(received.headers.get('x-ratelimit-limit-requests')).toBeNull();
  expect(received.headers.get('ratelimit-policy')).toBeNull();
});

test('concurrency counts what is in flight, and the end of an answer frees its place', async () => {
  const endings: (() => void)[] = [];
  gateway.completion.handlers.complete = () =>
    new Promise((resolve) => {
      endings.push(() => resolve(answer('late')));
    });
  const running = Array.from({ length: 5 }, () => chat());
  await waitFor(() => endings.length === 5);
  const refused = await chat();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  for (const end of endings) end();
  for (const received of await Promise.all(running)) expect(received.status).toBe(200);
  gateway.completion.handlers.complete = async () => answer('hi');
  expect((await chat()).status).toBe(200);
});

test('a plan that nobody knows is refused for now, never served without limits', async () => {
  gateway.principals.set(other, { accountId: 'acc_2', plan: 'mystery' });
  expect((await chat(CHAT, other)).status).toBe(503);
});
