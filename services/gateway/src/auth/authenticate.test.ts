import { Agent, request } from 'node:http';
import { toIsoTime } from '@tollgate/core';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { answer, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';
import { CHAT } from '../testing/http-client';

const key = keyText(1);
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway({
    environment: { TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' },
  });
  gateway.completion.handlers.complete = async () => answer('hi');
});
afterEach(() => gateway.stop());

const chat = (headers: Record<string, string> = {}) =>
  gateway.send('POST', '/v1/chat/completions', { key, body: CHAT, headers });

test('a revoked key is refused as soon as identity says so', async () => {
  gateway.principals.set(key, {});
  expect((await chat()).status).toBe(200);
  gateway.principals.delete(key);
  expect((await chat()).status).toBe(200);
  gateway.revoke({ revision: '2', changes: [{ keyId: 'key_1', accountId: '' }], reset: false });
  await waitFor(async () => (await chat()).status === 401);
});

test('a suspended account gets 403 on every path, as soon as identity says so', async () => {
  gateway.principals.set(key, {});
  expect((await chat()).status).toBe(200);
  gateway.principals.set(key, { accountStatus: 'ACCOUNT_STATUS_SUSPENDED' });
  gateway.revoke({ revision: '2', changes: [{ keyId: '', accountId: 'acc_1' }], reset: false });
  await waitFor(async () => (await chat()).status === 403);
  const models = await gateway.send('GET', '/v1/models', { key });
  expect(models.json.error).toMatchObject({ code: 'FORBIDDEN' });
});

test('a key works only from its addresses, as trusted proxies report them', async () => {
  gateway.principals.set(key, { allowedIps: ['192.0.2.0/24'] });
  expect((await chat()).status).toBe(403);
  expect((await chat({ 'x-forwarded-for': '192.0.2.7' })).status).toBe(200);
  expect((await chat({ 'x-forwarded-for': '192.0.2.7, 10.1.1.1' })).status).toBe(200);
  // What stands left of the first untrusted hop was written by the client.
  expect((await chat({ 'x-forwarded-for': '192.0.2.7, 198.51.100.9' })).status).toBe(403);
});

test('nobody who is not a trusted proxy is believed', async () => {
  const direct = await startGateway();
  direct.principals.set(key, { allowedIps: ['192.0.2.0/24'] });
  const received = await direct.send('POST', '/v1/chat/completions', {
    key,
    body: CHAT,
    headers: { 'x-forwarded-for': '192.0.2.7' },
  });
  expect(received.status).toBe(403);
  await direct.stop();
});

test('a key stops at its expiry though it is remembered', async () => {
  const clock = createFakeClock(noonAfterTomorrow());
  const timed = await startGateway({ clock });
  timed.completion.handlers.complete = async () => answer('hi');
  timed.principals.set(key, { expiresAt: toIsoTime(noonAfterTomorrow() + 10_000) });
  const send = () => timed.send('POST', '/v1/chat/completions', { key, body: CHAT });
  expect((await send()).status).toBe(200);
  await clock.advance(9999);
  expect((await send()).status).toBe(200);
  await clock.advance(1);
  expect((await send()).status).toBe(401);
  await timed.stop();
});

test('completion learns who asks, with the bounds of the key and nothing more', async () => {
  gateway.principals.set(key, {
    models: ['small-chat'],
    pools: ['eu'],
    grantedGroups: ['eu', 'us'],
    maxBudget: '5000000000',
    budgetPeriod: 'BUDGET_PERIOD_DAY',
    operator: true,
  });
  await chat({ 'x-request-id': 'mine' });
  const [, request] = gateway.completion.calls.at(-1) ?? [];
  expect(request).toMatchObject({
    input: {
      clientRequestId: 'mine',
      caller: {
        accountId: 'acc_1',
        keyId: 'key_1',
        userId: 'usr_1',
        // An operator's key without the admin scope is an ordinary key.
        operator: false,
        models: ['small-chat'],
        pools: ['eu'],
        grantedGroups: ['eu', 'us'],
        maxBudget: 5_000_000_000n,
        budgetPeriod: 1,
      },
      messageCount: 1,
    },
  });
});

test('a key that is bound to models sees no other in the list', async () => {
  gateway.principals.set(key, { models: ['something-else'] });
  const list = await gateway.send('GET', '/v1/models', { key });
  const data = list.json.data as { id: string }[] | undefined;
  expect(data?.map((model) => model.id)).toEqual(['auto']);
  const one = await gateway.send('GET', '/v1/models/small-chat', { key });
  expect(one.status).toBe(404);
  expect(one.json.error).toMatchObject({ code: 'NOT_FOUND', param: 'model' });
});

test.each([
  [[], ['eu', 'us']],
  [['us', 'moon'], ['us']],
])('a key with the pools %j sees the models of the groups %j', async (pools, grantedGroups) => {
  gateway.principals.set(key, { pools, grantedGroups: ['eu', 'us'] });
  await gateway.send('GET', '/v1/models', { key });
  expect(gateway.routing.calls.at(-1)?.[1]).toMatchObject({ accountId: 'acc_1', grantedGroups });
});

test('identity that is away is a 503 for unknown keys and nothing for known ones', async () => {
  gateway.principals.set(key, {});
  expect((await chat()).status).toBe(200);
  await gateway.identity.close();
  expect((await chat()).status).toBe(200);
  const unknown = await gateway.send('POST', '/v1/chat/completions', {
    key: keyText(2),
    body: CHAT,
  });
  expect(unknown.status).toBe(503);
  expect(unknown.headers.get('retry-after')).toBe('1');
});

test('whoever asks on one connection is known by the header of that very request', async () => {
  const other = keyText(2);
  gateway.principals.set(key, {});
  gateway.principals.set(other, { keyId: 'key_2', allowedIps: ['192.0.2.0/24'] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const ask = (authorization: string, path = '/v1/chat/completions') =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const asked = request(`${gateway.baseUrl}${path}`, { agent, method: 'POST', headers });
      asked.on('socket', (socket) => sockets.add(socket));
      asked.on('error', reject);
      asked.on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      asked.end(JSON.stringify(CHAT));
    });
  expect(await ask(`Bearer ${key}`)).toBe(200);
  expect(await ask(`Bearer ${key}`)).toBe(200);
  expect(await ask(`Bearer ${other}`)).toBe(403);
  expect(await ask(`Bearer ${key}`)).toBe(200);
  // Each refusal before the body was read ends its connection.
  expect(await ask('Bearer nobody')).toBe(401);
  expect(await ask(`Bearer ${key}`)).toBe(200);
  expect(await ask(`Bearer ${key}`, '/v1/users/password')).toBe(401);
  expect(sockets.size).toBeLessThan(4);
  agent.destroy();
});
