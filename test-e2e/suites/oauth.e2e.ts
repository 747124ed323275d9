import { openAccount, signIn } from '../support/accounts';
import { type Api, createApi } from '../support/api';
import { type OidcProvider, type Person, startOidcProvider } from '../support/oidc-provider';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const BROWSER = { accept: 'text/html,application/xhtml+xml' };

let provider: OidcProvider;
let tollgate: RunningTollgate;
let anyone: Api;

beforeAll(async () => {
  provider = await startOidcProvider();
  tollgate = await startTollgate({
    TOLLGATE_OAUTH_PROVIDERS: JSON.stringify([provider.settings]),
    TOLLGATE_EGRESS_ALLOWED_HOSTS: provider.host,
    TOLLGATE_REGISTRATION: 'open',
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000',
  });
  anyone = createApi(tollgate.baseUrl, undefined);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
  await provider?.stop();
});

let people = 0;

/** Somebody whom nobody has seen before. */
function newPerson(over: Partial<Person> = {}): Person {
  people += 1;
  const email = `person${people}@company.test`;
  return { sub: `person-${people}`, email, email_verified: true, name: 'Ada', ...over };
}

/** A program signs somebody in: answers the path that the provider sends it back to. */
async function comeBack(person: Person): Promise<string> {
  await provider.becomes(person);
  const begun = await anyone.get('/v1/oauth/login?provider=company');
  const back = await provider.signIn(String(begun.authorization_url));
  return `${back.pathname}${back.search}`;
}

/** The same in a browser, with the cookie that ties the sign-in to it. */
async function comeBackInBrowser(person: Person, redirectTo: string) {
  await provider.becomes(person);
  const query = new URLSearchParams({ provider: 'company', redirect_to: redirectTo });
  const begun = await anyone.request('GET', `/v1/oauth/login?${query}`, { headers: BROWSER });
  expect(begun.status).toBe(302);
  const back = await provider.signIn(begun.headers.get('location') ?? '');
  const cookie = begun.headers.get('set-cookie') ?? '';
  return { path: `${back.pathname}${back.search}`, cookie };
}

test('the providers are listed without their secrets', async () => {
  const answer = await anyone.request('GET', '/v1/oauth/providers');
  expect(answer.body?.data).toEqual({ items: [{ id: 'company', name: 'Company' }] });
  expect(answer.text).not.toContain(provider.settings.client_secret);
});

test('a sign-in asks the provider with PKCE, a state and a nonce, and for our own callback', async () => {
  const { authorization_url, state } = await anyone.get('/v1/oauth/login?provider=company');
  const url = new URL(String(authorization_url));
  expect(url.host).toBe(provider.host);
  const query = Object.fromEntries(url.searchParams);
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: 'tollgate',
    code_challenge_method: 'S256',
    redirect_uri: `${tollgate.baseUrl}/v1/oauth/callback`,
    state,
  });
  expect(query.code_challenge).toMatch(/^[\w-]{43}$/);
  expect(query.nonce).toMatch(/^[\w-]{20,}$/);
  expect(url.search).not.toContain(String(provider.settings.client_secret));
});

test('a program that signs somebody in gets the same as from a login, and it works', async () => {
  const person = newPerson();
  const session = await anyone.get(await comeBack(person));
  expect(session).toMatchObject({
    token_type: 'Bearer',
    expires_in: 3600,
    user: { email: person.email, display_name: 'Ada', role: 'owner' },
  });
  const me = await createApi(tollgate.baseUrl, String(session.access_token)).get('/v1/users/me');
  expect(me.email).toBe(person.email);
  const refreshed = await anyone.post('/v1/users/refresh', {
    refresh_token: session.refresh_token,
  });
  expect(refreshed.refresh_token).not.toBe(session.refresh_token);
});

test('somebody who comes again is the same user, even with another address', async () => {
  const person = newPerson();
  const first = await anyone.get(await comeBack(person));
  const moved = { ...person, email: 'moved@company.test' };
  const second = await anyone.get(await comeBack(moved));
  expect(second.user).toEqual(first.user);
});

test('a verified address links to the user who has it', async () => {
  const { owner } = await openAccount(tollgate.api);
  const person = newPerson({ email: owner.email.toUpperCase() });
  const session = await anyone.get(await comeBack(person));
  expect(session.user).toMatchObject({ id: owner.userId });
  const again = await signIn(tollgate.baseUrl, owner.email, owner.password);
  expect(again.userId).toBe(owner.userId);
});

test('an address that nobody verified links to nobody and registers nobody', async () => {
  const { owner } = await openAccount(tollgate.api);
  for (const email of [owner.email, 'unverified@company.test']) {
    const path = await comeBack(newPerson({ email, email_verified: false }));
    const refused = await anyone.request('GET', path);
    expect([refused.status, refused.body?.error?.code]).toEqual([403, 'FORBIDDEN']);
  }
});

test('a state works once', async () => {
  const path = await comeBack(newPerson());
  expect((await anyone.request('GET', path)).status).toBe(200);
  const replayed = await anyone.request('GET', path);
  expect([replayed.status, replayed.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
});

test.each([
  ['a state that nobody began', (path: string) => path.replace(/state=[^&]+/, 'state=made-up')],
  ['a code that the provider did not give', (path: string) => path.replace(/code=[^&]+/, 'code=x')],
  [
    'a refusal by the provider',
    (path: string) => path.replace(/code=[^&]+/, 'error=access_denied'),
  ],
])('%s is 401 and signs nobody in', async (_what, change) => {
  const refused = await anyone.request('GET', change(await comeBack(newPerson())));
  expect([refused.status, refused.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
});

test('a callback without a state is 400, and parameters that a provider adds are taken', async () => {
  const without = await anyone.request('GET', '/v1/oauth/callback?code=x');
  expect([without.status, without.body?.error?.param]).toEqual([400, 'state']);
  const path = await comeBack(newPerson());
  expect((await anyone.request('GET', `${path}&session_state=added`)).status).toBe(200);
});

test('an unknown provider is refused', async () => {
  const answer = await anyone.request('GET', '/v1/oauth/login?provider=nobody');
  expect([400, 404]).toContain(answer.status);
});

describe('a browser', () => {
  test('comes back to its page with a code that is worth one session', async () => {
    const person = newPerson();
    const { path, cookie } = await comeBackInBrowser(person, '/console/keys');
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    const headers = { ...BROWSER, cookie: cookie.split(';')[0] ?? '' };
    const ended = await anyone.request('GET', path, { headers });
    expect(ended.status).toBe(302);
    const target = new URL(ended.headers.get('location') ?? '');
    expect(target.origin).toBe(tollgate.baseUrl);
    expect(target.pathname).toBe('/console/keys');
    expect([...target.searchParams.keys()]).toEqual(['code']);
    const code = target.searchParams.get('code');
    const exchange = (own = headers) =>
      anyone.request('POST', '/v1/oauth/token', { body: { code }, headers: own });
    expect((await exchange()).body?.data?.user).toMatchObject({ email: person.email });
    const replayed = await exchange();
    expect([replayed.status, replayed.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('that did not begin the sign-in has nothing from its code', async () => {
    const { path, cookie } = await comeBackInBrowser(newPerson(), '/console/');
    const headers = { ...BROWSER, cookie: cookie.split(';')[0] ?? '' };
    const ended = await anyone.request('GET', path, { headers });
    const code = new URL(ended.headers.get('location') ?? '').searchParams.get('code');
    const refused = await anyone.request('POST', '/v1/oauth/token', { body: { code } });
    expect([refused.status, refused.body?.error?.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('that did not begin the sign-in cannot end it', async () => {
    const { path } = await comeBackInBrowser(newPerson(), '/console/');
    const stranger = await anyone.request('GET', path, { headers: BROWSER });
    expect(stranger.status).toBe(401);
    const { path: another } = await comeBackInBrowser(newPerson(), '/console/');
    const headers = { ...BROWSER, cookie: 'tollgate_oauth=of-somebody-else' };
    expect((await anyone.request('GET', another, { headers })).status).toBe(401);
    // What a program began is no browser's either: its victim would be signed in as somebody else.
    const path3 = await comeBack(newPerson());
    expect((await anyone.request('GET', path3, { headers: BROWSER })).status).toBe(401);
  });

  test.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'console'])(
    'is not sent on to %s',
    async (redirectTo) => {
      const query = new URLSearchParams({ provider: 'company', redirect_to: redirectTo });
      const answer = await anyone.request('GET', `/v1/oauth/login?${query}`, { headers: BROWSER });
      expect([answer.status, answer.body?.error?.param]).toEqual([400, 'redirect_to']);
    },
  );
});

test('where registration is closed a stranger stays one, and a user comes in', async () => {
  const closed = await startTollgate({
    TOLLGATE_OAUTH_PROVIDERS: JSON.stringify([provider.settings]),
    TOLLGATE_EGRESS_ALLOWED_HOSTS: provider.host,
  });
  try {
    const api = createApi(closed.baseUrl, undefined);
    const signInAs = async (person: Person) => {
      await provider.becomes(person);
      const begun = await api.get('/v1/oauth/login');
      const back = await provider.signIn(String(begun.authorization_url));
      return api.request('GET', `${back.pathname}${back.search}`);
    };
    const stranger = await signInAs(newPerson());
    expect([stranger.status, stranger.body?.error?.code]).toEqual([403, 'FORBIDDEN']);
    const operator = await signInAs(newPerson({ email: closed.operatorEmail }));
    expect(operator.status).toBe(200);
    expect(operator.body?.data?.user).toMatchObject({ role: 'operator' });
  } finally {
    await closed.stop();
  }
});
