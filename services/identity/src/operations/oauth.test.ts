import { MINUTE_MS, sha256Hex } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import type { User } from '../domain/user';
import {
  actorOf,
  codeOf,
  type IdentityFixture,
  PASSWORD,
  ROTATED_PEPPERS,
  startIdentityFixture,
} from '../testing/identity-fixture';
import {
  type FakeGithub,
  type OidcProcess,
  startFakeGithub,
  startOidcProcess,
} from '../testing/oauth-servers';

const CALLBACK = 'http://gate.example/v1/oauth/callback';
const BINDING = 'a-random-value-in-a-cookie';
const OPEN = { TOLLGATE_REGISTRATION: 'open' };

let oidc: OidcProcess;
let github: FakeGithub;
let identity: IdentityFixture;
/** What the provider says about the person who logs in, unless a test says otherwise. */
const ADA = { sub: 'ada-at-idp', email: 'Ada@Example.com', email_verified: true, name: 'Ada' };

beforeAll(async () => {
  oidc = await startOidcProcess();
  github = await startFakeGithub();
});

afterAll(async () => {
  await oidc.close();
  await github.close();
});

beforeEach(async () => {
  await oidc.claim(ADA);
  identity = await startWith(OPEN);
});

afterEach(() => identity.close());

function startWith(overrides: Record<string, string>): Promise<IdentityFixture> {
  const { issuer } = oidc;
  const providers = [
    { id: 'company', name: 'Company', issuer, client_id: 'tollgate', client_secret: 'c-secret' },
    {
      preset: 'github',
      client_id: 'gh',
      client_secret: 'gh-secret',
      web_url: github.url,
      api_url: github.url,
    },
  ];
  return startIdentityFixture({
    TOLLGATE_OAUTH_PROVIDERS: JSON.stringify(providers),
    TOLLGATE_EGRESS_ALLOWED_HOSTS: [new URL(issuer).host, new URL(github.url).host].join(','),
    ...overrides,
  });
}

const start = (browserBinding = '', provider = 'company') =>
  identity.operations.startOAuth({
    provider,
    redirectTo: '/console/keys',
    callbackUrl: CALLBACK,
    browserBinding,
  });

/** The person logs in at the provider; answers the address that the browser is sent back to. */
async function logInAtProvider(authorizationUrl: string): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

const complete = (
  callbackUrl: string,
  fields: { state?: string; browserBinding?: string; wantCode?: boolean } = {},
) =>
  identity.operations.completeOAuth({
    callbackUrl,
    state: fields.state ?? new URL(callbackUrl).searchParams.get('state') ?? '',
    browserBinding: fields.browserBinding ?? '',
    wantCode: fields.wantCode ?? false,
  });

async function logIn() {
  const { authorizationUrl } = await start();
  return complete(await logInAtProvider(authorizationUrl));
}

describe('the way to the provider', () => {
  test('carries PKCE, state and nonce, and the store holds none of them', async () => {
    const { authorizationUrl, state } = await start();
    const query = new URL(authorizationUrl).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'tollgate',
      response_type: 'code',
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      state,
    });
    expect(query.get('code_challenge')).toHaveLength(43);
    expect(query.get('nonce')).not.toBe('');
    const stored = await identity.mongo.connection
      .collection('identity_oauth_states')
      .find({})
      .toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(state);
    expect(JSON.stringify(stored)).not.toContain(query.get('nonce'));
  });

  test('two logins share no value', async () => {
    const [first, second] = [await start(), await start()];
    const values = [first, second].map(({ authorizationUrl }) => {
      const query = new URL(authorizationUrl).searchParams;
      return ['state', 'nonce', 'code_challenge'].map((name) => query.get(name));
    });
    for (const index of [0, 1, 2]) expect(values[0]?.[index]).not.toBe(values[1]?.[index]);
  });

  test('unknown providers and foreign redirects are refused', async () => {
    expect(await codeOf(start('', 'unknown'))).toBe('NOT_FOUND');
    const elsewhere = { provider: 'company', redirectTo: '//evil.example', browserBinding: '' };
    expect(
      await codeOf(identity.operations.startOAuth({ ...elsewhere, callbackUrl: CALLBACK })),
    ).toBe('VALIDATION_ERROR');
  });

  test('the providers are listed by name', async () => {
    expect(await identity.operations.listOAuthProviders()).toEqual([
      { id: 'company', name: 'Company' },
      { id: 'github', name: 'GitHub' },
    ]);
  });
});

describe('coming back', () => {
  test('a new person gets an account where registration is open, and the same one again', async () => {
    const first = await logIn();
    expect(first.redirectTo).toBe('/console/keys');
    expect(first.session?.user).toMatchObject({
      email: 'ada@example.com',
      displayName: 'Ada',
      role: 'owner',
    });
    expect(first.session?.account.plan).toBe('free');
    const second = await logIn();
    expect(second.session?.user.id).toBe(first.session?.user.id);
    const [created] = await identity.eventsOf('account.created', 1);
    expect(created?.data).toMatchObject({ account_id: first.session?.account.id });
  });

  test('where registration is closed a stranger is refused', async () => {
    await identity.close();
    identity = await startWith({});
    expect(await codeOf(logIn())).toBe('FORBIDDEN');
  });

  test('a state works once', async () => {
    const { authorizationUrl } = await start();
    const callback = await logInAtProvider(authorizationUrl);
    expect(await codeOf(complete(callback))).toBe('accepted');
    expect(await codeOf(complete(callback))).toBe('UNAUTHORIZED');
  });

  test('a replica that has another pepper first finishes it', async () => {
    const { authorizationUrl } = await start();
    const callback = await logInAtProvider(authorizationUrl);
    const first = identity;
    identity = await startWith({
      ...OPEN,
      MONGODB_URI: first.config.mongodbUri,
      TOLLGATE_KEY_PEPPERS: ROTATED_PEPPERS,
    });
    expect(await codeOf(complete(callback))).toBe('accepted');
    await first.close();
  });

  test('a state works for ten minutes', async () => {
    const { authorizationUrl } = await start();
    const callback = await logInAtProvider(authorizationUrl);
    await identity.clock.advance(10 * MINUTE_MS);
    expect(await codeOf(complete(callback))).toBe('UNAUTHORIZED');
  });

  test('only the browser that started may finish', async () => {
    const outcomeFor = async (started: string, finished: string) => {
      const { authorizationUrl } = await start(started);
      const callback = await logInAtProvider(authorizationUrl);
      return codeOf(complete(callback, { browserBinding: finished, wantCode: true }));
    };
    expect(await outcomeFor(BINDING, BINDING)).toBe('accepted');
    expect(await outcomeFor(BINDING, 'another cookie')).toBe('UNAUTHORIZED');
    expect(await outcomeFor(BINDING, '')).toBe('UNAUTHORIZED');
    expect(await outcomeFor('', BINDING)).toBe('UNAUTHORIZED');
    expect(await outcomeFor('', '')).toBe('UNAUTHORIZED');
  });

  test('a made-up state, a foreign code and a refusal at the provider log nobody in', async () => {
    const { authorizationUrl, state } = await start();
    await logInAtProvider(authorizationUrl);
    expect(await codeOf(complete(`${CALLBACK}?code=x&state=made-up`))).toBe('UNAUTHORIZED');
    expect(await codeOf(complete(`${CALLBACK}?code=foreign&state=${state}`))).toBe('UNAUTHORIZED');
    const { state: refused } = await start();
    expect(await codeOf(complete(`${CALLBACK}?error=access_denied&state=${refused}`))).toBe(
      'UNAUTHORIZED',
    );
  });

  test.each([
    ['empty', ''],
    ['longer than 255 characters', 'a'.repeat(256)],
    ['not in ASCII', 'ädä'],
  ])('an ID token whose subject is %s logs nobody in', async (_what, sub) => {
    await oidc.claim({ ...ADA, sub });
    expect(await codeOf(logIn())).toBe('UNAUTHORIZED');
    expect(await identity.adapters.users.findByEmail('ada@example.com')).toBeUndefined();
  });

  test('a subject may have 255 characters', async () => {
    const sub = `auth0|${'a'.repeat(249)}`;
    await oidc.claim({ ...ADA, sub });
    const { session } = await logIn();
    expect(session?.user.identities).toMatchObject([{ subject: sub }]);
  });

  test('a code of another login does not fit, because the verifier differs', async () => {
    const theirs = await logInAtProvider((await start()).authorizationUrl);
    const ours = await start();
    const code = new URL(theirs).searchParams.get('code');
    expect(await codeOf(complete(`${CALLBACK}?code=${code}&state=${ours.state}`))).toBe(
      'UNAUTHORIZED',
    );
  });

  test('a browser gets a code that becomes a session there, once and within a minute', async () => {
    const codeFor = async () => {
      const callback = await logInAtProvider((await start(BINDING)).authorizationUrl);
      const done = await complete(callback, { browserBinding: BINDING, wantCode: true });
      expect(done.session).toBeUndefined();
      return done.oneTimeCode;
    };
    const exchange = (code: string, browserBinding = BINDING) =>
      identity.operations.exchangeOAuthCode({ code, browserBinding });
    const code = await codeFor();
    expect((await exchange(code)).user.email).toBe('ada@example.com');
    expect(await codeOf(exchange(code))).toBe('UNAUTHORIZED');
    for (const other of ['', `${BINDING}x`]) {
      expect(await codeOf(exchange(await codeFor(), other))).toBe('UNAUTHORIZED');
    }
    const late = await codeFor();
    await identity.clock.advance(MINUTE_MS);
    expect(await codeOf(exchange(late))).toBe('UNAUTHORIZED');
    expect(await codeOf(exchange(sha256Hex('made-up')))).toBe('UNAUTHORIZED');
  });
});

describe('whose account it is', () => {
  test('a verified address links to the user who has it', async () => {
    const { user } = await identity.makeUser({ email: 'ada@example.com', passwordHash: 'kept' });
    expect((await logIn()).session?.user.id).toBe(user.id);
    expect((await identity.adapters.users.find(user.id))?.passwordHash).toBe('kept');
    await oidc.claim({ ...ADA, email: 'changed@example.com' });
    expect((await logIn()).session?.user.id).toBe(user.id);
  });

  describe('while somebody else writes the user', () => {
    let user: User;

    /** Logs in, and does something else once the user was found by the email. */
    async function logInWhile(act: (found: User) => Promise<unknown>) {
      ({ user } = await identity.makeUser({ email: 'ada@example.com' }));
      const { users } = identity.adapters;
      const find = users.findByEmail.bind(users);
      jest.spyOn(users, 'findByEmail').mockImplementationOnce(async (email) => {
        const found = await find(email);
        await act(user);
        return found;
      });
      return logIn();
    }

    test('two first logins at once link the address once', async () => {
      expect((await logInWhile(logIn)).session?.user.id).toBe(user.id);
      expect((await identity.adapters.users.find(user.id))?.identities).toHaveLength(1);
    });

    test('a user who gets another address is not linked to whoever has the first', async () => {
      const rename = ({ rev, ...found }: User) =>
        identity.adapters.users.update({ ...found, email: 'other@example.com', rev: rev + 1 });
      expect(await codeOf(logInWhile(rename))).toBe('CONFLICT');
      expect((await identity.adapters.users.find(user.id))?.identities).toEqual([]);
    });
  });

  test.each([false, undefined, 'true'])(
    'an address whose verification is %j links to nobody',
    async (verified) => {
      await identity.makeUser({ email: 'ada@example.com' });
      await oidc.claim({ ...ADA, email_verified: verified });
      expect(await codeOf(logIn())).toBe('FORBIDDEN');
    },
  );

  describe('who only says that the address is theirs', () => {
    const ADDRESS = 'ada@example.com';
    const squatterPerson = { email: ADDRESS, password: PASSWORD, displayName: '' };
    const register = async (email = ADDRESS) =>
      (
        await identity.operations.createUser({
          ...squatterPerson,
          email,
          actor: undefined,
          accountId: '',
          role: undefined,
          registration: true,
          idempotency: NO_KEY,
        })
      ).user;
    const addMember = async (manager: User, email: string) =>
      (
        await identity.operations.addMember({
          ...squatterPerson,
          email,
          actor: actorOf(manager),
          role: 'owner',
          idempotency: NO_KEY,
        })
      ).user;
    const login = (email: string) =>
      identity.operations.login({ email, password: PASSWORD, remoteAddress: '192.0.2.1' });

    test('loses it to its owner, who gets an account without anything of theirs', async () => {
      const squatter = await register();
      const accomplice = await addMember(squatter, 'accomplice@example.com');
      const { session } = await logIn();
      expect(session?.user).toMatchObject({ email: ADDRESS, role: 'owner', emailProven: true });
      expect(session?.account.id).not.toBe(squatter.accountId);
      const members = await identity.operations.listMembers({
        actor: actorOf(accomplice),
        page: { limit: 10, cursor: '' },
      });
      expect(members.items.map(({ email }) => email)).not.toContain(ADDRESS);
      expect(await codeOf(login(ADDRESS))).toBe('INVALID_CREDENTIALS');
      expect((await logIn()).session?.user.id).toBe(session?.user.id);
    });

    test('keeps the account, its keys and sessions, and signs in under another address', async () => {
      const person = await register();
      const before = await login(ADDRESS);
      const { secret } = await identity.operations.createApiKey({
        actor: actorOf(person),
        settings: { name: 'k' },
        idempotency: NO_KEY,
      });
      await logIn();
      expect(await codeOf(identity.operations.verifyApiKey(secret))).toBe('accepted');
      const refreshed = await identity.operations.refreshSession(before.refreshToken);
      expect(refreshed.user).toMatchObject({ id: person.id, accountId: person.accountId });
      expect(refreshed.user.email).toMatch(/^[0-9a-f]{24}@unverified\.invalid$/);
      expect((await login(refreshed.user.email)).user.id).toBe(person.id);
    });

    test('is told in the audit log to have lost it', async () => {
      const squatter = await register();
      await logIn();
      const entries = await identity.adapters.auditLog.list(
        {
          byActor: undefined,
          accountId: squatter.accountId,
          operation: 'email.released',
          resourceId: squatter.id,
          startAtMs: undefined,
          endAtMs: undefined,
        },
        { limit: 10, beforeId: undefined },
      );
      expect(entries).toHaveLength(1);
      const entry = await identity.adapters.auditLog.find(entries[0]?.id ?? '');
      expect(entry).toMatchObject({ actorUserId: 'system', outcome: 'succeeded' });
      expect(entry?.before).toContain(ADDRESS);
      expect(entry?.after).toContain('@unverified.invalid');
    });

    test('vouches for nobody once registration is closed, unlike an operator', async () => {
      const owner = await register('owner@example.com');
      const first = identity;
      identity = await startWith({ MONGODB_URI: first.config.mongodbUri });
      const added = await addMember(owner, ADDRESS);
      expect((await identity.adapters.users.find(added.id))?.emailProven).toBe(false);
      expect(await codeOf(logIn())).toBe('FORBIDDEN');
      const { user: operator } = await identity.makeUser({ role: 'operator' });
      const actor = { ...actorOf(operator), operator: true };
      const change = (email: string, by = actor) =>
        identity.operations.updateMember({
          actor: by,
          userId: added.id,
          displayName: undefined,
          role: undefined,
          anyAccount: true,
          email,
        });
      expect(await codeOf(change(ADDRESS, actorOf(owner)))).toBe('FORBIDDEN');
      expect(await codeOf(change('owner@example.com'))).toBe('CONFLICT');
      await change(ADDRESS);
      expect((await logIn()).session?.user.id).toBe(added.id);
      expect(await change('other@example.com')).toMatchObject({ email: 'other@example.com' });
      await first.close();
    });

    test('is nobody’s under .invalid: who is moved there by an operator vouches for nobody', async () => {
      await identity.close();
      identity = await startWith({});
      const { user: owner } = await identity.makeUser({ email: ADDRESS, role: 'owner' });
      const { user: operator } = await identity.makeUser({ role: 'operator' });
      const released = await identity.operations.updateMember({
        actor: { ...actorOf(operator), operator: true },
        userId: owner.id,
        displayName: undefined,
        role: undefined,
        anyAccount: true,
        email: 'moved@unverified.invalid',
      });
      expect(released).toMatchObject({ email: 'moved@unverified.invalid', emailProven: false });
      expect(await codeOf(logIn())).toBe('FORBIDDEN');
      const added = await addMember(owner, ADDRESS);
      expect((await identity.adapters.users.find(added.id))?.emailProven).toBe(false);
    });

    test('may be a member whom an owner added: that binds nobody', async () => {
      const owner = await register('owner@example.com');
      const added = await addMember(owner, ADDRESS);
      const { session } = await logIn();
      expect(session?.user.id).not.toBe(added.id);
      expect(session?.account.id).not.toBe(owner.accountId);
    });

    test('may be disabled: that is an operator’s word about whoever has the address', async () => {
      await identity.makeUser({ email: ADDRESS, emailProven: false, status: 'disabled' });
      expect(await codeOf(logIn())).toBe('UNAUTHORIZED');
    });
  });

  test('where every account is an operator’s, people sign in to the one they were added to', async () => {
    await identity.close();
    identity = await startWith({});
    const { user: owner } = await identity.makeUser({});
    const { user } = await identity.operations.addMember({
      actor: actorOf(owner),
      email: 'ada@example.com',
      password: PASSWORD,
      displayName: '',
      role: undefined,
      idempotency: NO_KEY,
    });
    expect((await logIn()).session?.user.id).toBe(user.id);
  });

  test('where registration was closed since, an address that nobody proved opens nothing', async () => {
    await identity.close();
    identity = await startWith({});
    const { user } = await identity.makeUser({ email: 'ada@example.com', emailProven: false });
    expect(await codeOf(logIn())).toBe('FORBIDDEN');
    expect((await identity.adapters.users.find(user.id))?.email).toBe('ada@example.com');
  });

  test('a disabled user stays out', async () => {
    await identity.makeUser({ email: 'ada@example.com', status: 'disabled' });
    expect(await codeOf(logIn())).toBe('UNAUTHORIZED');
  });
});

describe('the GitHub preset', () => {
  const back = (state: string, code: string) => complete(`${CALLBACK}?code=${code}&state=${state}`);

  test('logs in by the primary verified address and proves PKCE', async () => {
    const { authorizationUrl, state } = await start('', 'github');
    expect(new URL(authorizationUrl).searchParams.get('code_challenge_method')).toBe('S256');
    const { session } = await back(state, 'good');
    expect(session?.user).toMatchObject({ email: 'ada@example.com', displayName: 'ada' });
    expect(session?.user.identities).toEqual([{ issuer: github.url, subject: '42' }]);
    expect(github.exchanges.at(-1)?.get('code_verifier')).toHaveLength(43);
  });

  test('a wrong code and an unverified address log nobody in', async () => {
    expect(await codeOf(back((await start('', 'github')).state, 'bad'))).toBe('UNAUTHORIZED');
    const { emails } = github;
    github.emails = [{ email: 'ada@example.com', primary: true, verified: false }];
    expect(await codeOf(back((await start('', 'github')).state, 'good'))).toBe('FORBIDDEN');
    github.emails = emails;
  });

  test.each([null, '42', 0, -1, 1.5, 2 ** 53])('%j is nobody’s id', async (id) => {
    github.id = id;
    expect(await codeOf(back((await start('', 'github')).state, 'good'))).toBe('UPSTREAM_ERROR');
    github.id = 42;
  });
});

test('a provider at a private address is not called unless an operator allows it', async () => {
  await identity.close();
  identity = await startWith({ TOLLGATE_EGRESS_ALLOWED_HOSTS: 'allowed.example' });
  expect(await codeOf(start())).not.toBe('accepted');
  expect(await codeOf(start())).toMatch(/VALIDATION_ERROR|UPSTREAM_ERROR/);
});
