import { AppError, toIsoTime } from '@tollgate/core';
import { createFakeClock, type FakeClock, waitFor } from '@tollgate/testkit';
import { answer, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';
import { CHAT, sendRequest } from '../testing/http-client';

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
  sendRequest(gateway.baseUrl, 'POST', '/v1/chat/completions', { key: bearer, body });

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

test('the day limit tells client libraries not to wait for midnight', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerDay: 1 });
  await chat(CHAT, other);
  const refused = await chat(CHAT, other);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
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

test('refusals are counted by account, key and reason, and published window by window', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerMinute: 1 });
  await chat(CHAT, other);
  await chat(CHAT, other);
  await chat(CHAT, other);
  gateway.completion.handlers.complete = async () => {
    throw new AppError('INSUFFICIENT_BALANCE');
  };
  expect((await chat()).status).toBe(402);
  await clock.advance(10_000);
  await waitFor(() => gateway.denials.length === 2);
  const data = gateway.denials.map(({ event }) => event.data);
  expect(data).toEqual([
    expect.objectContaining({
      account_id: 'acc_1',
      key_id: 'key_2',
      reason: 'key_rpm',
      count: 2,
      window_start: toIsoTime(NOON),
      window_seconds: 10,
    }),
    expect.objectContaining({ account_id: 'acc_1', key_id: null, reason: 'balance', count: 1 }),
  ]);
});

test('what could not be served is counted once, unless its usage record tells of it', async () => {
  for (const recorded of [false, true]) {
    gateway.completion.handlers.complete = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', { recorded });
    };
    expect((await chat()).status).toBe(503);
  }
  await clock.advance(10_000);
  await waitFor(() => gateway.denials.length === 1);
  expect(gateway.denials.map(({ event: { data, type } }) => ({ ...data, type }))).toMatchObject([
    { type: 'unserved.counted', account_id: 'acc_1', key_id: 'key_1', count: 1 },
  ]);
});

test('a refused request is told under its id, and one that was answered or failed later is not', async () => {
  expect((await chat()).status).toBe(200);
  const bad = await chat({ ...CHAT, temperature: 9 });
  const told = bad.json.error?.message;
  gateway.completion.handlers.complete = async () => {
    throw new AppError('UPSTREAM_ERROR');
  };
  expect((await chat()).status).toBe(502);
  // A vendor refused it: it has a usage record, which tells its story.
  gateway.completion.handlers.complete = async () => {
    throw new AppError('VALIDATION_ERROR', { recorded: true });
  };
  expect((await chat()).status).toBe(400);
  const unknown = await chat(CHAT, keyText(9));
  expect(unknown.status).toBe(401);
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 2);
  const request = {
    request_id: bad.headers.get('x-request-id'),
    key_id: 'key_1',
    at: toIsoTime(NOON),
    error_code: 'VALIDATION_ERROR',
    param: 'temperature',
    message: told,
    requested_model: null,
  };
  const data = { account_id: 'acc_1', requests: [request] };
  const stranger = {
    request_id: unknown.headers.get('x-request-id'),
    fault: 'unknown',
    account_id: null,
    presented: `${keyText(9).slice(0, 24)}…`,
    key_id: null,
    address: '127.0.0.1',
  };
  expect(gateway.refusals.map(({ event }) => event.data)).toMatchObject([
    data,
    { requests: [stranger] },
  ]);
});

test('a completion by a wrong path or method is told with what was meant, and nothing else is', async () => {
  const send = (path: string) =>
    sendRequest(gateway.baseUrl, 'POST', path, { key: keyText(9), body: CHAT });
  const wrong = await send('/v1/v1/chat/completions');
  const unsupported = await send('/v1/completions');
  expect([wrong.status, unsupported.status]).toEqual([404, 404]);
  for (const path of ['/nothing', '/v1/nothing', '/v1/keyz']) await send(path);
  await sendRequest(gateway.baseUrl, 'GET', '/v1/v1/chat/completions', {});
  await sendRequest(gateway.baseUrl, 'OPTIONS', '/v1/chat/completions', {});
  const inHeader = { headers: { 'x-api-key': keyText(9) }, body: CHAT };
  const messages = await sendRequest(gateway.baseUrl, 'POST', '/v1/v1/messages', inHeader);
  const path = '/v1/chat/completions';
  const read = await sendRequest(gateway.baseUrl, 'GET', path, { key: keyText(9) });
  expect(read.json.error?.message).toBe('This path does not support GET: it supports POST.');
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  const from = { presented: `${keyText(9).slice(0, 24)}…`, address: '127.0.0.1' };
  const [first, second, third, fourth] = [wrong, unsupported, messages, read].map((one) => ({
    request_id: one.headers.get('x-request-id'),
    message: one.json.error?.message,
    ...from,
  }));
  expect(first?.message).toContain('once: ask /v1/chat/completions.');
  expect(gateway.refusals[0]?.event).toMatchObject({
    type: 'refusals.unrouted',
    data: {
      requests: [
        { ...first, path: '/v1/v1/chat/completions' },
        { ...second, path: '/v1/completions' },
        { ...third, path: '/v1/v1/messages' },
        { ...fourth, path, error_code: 'METHOD_NOT_ALLOWED' },
      ],
    },
  });
});

test('a body that is no JSON or too large is told of its key, before it is read', async () => {
  const send = (headers: Readonly<Record<string, string>>, body: string) =>
    sendRequest(gateway.baseUrl, 'POST', '/v1/chat/completions', { key, headers, body });
  // What curl sends with -d alone.
  const form = await send({ 'content-type': 'application/x-www-form-urlencoded' }, '{}');
  const large = await send({}, `"${'x'.repeat(11 * 1024 * 1024)}"`);
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  const [first, second] = [form, large].map(({ headers }) => headers.get('x-request-id'));
  const of = { key_id: 'key_1', requested_model: null };
  expect(gateway.refusals[0]?.event.data).toMatchObject({
    account_id: 'acc_1',
    requests: [
      { ...of, request_id: first, error_code: 'UNSUPPORTED_MEDIA_TYPE' },
      { ...of, request_id: second, error_code: 'PAYLOAD_TOO_LARGE' },
    ],
  });
});

test('a key in a header that its path does not read is told, and its client reads what all read', async () => {
  const path = '/v1/chat/completions';
  const told = [];
  for (const name of ['x-api-key', 'api-key']) {
    const request = { headers: { [name]: key }, body: CHAT };
    const { json, status } = await sendRequest(gateway.baseUrl, 'POST', path, request);
    expect([status, json.error]).toEqual([401, (await chat(CHAT, keyText(9))).json.error]);
    const message =
      `The API key came in the header ${name}, which this path does not read: send ` +
      'Authorization: Bearer KEY.';
    told.push({ fault: 'missing', presented: `${key.slice(0, 24)}…`, message });
  }
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  const stranger = { fault: 'unknown' };
  expect(gateway.refusals[0]?.event.data).toMatchObject({
    requests: [told[0], stranger, told[1], stranger],
  });
});

test('a key that no path takes is told with the path, and who sends none elsewhere is not', async () => {
  const send = (path: string, headers: Readonly<Record<string, string>>) =>
    sendRequest(gateway.baseUrl, 'GET', path, { headers });
  await send('/v1/models', {});
  await send('/v1/keys', { authorization: 'Bearer a.session.over' });
  await send('/v1/models', { authorization: `Bearer ${keyText(9)}` });
  await send('/v1/keys/key_77', { 'x-api-key': key });
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  expect(gateway.refusals.map(({ event }) => event.data)).toMatchObject([
    {
      requests: [
        { fault: 'unknown', path: '/v1/models' },
        { fault: 'missing', path: '/v1/keys/*' },
      ],
    },
  ]);
});

test('of a key that may not be used from there it is told where the request came from, and its client is not told', async () => {
  gateway.principals.set(other, { keyId: 'key_2', allowedIps: ['192.0.2.0/24'] });
  const refused = await chat(CHAT, other);
  expect(refused.status).toBe(403);
  expect(refused.json.error?.message).toContain('not in the list of this API key');
  expect(refused.text).not.toContain('127.0.0.1');
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  expect(gateway.refusals.map(({ event }) => event.data)).toMatchObject([
    { requests: [{ key_id: 'key_2', error_code: 'FORBIDDEN', address: '127.0.0.1' }] },
  ]);
});

test('a plan that nobody knows is refused for now, never served without limits', async () => {
  gateway.principals.set(other, { accountId: 'acc_2', plan: 'mystery' });
  expect((await chat(CHAT, other)).status).toBe(503);
});
