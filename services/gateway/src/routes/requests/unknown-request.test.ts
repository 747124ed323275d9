import { createId, firstIdAt } from '@tollgate/core';
import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
const NOW = '2026-02-03T10:00:00.000Z';
let gateway: GatewayUnderTest;

const notFound = refusing('NOT_FOUND');

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin', 'billing'] });
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = notFound;
});
afterEach(() => gateway.stop());

test('of a request that nobody knows the story says why, by what its id tells', async () => {
  const nothing = { requests: [], count: 0, reserved: 0n };
  gateway.completion.handlers.listActiveRequests = async () => nothing;
  const unknown = await gateway.send('GET', '/v1/admin/requests/req_7', { key });
  expect(unknown.status).toBe(404);
  expect(unknown.json.error?.message).toContain('No request has this id');
  // A path that does not exist has no story; its id says when it was asked.
  const old = await gateway.send('GET', '/v1/admin/requests/req_01K000000000000000000000AA', {
    key,
  });
  expect(old.json.error?.message).toMatch(
    /^Nothing is kept of this request, which was made at 2025-\S+Z\. .* gateway alone: grep req_\w+\.$/,
  );
  for (const list of ['/v1/requests', '/v1/admin/requests']) {
    const path = `${list}/${createId('request')}`;
    const fresh = await gateway.send('GET', path, { key });
    expect(fresh.json.error?.message).toMatch(
      /^Nothing is known .* yet, which is \d s old: .* after about 2 s, .*Ask again/,
    );
  }
});

test('of a burst that was not kept the story says what was refused beside it, and not to ask again', async () => {
  const madeAtMs = Date.now() - 30_000;
  const at = new Date(madeAtMs).toISOString();
  const kept = { gatewayId: 'gtw_1', errorCode: 'SERVICE_UNAVAILABLE', message: 'Not now.' };
  const refusals = [
    { ...kept, requestId: 'req_c', at, accountId: 'acc_7', keyId: 'key_7' },
    { ...kept, requestId: 'req_b', at, accountId: 'acc_7', keyId: 'key_8' },
    { ...kept, requestId: 'req_a', at },
    { ...kept, requestId: 'req_old', at: NOW },
  ];
  gateway.stats.handlers.listRefusals = async () => ({ refusals });
  gateway.identity.handlers.getAccount = async () => ({
    account: { id: 'acc_7', name: 'Acme', status: 'ACCOUNT_STATUS_ACTIVE' as const },
  });
  const path = `/v1/admin/requests/${firstIdAt('request', madeAtMs)}${'0'.repeat(16)}`;
  const { json } = await gateway.send('GET', path, { key });
  expect(json.error?.message).toMatch(/s old\. Either it was refused and .* grep req_\w+\. /);
  expect(json.error?.message).not.toContain('a vendor is still answering');
  expect(json.error?.message).toMatch(
    /: 3 with SERVICE_UNAVAILABLE of "Acme" \(acc_7, key_7, key_8\), nobody who is known, such as req_c\.$/,
  );
  gateway.identity.handlers.getAccount = notFound;
  const { json: unnamed } = await gateway.send('GET', path, { key });
  expect(unnamed.error?.message).toContain(' of acc_7 (key_7, key_8), nobody who is known');
  expect(json.error?.message).not.toContain('Ask again');
  // As many as are looked at: there may be more.
  gateway.stats.handlers.listRefusals = async ({ limit }) => ({
    refusals: Array.from({ length: limit ?? 0 }, () => ({ ...kept, requestId: 'req_b', at })),
  });
  const { json: more } = await gateway.send('GET', path, { key });
  expect(more.error?.message).toMatch(
    /: at least 20 with SERVICE_UNAVAILABLE of nobody who is known, such as req_b\.$/,
  );
});

test('where refused requests are published late, a new one may be of them for so long', async () => {
  await gateway.stop();
  gateway = await startGateway({ environment: { TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '600000' } });
  gateway.principals.set(key, { operator: true, scopes: ['admin', 'billing'] });
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = notFound;
  gateway.stats.handlers.listRefusals = async () => ({ refusals: [] });
  const askAfter = async (ageMs: number) => {
    const id = `${firstIdAt('request', Date.now() - ageMs)}${'0'.repeat(16)}`;
    const { json } = await gateway.send('GET', `/v1/admin/requests/${id}`, { key });
    return json.error?.message;
  };
  const pending = await askAfter(590_000);
  expect(pending).toMatch(/^Nothing is known .* yet, .* after about 605 s .*Ask again/);
  expect(await askAfter(640_000)).toMatch(/^Nothing is known .* yet, .*Either it was refused and/);
  expect(await askAfter(700_000)).toMatch(/^Nothing is kept of this request/);
});
