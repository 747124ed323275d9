import { addMember, createKey, type OpenedAccount, openAccount, signIn } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const NEXT = 'the-password-after-that';

let tollgate: RunningTollgate;
let account: OpenedAccount;
let owner: Api;
let nobody: Api;

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '10000',
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000',
  });
  account = await openAccount(tollgate.api, { credit: '1.00' });
  owner = account.owner.api;
  nobody = createApi(tollgate.baseUrl, undefined);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

const codeOf = ({ status, body }: ApiAnswer) => [status, body?.error?.code];
const command = (userId: string, name: string) =>
  tollgate.api.post(`/v1/admin/users/${userId}/${name}`, {});
const login = (email: string, password: string) =>
  nobody.request('POST', '/v1/users/login', { body: { email, password } });
const reset = (code: unknown, new_password = NEXT) =>
  nobody.request('POST', '/v1/users/reset-password', { body: { code, new_password } });

/** Asks until the gateways know of a change. */
const becomes = (api: Api, path: string, status: number) =>
  eventually(
    () => api.request('GET', path),
    (answer) => answer.status === status,
  );

describe('a forgotten password', () => {
  test('is replaced by a code of an operator, once, and every session ends', async () => {
    const member = await addMember(owner, 'member');
    const { code, expires_at, user_id } = await command(member.userId, 'reset-password');
    expect([user_id, Date.parse(String(expires_at)) > Date.now()]).toEqual([member.userId, true]);
    expect((await reset(code, 'short')).body?.error?.param).toBe('new_password');
    expect((await reset(code)).body?.data).toEqual({ id: member.userId, changed: true });
    await becomes(member.api, '/v1/users/me', 401);
    expect(codeOf(await login(member.email, member.password))).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ]);
    expect((await login(member.email, NEXT)).status).toBe(200);
    const again = await reset(code, 'a-third-password');
    expect([...codeOf(again), again.body?.error?.param]).toEqual([
      401,
      'INVALID_CREDENTIALS',
      'code',
    ]);
  });

  test('lets in at once who was locked out by wrong passwords', async () => {
    const member = await addMember(owner, 'member');
    for (let guess = 0; guess < 10; guess += 1) await login(member.email, 'a-wrong-password');
    expect((await login(member.email, member.password)).status).toBe(429);
    const { code } = await command(member.userId, 'reset-password');
    expect((await login(member.email, member.password)).status).toBe(429);
    expect((await reset(code)).status).toBe(200);
    expect((await login(member.email, NEXT)).status).toBe(200);
  });

  test('is bounded in guesses from one network', async () => {
    const answers = [];
    for (let guess = 0; guess < 12; guess += 1) answers.push(await reset('made-up'));
    expect(codeOf(answers.at(-1) as ApiAnswer)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  });
});

test('a first password opens nothing but its own change', async () => {
  const [email, password] = ['first@accounts.test', 'a-first-password'];
  const body = { email, password, role: 'admin', must_change_password: true };
  expect(await owner.post('/v1/account/members', body)).toMatchObject({
    must_change_password: true,
  });
  const { api } = await signIn(tollgate.baseUrl, email, password);
  expect(await api.get('/v1/users/me')).toMatchObject({ must_change_password: true });
  for (const [method, path] of [
    ['GET', '/v1/keys'],
    ['POST', '/v1/keys'],
    ['GET', '/v1/account/members'],
    ['GET', '/v1/billing/balance'],
    ['GET', '/v1/admin/users'],
  ] as const) {
    const sent = method === 'POST' ? { body: { name: 'x' } } : {};
    const refused = await api.request(method, path, sent);
    expect([path, ...codeOf(refused)]).toEqual([path, 403, 'FORBIDDEN']);
    expect(refused.body?.error?.message).toContain('POST /v1/users/password');
  }
  await api.post('/v1/users/password', { current_password: password, new_password: NEXT });
  const changed = await signIn(tollgate.baseUrl, email, NEXT);
  expect(await changed.api.get('/v1/users/me')).toMatchObject({ must_change_password: false });
  expect((await changed.api.request('GET', '/v1/account/members')).status).toBe(200);
});

describe('an operator', () => {
  test('disables a person with sessions and keys, and lets them in again', async () => {
    const member = await addMember(owner, 'member');
    const { api: byKey } = await createKey(member.api);
    expect(await command(member.userId, 'disable')).toMatchObject({
      id: member.userId,
      status: 'disabled',
      account_id: account.id,
    });
    await becomes(member.api, '/v1/users/me', 401);
    await becomes(byKey, '/v1/keys', 401);
    expect((await login(member.email, member.password)).status).toBe(401);
    expect(await command(member.userId, 'enable')).toMatchObject({ status: 'active' });
    await becomes(byKey, '/v1/keys', 200);
    expect((await login(member.email, member.password)).status).toBe(200);
  });

  test('ends every session of a person, who may sign in again', async () => {
    const member = await addMember(owner, 'member');
    await command(member.userId, 'end-sessions');
    await becomes(member.api, '/v1/users/me', 401);
    expect((await login(member.email, member.password)).status).toBe(200);
  });

  test('sees a person with the account', async () => {
    const { userId, email } = account.owner;
    expect(await tollgate.api.get(`/v1/admin/users/${userId}`)).toMatchObject({
      id: userId,
      email,
      role: 'owner',
      account: { id: account.id },
    });
  });

  test('leaves an account its last owner, and is not locked out by their own hand', async () => {
    const { operatorEmail, operatorPassword } = tollgate;
    const operator = await signIn(tollgate.baseUrl, operatorEmail, operatorPassword);
    for (const userId of [account.owner.userId, operator.userId]) {
      const path = `/v1/admin/users/${userId}/disable`;
      expect(codeOf(await tollgate.api.request('POST', path, { body: {} }))).toEqual([
        409,
        'CONFLICT',
      ]);
    }
  });

  test('leaves a trace of each of these without a code', async () => {
    const member = await addMember(owner, 'member');
    const { code } = await command(member.userId, 'reset-password');
    const path = `/v1/admin/audit-log?resource_id=${member.userId}`;
    const { items } = (await tollgate.api.get(path)) as {
      readonly items: readonly { readonly id: string; readonly operation: string }[];
    };
    expect(items.map(({ operation }) => operation)).toEqual([
      'POST /v1/admin/users/{id}/reset-password',
      'POST /v1/account/members',
    ]);
    const entry = await tollgate.api.request('GET', `/v1/admin/audit-log/${items[0]?.id}`);
    expect(entry.text).not.toContain(String(code));
    expect(entry.body?.data).toMatchObject({
      before: { id: member.userId },
      after: { code: '[secret]' },
    });
  });
});

describe('the role of a member', () => {
  test('changes what the member may do at once', async () => {
    const member = await addMember(owner, 'member');
    const path = `/v1/account/members/${member.userId}`;
    expect((await member.api.request('GET', '/v1/account/members')).status).toBe(403);
    const raised = await owner.request('PATCH', path, { body: { role: 'admin' } });
    expect(raised.body?.data).toMatchObject({ id: member.userId, role: 'admin' });
    await becomes(member.api, '/v1/account/members', 200);
    const self = await member.api.request('PATCH', path, { body: { role: 'owner' } });
    expect(codeOf(self)).toEqual([403, 'FORBIDDEN']);
    await owner.request('PATCH', path, { body: { role: 'member', display_name: 'Ada' } });
    await becomes(member.api, '/v1/account/members', 403);
    expect(await owner.get(path)).toMatchObject({ role: 'member', display_name: 'Ada' });
  });

  test('stays with the last owner', async () => {
    const path = `/v1/account/members/${account.owner.userId}`;
    const stepDown = await owner.request('PATCH', path, { body: { role: 'member' } });
    expect(codeOf(stepDown)).toEqual([409, 'CONFLICT']);
    expect(await owner.get(path)).toMatchObject({ role: 'owner' });
  });
});
