import { generateKeyPairSync } from 'node:crypto';
import { AppError, createSystemClock, ERROR_CODES } from '@tollgate/core';
import { sign } from 'jsonwebtoken';
import type { z } from 'zod';
import { keyText } from '../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-fixture';
import { MANAGEMENT_CASES } from '../testing/management-cases';
import type { ManagementCase } from '../testing/management-cases/management-case';
import type { Operation } from './operation';
import { ROUTES, type Route } from './table';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const operatorKey = keyText(1);
const memberKey = keyText(2);
const scopelessKey = keyText(3);
const clock = createSystemClock();

function accessToken(subject: string): string {
  const exp = Math.floor(clock.now() / 1000) + 600;
  const claims = {
    iss: 'tollgate',
    aud: 'tollgate-api',
    sub: subject,
    sid: 'ses_1',
    typ: 'access',
  };
  return sign({ ...claims, exp }, privateKey, { algorithm: 'ES256', keyid: 'k1' });
}

const userToken = accessToken('usr_1');

const rowOf = ({ method, path }: ManagementCase): Route => {
  const row = ROUTES.find((each) => each.method === method && each.path === path);
  if (row === undefined) throw new Error(`no row for ${method} ${path}`);
  return row;
};
const schemaOf = (each: ManagementCase) => (rowOf(each).target as Operation).schema;
const urlOf = (each: ManagementCase) => each.url ?? each.path.replace(/\{\w+\}/g, 'x7');

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway({
    environment: { TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000' },
  });
  const operator = { operator: true, role: 'ROLE_OPERATOR', accountId: 'acc_1' } as const;
  const all = ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks', 'admin'];
  gateway.principals.set(operatorKey, { ...operator, scopes: all });
  gateway.principals.set(memberKey, { keyId: 'key_2', accountId: 'acc_2', role: 'ROLE_MEMBER' });
  gateway.principals.set(scopelessKey, { keyId: 'key_3', accountId: 'acc_3', scopes: [] });
  const { handlers } = gateway.identity;
  handlers.getSigningKeys = async () => ({
    keys: [
      { kid: 'k1', publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    ],
    issuer: 'tollgate',
    audience: 'tollgate-api',
  });
  const account = { id: 'acc_1', name: 'Acme', plan: 'free' };
  handlers.getUser = async ({ userId }) => ({
    user: {
      id: userId,
      role: userId === 'usr_1' ? 'ROLE_OWNER' : 'ROLE_MEMBER',
      status: 'USER_STATUS_ACTIVE',
      createdAt: '2026-02-03T10:00:00.000Z',
    },
    account: { ...account, status: 'ACCOUNT_STATUS_ACTIVE' },
  });
  const times = { createdAt: '2026-02-03T10:00:00.000Z', updatedAt: '2026-02-03T10:00:00.000Z' };
  handlers.getAccount = async () => ({
    account: { id: 'x7', status: 'ACCOUNT_STATUS_ACTIVE', ...times },
  });
});
afterAll(() => gateway.stop());

const bearerFor = (each: ManagementCase): string | undefined => {
  const { auth } = rowOf(each);
  if (auth === 'public') return undefined;
  return auth === 'access_token' || auth === 'optional_access_token' ? userToken : operatorKey;
};

function prepare(each: ManagementCase): void {
  // The user is loaded twice on this path: once as the principal, once as the answer.
  const handlers = gateway[each.service].handlers as Record<string, unknown>;
  // An import asks about each change before it.
  gateway.routing.handlers.putModel = async () => ({});
  if (each.rpc !== 'getUser') handlers[each.rpc] = async () => each.answer;
  gateway.billing.handlers.getKeyBudgets = async () => ({
    budgets: [{ keyId: 'key_7', spent: '3' }],
  });
}

const SHA256 = /^[0-9a-f]{64}$/;

/** What the owning service got to recognise a repetition by. */
function keyOf(each: ManagementCase) {
  const request = gateway[each.service].calls.findLast(([method]) => method === each.rpc)?.[1];
  const { idempotency, idempotencyKey, bodyDigest } = request as {
    readonly idempotency?: object;
    readonly idempotencyKey?: string;
    readonly bodyDigest?: string;
  };
  return idempotency ?? { key: idempotencyKey, bodyDigest };
}

function send(
  each: ManagementCase,
  key = bearerFor(each),
  extra: { body?: unknown; headers?: Record<string, string> } = {},
) {
  return gateway.send(each.method, urlOf(each), {
    ...(key === undefined ? {} : { key }),
    ...(each.body === undefined ? {} : { body: each.body }),
    ...(each.headers === undefined ? {} : { headers: each.headers }),
    ...extra,
  });
}

const titled = MANAGEMENT_CASES.map((each) => [`${each.method} ${each.path}`, each] as const);

test('every row of the table has a case', () => {
  const operations = ROUTES.filter((row) => row.target.kind !== 'chat');
  const ofCompletion = ['/v1/llm/route/explain', '/v1/messages/count_tokens'];
  const missing = operations.filter(
    ({ method, path }) =>
      !ofCompletion.includes(path) &&
      !MANAGEMENT_CASES.some((each) => each.method === method && each.path === path),
  );
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

/** Every POST that takes no Idempotency-Key, and why a repetition does no harm. */
const WITHOUT_KEY: Readonly<Record<string, RegExp>> = {
  '/v1/admin/accounts/{id}/export': /changes nothing/,
  '/v1/admin/models/import': /changes nothing/,
  '/v1/admin/channels/discover': /changes nothing/,
  '/v1/users/login': /tokens, which are not kept/,
  '/v1/users/refresh': /tokens, which are not kept/,
  '/v1/oauth/token': /tokens, which are not kept/,
  '/v1/users/logout': /ends no second time/,
  '/v1/users/reset-password': /works once/,
  '/v1/topups/{provider}': /id of the event/,
  '/v1/account/redeem': /gives its credit once/,
  '/v1/admin/users/{id}/reset-password': /shown once/,
  '/v1/admin/keys/{id}/disable': /changes nothing/,
  '/v1/admin/keys/{id}/enable': /changes nothing/,
  '/v1/admin/users/{id}/disable': /changes nothing/,
  '/v1/admin/users/{id}/enable': /changes nothing/,
  '/v1/admin/users/{id}/end-sessions': /changes nothing/,
  '/v1/llm/route/explain': /changes nothing/,
  '/v1/messages/count_tokens': /changes nothing/,
};

test('every POST and erasure takes an Idempotency-Key, or documents why it does not', () => {
  const ignoring = new Map<string, string>();
  for (const { method, path, target } of ROUTES) {
    // Nothing of a completion's answer is kept.
    if (target.kind === 'chat') continue;
    const rule = target.schema.idempotency;
    const isFinal = target.schema.erases === true;
    expect([method, path, rule !== undefined]).toEqual([
      method,
      path,
      method === 'POST' || isFinal,
    ]);
    if (typeof rule === 'object') ignoring.set(path, rule.ignored);
  }
  expect([...ignoring.keys()].sort()).toEqual(Object.keys(WITHOUT_KEY).sort());
  for (const [path, reason] of ignoring) expect(reason).toMatch(WITHOUT_KEY[path] ?? 'nothing');
});

describe.each(titled)('%s', (_title, each) => {
  test('answers its documented payload, and asks the owning service', async () => {
    prepare(each);
    const received = await send(each);
    const schema = schemaOf(each);
    expect(received.json.error ?? null).toBeNull();
    expect(received.status).toBe(schema.status ?? 200);
    expect(received.headers.get('x-api-version')).toBe('v1');
    if (schema.streams !== undefined) expect(received.text).toContain('\r\n');
    const plain = schema.withoutEnvelope === true || schema.streams !== undefined;
    if (!plain) expect(Object.keys(received.json)).toEqual(['success', 'data', 'error', 'message']);
    const data: z.ZodType = schema.data;
    expect(data.safeParse(plain ? received.json : received.json.data)).toMatchObject({
      success: true,
    });
    const request = gateway[each.service].calls.findLast(([method]) => method === each.rpc)?.[1];
    expect(request).toMatchObject(each.asked ?? {});
  });

  test('refuses in order: unknown 401, without the right 403', async () => {
    const row = rowOf(each);
    if (row.auth === 'public') return;
    prepare(each);
    expect((await gateway.send(each.method, urlOf(each))).status).toBe(401);
    expect((await send(each, 'unknown')).status).toBe(401);
    if (row.auth === 'access_token' || row.auth === 'optional_access_token') {
      expect((await send(each, operatorKey)).status).toBe(401);
      const expected = row.role === 'member' ? (schemaOf(each).status ?? 200) : 403;
      expect((await send(each, accessToken('usr_member'))).status).toBe(expected);
      return;
    }
    const scopeless = await send(each, scopelessKey);
    expect(scopeless.status).toBe(403);
    expect(scopeless.json.error?.code).toBe('FORBIDDEN');
    if (row.role !== 'member') expect((await send(each, memberKey)).status).toBe(403);
  });

  test('refuses what it does not know, by name', async () => {
    prepare(each);
    const { body, query } = schemaOf(each);
    const isCallback = each.path === '/v1/oauth/callback';
    const key = bearerFor(each);
    if (!isCallback) {
      const join = urlOf(each).includes('?') ? '&' : '?';
      const received = await gateway.send(each.method, `${urlOf(each)}${join}typo=1`, {
        ...(key === undefined ? {} : { key }),
        ...(each.body === undefined ? {} : { body: each.body }),
        ...(each.headers === undefined ? {} : { headers: each.headers }),
      });
      expect(received.status).toBe(400);
      expect(received.json.error?.param).toBe('typo');
    }
    if (query !== undefined && !isCallback) {
      const twice = await gateway.send(each.method, `${each.path}?a=1&a=2`, {
        ...(key === undefined ? {} : { key }),
      });
      expect(twice.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'a' });
    }
    if (body === undefined) return;
    const known = (each.body ?? {}) as object;
    for (const name of ['typo', '__proto__']) {
      const text = `{"${name}":{},${JSON.stringify(known).slice(1)}`.replace(',}', '}');
      const received = await send(each, key, { body: text });
      expect(received.status).toBe(400);
      expect(received.json.error?.param).toBe(name);
    }
  });

  test('takes an Idempotency-Key to its service, and says what is a repetition', async () => {
    if (schemaOf(each).idempotency === undefined) return;
    prepare(each);
    const rule = schemaOf(each).idempotency;
    const sendKey = (key: string) =>
      send(each, bearerFor(each), { headers: { 'idempotency-key': key } });
    if (typeof rule === 'object') {
      expect((await sendKey('no key')).headers.get('idempotency-replayed')).toBeNull();
      return;
    }
    const refused = await sendKey('no key');
    expect([refused.status, refused.json.error?.param]).toEqual([400, 'Idempotency-Key']);
    const first = await sendKey('once');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(keyOf(each)).toMatchObject({
      key: expect.stringMatching(/^(acc_1\/)?once$/) as string,
      // The ledger keeps what a grant says itself.
      ...(/addCredits|adjustBalance/.test(each.rpc)
        ? {}
        : { bodyDigest: expect.stringMatching(SHA256) as string }),
    });
    const answer = { ...(each.answer as object), secret: '', replayed: true };
    prepare({ ...each, answer });
    const second = await sendKey('once');
    expect(second.status).toBe(first.status);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { key: _key, secret: _secret, ...rest } = first.json.data ?? {};
    expect(second.json.data).toEqual(rest);
  });

  test('passes on what the owning service refuses', async () => {
    prepare(each);
    if (each.rpc === 'getUser' || each.rpc === 'listModels') return;
    // It lists who refuses.
    if (each.path === '/v1/admin/alerts') return;
    const handlers = gateway[each.service].handlers as Record<string, unknown>;
    const before = handlers[each.rpc];
    handlers[each.rpc] = async () => {
      throw new AppError('CONFLICT', { publicMessage: 'It is so already.', param: 'name' });
    };
    const received = await send(each);
    handlers[each.rpc] = before;
    expect(received.status).toBe(ERROR_CODES.CONFLICT.httpStatus);
    expect(received.json.error).toMatchObject({
      code: 'CONFLICT',
      message: 'It is so already.',
      param: 'name',
    });
  });
});

test('an access token in place of a key is told with whose it is, and its client is not', async () => {
  const own = await startGateway();
  const { getSigningKeys } = gateway.identity.handlers;
  if (getSigningKeys !== undefined) own.identity.handlers.getSigningKeys = getSigningKeys;
  const path = '/v1/chat/completions';
  const answers = [];
  for (const key of [userToken, `${userToken}x`]) {
    answers.push(await own.send('POST', path, { key, body: {} }));
  }
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect(answers[0]?.json.error).toEqual(answers[1]?.json.error);
  await own.stop();
  const message = 'The access token of a signed-in person was sent in place of an API key.';
  expect(own.refusals.flatMap(({ event }) => event.data)).toMatchObject([
    {
      requests: [
        { fault: 'session', presented: 'usr_1', message },
        { fault: 'session', presented: null },
      ],
    },
  ]);
});
