import { AppError, toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { createFakeClock, type FakeClock, waitFor } from '@tollgate/testkit';
import { answer, keyText, refusing } from '../testing/fixtures';
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

test('denials are counted by account, key and reason, and published window by window', async () => {
  gateway.principals.set(other, { keyId: 'key_2', requestsPerMinute: 1 });
  await chat(CHAT, other);
  await chat(CHAT, other);
  await chat(CHAT, other);
  gateway.completion.handlers.complete = refusing('INSUFFICIENT_BALANCE');
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

test('what was certainly not begun is counted once, and nothing that has a usage record', async () => {
  // What may have been begun gets its record when completion comes back.
  for (const failure of [{}, { recorded: true }, { retryable: false }]) {
    gateway.completion.handlers.complete = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', failure);
    };
    expect((await chat()).status).toBe(503);
  }
  await clock.advance(10_000);
  await waitFor(() => gateway.denials.length === 1);
  expect(gateway.denials.map(({ event: { data, type } }) => ({ ...data, type }))).toMatchObject([
    { type: 'unserved.counted', account_id: 'acc_1', key_id: 'key_1', count: 1 },
  ]);
});

test.each(['/v1/chat/completions', '/v1/chat/completions?by=router'])(
  'a request of an account whose plan billing does not have is counted as not served: %s',
  async (path) => {
    gateway.principals.set(other, { keyId: 'key_2', plan: 'gone' });
    const refused = await gateway.send('POST', path, { key: other, body: CHAT });
    expect(refused.status).toBe(503);
    await clock.advance(10_000);
    await waitFor(() => gateway.denials.length > 0);
    expect(gateway.denials.map(({ event: { data, type } }) => ({ ...data, type }))).toMatchObject([
      { type: 'unserved.counted', account_id: 'acc_1', key_id: 'key_2', count: 1 },
    ]);
  },
);

test('a completion that is refused for want of a right is a denial, whoever finds it', async () => {
  const forbidden: readonly identityV1.Principal[] = [
    { keyId: 'key_2', scopes: ['models'] },
    { keyId: 'key_3', allowedIps: ['192.0.2.0/24'] },
    { keyId: 'key_4', accountStatus: 'ACCOUNT_STATUS_SUSPENDED' },
  ];
  for (const [index, principal] of forbidden.entries()) {
    gateway.principals.set(keyText(2 + index), principal);
    expect((await chat(CHAT, keyText(2 + index))).status).toBe(403);
  }
  gateway.completion.handlers.complete = refusing('FORBIDDEN');
  expect((await chat()).status).toBe(403);
  // No completion: denials tell of nothing else.
  expect((await gateway.send('GET', '/v1/keys', { key: keyText(2) })).status).toBe(403);
  await clock.advance(10_000);
  await waitFor(() => gateway.denials.length > 0);
  expect(gateway.denials.map(({ event }) => event.data)).toMatchObject(
    ['key_2', 'key_3', 'key_4', 'key_1'].map((key_id) => ({
      account_id: 'acc_1',
      key_id,
      reason: 'forbidden',
      count: 1,
    })),
  );
});

test('a refused request is told under its id, and one that was answered or failed later is not', async () => {
  expect((await chat()).status).toBe(200);
  const bad = await chat({ ...CHAT, temperature: 9 });
  const told = bad.json.error?.message;
  gateway.completion.handlers.complete = refusing('UPSTREAM_ERROR');
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
    requested_model: CHAT.model,
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
  const send = (path: string) => gateway.send('POST', path, { key: keyText(9), body: CHAT });
  const wrong = await send('/v1/v1/chat/completions');
  const unsupported = await send('/v1/completions');
  expect([wrong.status, unsupported.status]).toEqual([404, 404]);
  for (const path of ['/nothing', '/v1/nothing', '/v1/keyz']) await send(path);
  await gateway.send('GET', '/v1/v1/chat/completions', {});
  await gateway.send('OPTIONS', '/v1/chat/completions', {});
  const inHeader = { headers: { 'x-api-key': keyText(9) }, body: CHAT };
  const messages = await gateway.send('POST', '/v1/v1/messages', inHeader);
  const path = '/v1/chat/completions';
  const read = await gateway.send('GET', path, { key: keyText(9) });
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

test('of a body that names no model, or what can be none, no model is told', async () => {
  for (const model of [undefined, 7, '', 'x'.repeat(257)]) await chat({ ...CHAT, model });
  await chat([CHAT]);
  await clock.advance(10_000);
  await waitFor(() => gateway.refusals.length === 1);
  const told = { error_code: 'VALIDATION_ERROR', requested_model: null };
  expect(gateway.refusals[0]?.event.data).toMatchObject({ requests: Array(5).fill(told) });
});

test('a body that is no JSON or too large is told of its key, before it is read', async () => {
  const send = (headers: Readonly<Record<string, string>>, body: string) =>
    gateway.send('POST', '/v1/chat/completions', { key, headers, body });
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
    const { json, status } = await gateway.send('POST', path, request);
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
    gateway.send('GET', path, { headers });
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
