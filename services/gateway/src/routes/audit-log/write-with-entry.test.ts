import { AppError } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { keyText, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';
import { MANAGEMENT_CASES } from '../../testing/management-cases';
import type { ManagementCase } from '../../testing/management-cases/management-case';
import { ROUTES } from '../table';
import { hasAuditEntry, resourceTypeOf, SECRET_FIELDS } from './write-with-entry';

const key = keyText(1);
const CANARY = 'canary-of-a-secret';
let gateway: GatewayUnderTest;
let begun: identityV1.AuditEntry__Output[];
let ended: identityV1.EndAuditEntryRequest__Output[];
/** What happened, in order. */
let order: string[];

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, {
    operator: true,
    role: 'ROLE_OPERATOR',
    accountId: 'acc_1',
    userId: 'usr_1',
    scopes: ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks', 'admin'],
  });
  begun = [];
  ended = [];
  order = [];
  const { handlers } = gateway.identity;
  handlers.beginAuditEntry = async ({ entry }) => {
    order.push('begin');
    if (entry !== null) begun.push(entry);
    return {};
  };
  handlers.endAuditEntry = async (request) => {
    order.push('end');
    ended.push(request);
    return {};
  };
  gateway.billing.handlers.getKeyBudgets = async () => ({});
  // An import asks about each change before it.
  gateway.routing.handlers.putModel = async () => ({});
  handlers.getAccount = async () => ({ account: { id: 'acc_7', name: 'before' } });
});
afterEach(() => gateway.stop());

const rowsWithEntry = ROUTES.filter(hasAuditEntry);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Writes that an API key can make; those of signed-in people are in the suite of the product. */
const byKey = rowsWithEntry
  .filter(({ auth }) => auth !== 'access_token')
  .map((row) => {
    const found = MANAGEMENT_CASES.find((each) => nameOf(each) === nameOf(row));
    if (found === undefined) throw new Error(nameOf(row));
    return [nameOf(row), row, found] as const;
  });

function send(each: ManagementCase, body = each.body) {
  return gateway.send(each.method, each.url ?? each.path.replace(/\{\w+\}/g, 'x7'), {
    key,
    ...(body === undefined ? {} : { body }),
    ...(each.headers === undefined ? {} : { headers: each.headers }),
  });
}

/** The owning service answers that, and says when it was asked. */
function answerWith(each: ManagementCase, answer: () => unknown): void {
  const handlers = gateway[each.service].handlers as Record<string, unknown>;
  handlers[each.rpc] = async () => {
    order.push('write');
    return answer();
  };
}

/** The value with a canary in every field that holds a secret. */
function withCanaries(value: unknown): unknown {
  const text = JSON.stringify(value, (name, field: unknown) =>
    SECRET_FIELDS.has(name) && typeof field === 'string' ? CANARY : field,
  );
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

test('every method but GET writes, and has an entry or a reason to have none', () => {
  const management = ROUTES.filter(({ target }) => target.kind !== 'chat');
  const without = management
    .filter((row) => row.method !== 'GET' && !hasAuditEntry(row))
    .map(nameOf);
  expect(without.sort()).toEqual([
    'POST /v1/llm/route/explain',
    'POST /v1/messages/count_tokens',
    'POST /v1/oauth/token',
    'POST /v1/users/login',
    'POST /v1/users/logout',
    'POST /v1/users/refresh',
  ]);
  for (const { target } of ROUTES) {
    if (target.kind === 'chat') continue;
    expect(target.schema.withoutAuditEntry ?? 'a reason').not.toBe('');
  }
});

test('every write names the kind of its resource', () => {
  const kinds = new Set(rowsWithEntry.map(resourceTypeOf));
  expect([...kinds].sort()).toEqual([
    'account',
    'accounts',
    'channels',
    'codes',
    'deliveries',
    'keys',
    'members',
    'models',
    'plans',
    'thresholds',
    'topups',
    'users',
    'webhooks',
  ]);
});

describe.each(byKey)('%s', (name, row, each) => {
  test('is noted before it is made and ended before it is answered, without a secret', async () => {
    const secretAnswer = { ...(each.answer as object), secret: CANARY };
    answerWith(each, () => secretAnswer);
    const asked = await send(each, withCanaries(each.body));
    const { status = 200, streams } = row.target.schema;
    expect([asked.status, asked.json.error ?? null]).toEqual([status, null]);
    expect(order.filter((step) => step !== 'write')).toEqual(['begin', 'end']);
    expect(order.lastIndexOf('write')).toBeGreaterThan(order.indexOf('begin'));
    expect(order.at(-1)).toBe('end');
    const isPublic = row.auth === 'public';
    expect(begun[0]).toMatchObject({
      operation: name,
      resourceType: resourceTypeOf(row),
      remoteAddress: '127.0.0.1',
      actorKeyId: isPublic ? '' : 'key_1',
      actorUserId: isPublic ? '' : 'usr_1',
      requestId: asked.headers.get('x-request-id'),
    });
    expect(begun[0]?.resourceId !== '').toBe(each.path.includes('{'));
    expect(ended[0]).toMatchObject({
      id: begun[0]?.id,
      nothingDone: false,
      outcome: 'AUDIT_OUTCOME_SUCCEEDED',
    });
    // What comes in pieces is no resource.
    if (streams === undefined) expect(ended[0]?.afterJson).not.toBe('');
    expect(JSON.stringify([begun, ended])).not.toContain(CANARY);
  });

  test('that is refused leaves no entry, and one that broke keeps its outcome unknown', async () => {
    answerWith(each, () => {
      throw new AppError('CONFLICT');
    });
    expect((await send(each)).status).toBe(409);
    expect(ended.at(-1)).toMatchObject({ id: begun.at(-1)?.id, nothingDone: true });
    answerWith(each, () => {
      throw new AppError('INTERNAL_ERROR');
    });
    expect((await send(each)).status).toBe(500);
    expect(ended.at(-1)).toMatchObject({
      id: begun.at(-1)?.id,
      nothingDone: false,
      errorCode: 'INTERNAL_ERROR',
      outcome: 'AUDIT_OUTCOME_UNSPECIFIED',
    });
  });

  test('is not made when it cannot be noted', async () => {
    answerWith(each, () => each.answer);
    gateway.identity.handlers.beginAuditEntry = refusing('SERVICE_UNAVAILABLE');
    expect((await send(each)).status).toBe(503);
    const written = gateway[each.service].calls.filter(([method]) => method === each.rpc);
    expect(written).toEqual([]);
    expect(ended).toEqual([]);
  });
});

const ACCOUNT = '/v1/admin/accounts/acc_7';

test('an entry has the resource before and after, and whose it is', async () => {
  gateway.identity.handlers.updateAccount = async () => ({ account: { id: 'acc_7', name: 'new' } });
  await gateway.send('PATCH', ACCOUNT, { key, body: { name: 'new' } });
  expect(begun[0]).toMatchObject({ accountId: 'acc_7', resourceId: 'acc_7', operator: true });
  expect(JSON.parse(begun[0]?.requestJson ?? '')).toEqual({ name: 'new' });
  expect(JSON.parse(begun[0]?.beforeJson ?? '')).toMatchObject({ id: 'acc_7', name: 'before' });
  expect(JSON.parse(ended[0]?.afterJson ?? '')).toMatchObject({ id: 'acc_7', name: 'new' });
});

test('before a write its resource alone is read, and not what people are told besides', async () => {
  const terms = { models: [], discount: 500 };
  const account = { id: 'acc_7', name: 'before', status: 'ACCOUNT_STATUS_SUSPENDED' as const };
  gateway.identity.handlers.getAccount = async () => ({ account: { ...account, terms } });
  gateway.identity.handlers.updateAccount = async () => ({ account });
  const channel = { id: 'chn_7', name: 'first', status: 'CHANNEL_STATUS_DISABLED' as const };
  gateway.routing.handlers.getChannel = async () => ({ channel });
  gateway.routing.handlers.updateChannel = async () => ({ channel });
  const plan = { id: 'free', name: 'Free' };
  gateway.billing.handlers.getPlan = async () => ({ plan, versions: [plan] });
  gateway.billing.handlers.putPlan = async () => ({ plan });
  for (const path of [ACCOUNT, '/v1/admin/channels/chn_7', '/v1/admin/plans/free']) {
    expect((await gateway.send('PATCH', path, { key, body: { name: 'new' } })).status).toBe(200);
  }
  for (const [at, { beforeJson }] of begun.entries()) {
    const [before, after] = [beforeJson, ended[at]?.afterJson ?? ''].map((json) =>
      Object.keys(JSON.parse(json) as object),
    );
    expect(before).toEqual(after);
  }
  const { completion, identity, routing, stats } = gateway;
  const asked = [completion, identity, routing, stats].flatMap(({ calls }) => calls);
  const names = new Set(asked.map(([name]) => name));
  for (const one of ['listAuditEntries', 'listChannels', 'getDefaultTimeouts']) {
    expect(names).not.toContain(one);
  }
  expect(stats.calls).toEqual([]);
});

test('a user who is named by the email stands in the log by the id', async () => {
  const user = { id: 'usr_7', accountId: 'acc_7' };
  gateway.identity.handlers.startPasswordReset = async () => ({
    user,
    code: 'once',
    expiresAt: '',
  });
  const path = '/v1/admin/users/a@b.test/reset-password';
  expect((await gateway.send('POST', path, { key, body: {} })).status).toBe(200);
  expect([begun[0]?.resourceId, ended[0]?.resourceId]).toEqual(['', 'usr_7']);
  expect(JSON.stringify([begun, ended])).not.toContain('a@b.test');
});

test('a reset by email that breaks off leaves an entry with its subject', async () => {
  const user = { id: 'usr_7', accountId: 'acc_7', email: 'a@b.test' };
  gateway.identity.handlers.listUsers = async () => ({ users: [user] });
  gateway.identity.handlers.startPasswordReset = refusing('DATABASE_ERROR');
  const path = '/v1/admin/users/A@b.test/reset-password';
  expect((await gateway.send('POST', path, { key, body: {} })).status).toBe(500);
  expect(begun[0]).toMatchObject({ resourceId: 'usr_7', accountId: 'acc_7' });
  expect(ended[0]).toMatchObject({ errorCode: 'DATABASE_ERROR' });
  expect(JSON.stringify([begun, ended]).toLowerCase()).not.toContain('a@b.test');
});

test('the entry of an erasure does not say what was there before', async () => {
  gateway.identity.handlers.eraseAccount = async () => ({ account: { id: 'acc_7' } });
  const headers = { 'idempotency-key': 'one' };
  const answer = await gateway.send('DELETE', ACCOUNT, { key, headers });
  expect(answer.status).toBe(200);
  expect(begun[0]).toMatchObject({ accountId: 'acc_7', resourceId: 'acc_7', beforeJson: '' });
  expect(JSON.parse(ended[0]?.afterJson ?? '')).toEqual({ id: 'acc_7', deleted: true });
});

test('the entry of a channel of one account is an entry of that account', async () => {
  const channel = {
    id: 'chn_7',
    name: 'own',
    ownerAccountId: 'acc_9',
    createdAt: '2026-02-03T10:00:00Z',
    updatedAt: '2026-02-03T10:00:00Z',
  };
  gateway.routing.handlers.getChannel = async () => ({ channel });
  gateway.routing.handlers.createChannel = async () => ({ channel });
  gateway.routing.handlers.deleteChannel = async () => ({});
  const made = MANAGEMENT_CASES.find((each) => nameOf(each) === 'POST /v1/admin/channels');
  if (made === undefined) throw new Error('no case');
  expect((await send(made)).status).toBe(201);
  expect(ended[0]).toMatchObject({ resourceId: 'chn_7', accountId: 'acc_9' });
  await gateway.send('DELETE', '/v1/admin/channels/chn_7', { key });
  expect(begun[1]).toMatchObject({ resourceId: 'chn_7', accountId: 'acc_9' });
});

test('what is made gives its entry an id and an account', async () => {
  const apiKey = { id: 'key_9', createdAt: '2026-02-03T10:00:00Z' };
  gateway.identity.handlers.createApiKey = async () => ({ apiKey, secret: CANARY });
  await gateway.send('POST', '/v1/keys', { key, body: { name: 'ci' } });
  expect(begun[0]).toMatchObject({ accountId: 'acc_1', resourceId: '' });
  expect(ended[0]).toMatchObject({ resourceId: 'key_9', accountId: '' });
  const account = { id: 'acc_9', name: 'Acme', createdAt: '2026-02-03T10:00:00Z' };
  gateway.identity.handlers.createAccount = async () => ({ account, owner: { id: 'usr_9' } });
  const owner = { email: 'a@example.com', password: 'placeholder' };
  await gateway.send('POST', '/v1/admin/accounts', {
    key,
    body: { name: 'Acme', owner },
  });
  expect(ended[1]).toMatchObject({ resourceId: 'acc_9', accountId: 'acc_9' });
});

test('a repetition of what was made already leaves no entry', async () => {
  const apiKey = { id: 'key_9', createdAt: '2026-02-03T10:00:00Z' };
  gateway.identity.handlers.createApiKey = async () => ({ apiKey, replayed: true });
  const headers = { 'idempotency-key': 'one' };
  await gateway.send('POST', '/v1/keys', { key, body: { name: 'ci' }, headers });
  expect(ended[0]).toMatchObject({ nothingDone: true });
});

test('what was made is answered though its end cannot be noted', async () => {
  gateway.identity.handlers.deleteApiKey = async () => ({});
  gateway.identity.handlers.endAuditEntry = async () => {
    order.push('end');
    throw new AppError('SERVICE_UNAVAILABLE');
  };
  expect((await gateway.send('DELETE', '/v1/keys/key_7', { key })).status).toBe(200);
  expect(order).toEqual(['begin', 'end', 'end']);
});

test.each([
  [`https://user:${CANARY}@vendor.example/v1`, 'https://[secret]@vendor.example/v1'],
  [`https://vendor.example/v1?key=${CANARY}&a=b#${CANARY}`, 'https://vendor.example/v1?[secret]'],
  [`https://vendor.example:bad/?key=${CANARY}`, 'https://vendor.example:bad/?[secret]'],
])('the address of a vendor hides who would sign in there: %s', async (url, shown) => {
  const body = { base_url: url, credential: CANARY };
  gateway.routing.handlers.updateChannel = refusing('VALIDATION_ERROR');
  await gateway.send('PUT', '/v1/admin/channels/chn_7', { key, body });
  expect(JSON.parse(begun[0]?.requestJson ?? '')).toEqual({
    base_url: shown,
    credential: '[secret]',
  });
});

test('the address of a webhook is a secret but for its host, and a change of it is seen', async () => {
  const old = `https://hooks.example/services/${CANARY}?token=${CANARY}`;
  const endpoint = (url: string) => ({ id: 'whk_7', url, createdAt: '2026-02-03T10:00:00Z' });
  gateway.webhook.handlers.getEndpoint = async () => ({ endpoint: endpoint(old) });
  gateway.webhook.handlers.updateEndpoint = async ({ url }) => ({ endpoint: endpoint(url ?? '') });
  for (const url of [old, `${old}2`, 'https://hooks.example', `not a url ${CANARY}`]) {
    const answer = await gateway.send('PATCH', '/v1/webhooks/whk_7', {
      key,
      body: { url },
    });
    expect([url, answer.status]).toEqual([url, 200]);
  }
  const urlOf = (json = '') => (JSON.parse(json) as { readonly url: string }).url;
  const before = urlOf(begun[0]?.beforeJson);
  expect(before).toMatch(/^https:\/\/hooks\.example\/\[secret [0-9a-f]{6}\]$/);
  const [same, other, origin, malformed] = begun.map(({ requestJson }) => urlOf(requestJson));
  expect(same).toBe(before);
  expect(other).toMatch(/^https:\/\/hooks\.example\/\[secret [0-9a-f]{6}\]$/);
  expect(other).not.toBe(before);
  expect([origin, malformed]).toEqual(['https://hooks.example/', '[secret]']);
  expect(ended.map(({ afterJson }) => urlOf(afterJson))).toEqual([same, other, origin, malformed]);
  expect(JSON.stringify([begun, ended])).not.toContain(CANARY);
});
