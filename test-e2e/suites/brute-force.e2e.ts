import { randomBytes } from 'node:crypto';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { type ApiAnswer, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { withChecksum } from '../support/forged-credentials';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

/** Guesses for one email from one address, and from all unknown ones, in a quarter of an hour. */
const PAIR_MAX = 10;
const EMAIL_MAX = 50;
/** Logins from one network in a minute. */
const NETWORK_MAX = 20;
/** A quarter may end and a minute may slide while a test runs: twice the bound is the bound then. */
const WINDOWS = 2;

let tollgate: RunningTollgate;

beforeAll(async () => {
  tollgate = await startTollgate({ TOLLGATE_TRUSTED_PROXIES: '127.0.0.1' });
});

afterAll(async () => {
  // What is found must not leave it running: others would share its part of the events.
  const output = tollgate?.process.output();
  expect(await tollgate?.stop()).toBe(0);
  expect(output).not.toMatch(/"level":"error"|INTERNAL_ERROR/);
});

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** As the proxy in front reports it. */
  readonly from: string;
}

function logIn({ email, password, from }: Attempt): Promise<ApiAnswer> {
  return createApi(tollgate.baseUrl, undefined).request('POST', '/v1/users/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': from },
  });
}

/** An account whose owner has logged in from its own address before. */
async function openOwner(name: string, from: string): Promise<KeyedAccount> {
  const owner = await openAccountWithKey(tollgate.api, { name });
  const { email, password } = owner;
  expect((await logIn({ email, password, from })).status).toBe(200);
  return owner;
}

/** Runs attempts one after the other; counts the answers by status. */
async function count(attempts: Iterable<Attempt>): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {};
  for (const attempt of attempts) {
    const { status, headers } = await logIn(attempt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return statuses;
}

const guess = (index: number) => `guess-number-${index}`;
const range = (size: number) => Array.from({ length: size }, (_, index) => index);

test('guessing from one address ends in 429, for the right password too, and the owner stays in', async () => {
  const { email, password } = await openOwner('one-address', '198.51.100.1');
  const from = '203.0.113.1';
  const guesses = range(60).map((index) => ({ email, password: guess(index), from }));
  const statuses = await count(guesses);
  expect(Object.keys(statuses).sort()).toEqual(['401', '429']);
  expect(statuses[401]).toBeLessThanOrEqual(PAIR_MAX * WINDOWS);
  expect((await logIn({ email, password, from })).status).toBe(429);
  expect((await logIn({ email, password, from: '198.51.100.1' })).status).toBe(200);
});

test('guessing from many addresses ends in 429, and the owner stays in', async () => {
  const { email, password } = await openOwner('many-addresses', '198.51.100.2');
  const statuses = await count(
    range(EMAIL_MAX * WINDOWS + 20).map((index) => ({
      email,
      password: guess(index),
      from: `203.0.${index}.7`,
    })),
  );
  expect(Object.keys(statuses).sort()).toEqual(['401', '429']);
  expect(statuses[401]).toBeLessThanOrEqual(EMAIL_MAX * WINDOWS);
  expect((await logIn({ email, password, from: '198.51.100.2' })).status).toBe(200);
});

test('while strangers guess, who is logged in can change the password', async () => {
  const { email, session, password } = await openOwner('changes', '198.51.100.3');
  await count(
    range(EMAIL_MAX * WINDOWS + 10).map((index) => ({
      email,
      password: guess(index),
      from: `203.1.${index}.7`,
    })),
  );
  const changed = await session.request('POST', '/v1/users/password', {
    body: { current_password: password, new_password: 'quite another password' },
  });
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
});

test('who holds a stolen session cannot guess the password behind it', async () => {
  const { session, password } = await openOwner('stolen', '198.51.100.4');
  const change = (current: string) =>
    session.request('POST', '/v1/users/password', {
      body: { current_password: current, new_password: 'a password of theirs' },
    });
  const statuses: number[] = [];
  for (const index of range(PAIR_MAX * WINDOWS + 1)) {
    statuses.push((await change(guess(index))).status);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await change(password)).status).toBe(429);
});

test('one network that tries many emails is stopped, and its neighbours are not', async () => {
  const networks = [
    ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:2::1'],
  ] as const;
  for (const [first, same, other] of networks) {
    const statuses = await count(
      range(NETWORK_MAX * WINDOWS + 1).map((index) => ({
        email: `person-${index}@example.test`,
        password: guess(index),
        from: index % 2 === 0 ? first : same,
      })),
    );
    expect(statuses[401]).toBeGreaterThanOrEqual(NETWORK_MAX);
    expect(statuses[429]).toBeGreaterThanOrEqual(1);
    const neighbour = { email: 'somebody@example.test', password: 'x', from: other };
    expect((await logIn(neighbour)).status).toBe(401);
  }
});

test('an address that the caller wrote in front of the proxy gains nothing', async () => {
  const statuses = await count(
    range(NETWORK_MAX * WINDOWS + 1).map((index) => ({
      email: `other-${index}@example.test`,
      password: guess(index),
      from: `10.9.8.${index}, 192.0.2.77`,
    })),
  );
  expect(statuses[429]).toBeGreaterThanOrEqual(1);
});

test('an unknown email, a wrong password and an odd one get the same answer', async () => {
  const { email } = await openOwner('known', '198.51.100.5');
  const seen = async (attempt: Omit<Attempt, 'from'>, last: number) => {
    const { status, headers, text } = await logIn({ ...attempt, from: `192.0.2.${last}` });
    const rest = [...headers].filter(([name]) => !/^(x-request-id|date)$/.test(name));
    return [status, rest, text];
  };
  const wrong = await seen({ email, password: 'a wrong password' }, 100);
  expect(wrong[0]).toBe(401);
  const others: Omit<Attempt, 'from'>[] = [
    { email: 'unknown@example.test', password: 'a wrong password' },
    { email: email.toUpperCase(), password: 'a wrong password' },
    { email: 'no email at all', password: 'a wrong password' },
    { email, password: 'x'.repeat(1000) },
    { email, password: '\u0000' },
    { email: 'unknown@example.test', password: 'x'.repeat(1000) },
  ];
  for (const [index, other] of others.entries()) {
    expect([other.email, await seen(other, 101 + index)]).toEqual([other.email, wrong]);
  }
});

test('refresh tokens and login codes cannot be tried without end', async () => {
  const nobody = createApi(tollgate.baseUrl, undefined);
  const headers = { 'x-forwarded-for': '192.0.2.200' };
  const attempts = [
    { path: '/v1/users/refresh', make: (text: string) => ({ refresh_token: text }), bound: 300 },
    { path: '/v1/oauth/token', make: (text: string) => ({ code: text }), bound: NETWORK_MAX },
  ];
  for (const { path, make, bound } of attempts) {
    const statuses = new Set<number>();
    for (const index of range(bound * WINDOWS + 1)) {
      const body = make(`${guess(index)}${randomBytes(8).toString('hex')}`);
      statuses.add((await nobody.request('POST', path, { body, headers })).status);
      if (statuses.has(429)) break;
    }
    expect([path, [...statuses].sort()]).toEqual([path, [expect.any(Number), 429]]);
  }
});

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** A key that nobody ever made, but whose form and checksum are right. */
function inventKey(): string {
  const id = [...randomBytes(16)].map((byte) => CROCKFORD[byte % 32]).join('');
  const body = `tg_live_${id}_${randomBytes(32).toString('base64url')}`;
  return withChecksum(body);
}

test('a flood of invented keys and tokens leaves valid requests answered', async () => {
  const owner = await openAccountWithKey(tollgate.api, { name: 'flooded', credit: '1.00' });
  const fresh = await owner.session.post('/v1/keys', { name: 'never used before the flood' });
  const kinds = [
    inventKey,
    () => `tg_live_${randomBytes(20).toString('hex')}`,
    () => `old-key-${randomBytes(16).toString('hex')}`,
    () => owner.accessToken.replace(/[^.]+$/, randomBytes(64).toString('base64url')),
    () => `${Buffer.from(`{"alg":"ES256","kid":"${Math.random()}"}`).toString('base64url')}.e30.AA`,
  ];
  let flooding = true;
  const refused: number[] = [];
  const flood = range(16).map(async (index) => {
    for (let turn = index; flooding; turn += 1) {
      const key = kinds[turn % kinds.length]?.();
      const { status } = await createApi(tollgate.baseUrl, key).request('GET', '/v1/keys');
      refused.push(status);
    }
  });
  const answered: number[] = [];
  for (const index of range(30)) {
    const api = createApi(tollgate.baseUrl, index % 2 === 0 ? owner.apiKey : String(fresh.key));
    const { status } = await api.request('POST', '/v1/chat/completions', {
      body: { model: 'sim-small', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] },
    });
    answered.push(status);
  }
  const refusals = async () => refused.filter((status) => status === 401).length;
  await eventually(refusals, (count) => count > 200, 60_000);
  flooding = false;
  await Promise.all(flood);
  expect(new Set(answered)).toEqual(new Set([200]));
  // A crowded machine may turn some away before it looks at what they carry.
  expect(refused.filter((status) => status !== 401 && status !== 503)).toEqual([]);
});

test('without a trusted proxy nobody chooses their own address', async () => {
  const direct = await startTollgate();
  try {
    const statuses = new Set<number>();
    for (const index of range(NETWORK_MAX * WINDOWS + 1)) {
      const answer = await createApi(direct.baseUrl, undefined).request('POST', '/v1/users/login', {
        body: { email: `person-${index}@example.test`, password: 'x' },
        headers: {
          'x-forwarded-for': `203.0.113.${index}`,
          'x-real-ip': `203.0.113.${index}`,
          forwarded: `for=203.0.113.${index}`,
        },
      });
      statuses.add(answer.status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
  } finally {
    await direct.stop();
  }
});
