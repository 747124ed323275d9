import { createKey, type OpenedAccount, openAccount } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { eventually, eventuallyWithin } from '../support/eventually';
import { startTwoGateways, type TwoGateways } from '../topologies/two-gateways';

jest.setTimeout(120_000);

/** Within this time every gateway refuses the tokens of a session that ended anywhere. */
const ENDED_WITHIN_MS = 1000;

let gateways: TwoGateways;
let account: OpenedAccount;

beforeAll(async () => {
  gateways = await startTwoGateways({
    TOLLGATE_GATEWAY_KEY_USE_REPORT_MS: '100',
    TOLLGATE_IDENTITY_LAST_USE_FLUSH_MS: '100',
  });
  account = await openAccount(gateways.first.api);
});

afterAll(async () => {
  expect(await gateways?.stop()).toEqual([0, 0]);
});

interface LoggedIn {
  readonly refreshToken: string;
  /** With the access token, at each gateway. */
  readonly first: Api;
  readonly second: Api;
}

const anyone = () => createApi(gateways.first.baseUrl, undefined);

function toLoggedIn(session: Readonly<Record<string, unknown>>): LoggedIn {
  const token = String(session.access_token);
  return {
    refreshToken: String(session.refresh_token),
    first: createApi(gateways.first.baseUrl, token),
    second: createApi(gateways.secondUrl, token),
  };
}

/** A new session of the owner, which both gateways know. */
async function logIn(password = account.owner.password): Promise<LoggedIn> {
  const { email } = account.owner;
  const session = toLoggedIn(await anyone().post('/v1/users/login', { email, password }));
  for (const api of [session.first, session.second]) {
    expect((await api.request('GET', '/v1/users/me')).status).toBe(200);
  }
  return session;
}

const refresh = (token: string) =>
  anyone().request('POST', '/v1/users/refresh', { body: { refresh_token: token } });

/** Both gateways refuse the access token in time, and nobody takes the refresh token. */
async function expectOver({ first, second, refreshToken }: LoggedIn): Promise<void> {
  for (const api of [first, second]) {
    const refused = await eventuallyWithin<ApiAnswer>(
      ENDED_WITHIN_MS,
      () => api.request('GET', '/v1/keys'),
      ({ status }) => status !== 200,
    );
    expect([refused.status, refused.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
  }
  expect((await refresh(refreshToken)).status).toBe(401);
}

test('three tabs that send the same cookie within a moment all stay signed in', async () => {
  const { email, password } = account.owner;
  const signedIn = await anyone().request('POST', '/v1/users/login', {
    body: { email, password, cookie: true },
  });
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
  const renew = (from: string) =>
    anyone().request('POST', '/v1/users/refresh', {
      body: { cookie: true },
      headers: { cookie: from },
    });
  for (const tab of [1, 2, 3]) {
    const { status, headers } = await renew(cookie);
    expect([tab, status]).toEqual([tab, 200]);
    const [next = ''] = (headers.get('set-cookie') ?? '').split(';');
    expect((await renew(next)).status).toBe(200);
  }
});

describe('a session that ended is over at every gateway', () => {
  test('after logging out with its access token, and another session goes on', async () => {
    const session = await logIn();
    const other = await logIn();
    const answer = await session.second.request('POST', '/v1/users/logout', { body: {} });
    expect(answer.body?.data).toEqual({ logged_out: true });
    await expectOver(session);
    expect((await other.first.request('GET', '/v1/users/me')).status).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  test('after logging out with its refresh token, without any bearer', async () => {
    const session = await logIn();
    const body = { refresh_token: session.refreshToken };
    expect((await anyone().request('POST', '/v1/users/logout', { body })).status).toBe(200);
    await expectOver(session);
  });

  test('after logging out everywhere', async () => {
    const sessions = [await logIn(), await logIn()];
    const body = { all_sessions: true };
    await sessions[0]?.first.request('POST', '/v1/users/logout', { body });
    for (const session of sessions) await expectOver(session);
  });

  test('after its refresh token was used twice, the tokens that came of it too', async () => {
    const session = await logIn();
    const renewed = toLoggedIn((await refresh(session.refreshToken)).body?.data ?? {});
    expect((await renewed.second.request('GET', '/v1/users/me')).status).toBe(200);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    await expectOver(renewed);
    await expectOver(session);
  });

  test('after the password was changed, with every other session of the user', async () => {
    const sessions = [await logIn(), await logIn()];
    const { password } = account.owner;
    const changed = await sessions[0]?.first.request('POST', '/v1/users/password', {
      body: { current_password: password, new_password: `${password}-new` },
    });
    expect(changed?.status).toBe(200);
    for (const session of sessions) await expectOver(session);
    await logIn(`${password}-new`);
  });

  test('nobody logs out without saying who', async () => {
    for (const body of [{}, { refresh_token: `tg_refresh_${'A'.repeat(43)}` }]) {
      const answer = await anyone().request('POST', '/v1/users/logout', { body });
      expect([answer.status, answer.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    }
  });
});

test('the last use of a key moves though the gateway remembers the key', async () => {
  const { id, api } = await createKey(gateways.first.api);
  const lastUse = async () => (await gateways.first.api.get(`/v1/keys/${id}`)).last_used_at;
  const use = () => api.request('GET', '/v1/models');
  expect(await lastUse()).toBeNull();
  await use();
  const first = await eventually(lastUse, (at) => at !== null);
  await use();
  const second = await eventually(lastUse, (at) => at !== first);
  expect(Date.parse(String(second))).toBeGreaterThan(Date.parse(String(first)));
});
