import {
  codeOf,
  type IdentityFixture,
  PASSWORD,
  startIdentityFixture,
} from '../testing/identity-fixture';
import { type FirstStartOptions, grantFirstCredit, runFirstStart } from './first-start';

let identity: IdentityFixture;

beforeEach(async () => {
  identity = await startIdentityFixture();
});

afterEach(() => identity.close());

const firstStart = (overrides: Partial<FirstStartOptions> = {}) =>
  runFirstStart({
    ...identity.adapters,
    email: 'Operator@tollgate.local',
    password: PASSWORD,
    plan: 'professional',
    ...overrides,
  });
const login = () =>
  identity.operations.login({
    email: 'operator@tollgate.local',
    password: PASSWORD,
    remoteAddress: '192.0.2.1',
  });

test('an empty installation gets an operator and a key with every scope', async () => {
  const made = await firstStart();
  const { principal } = await identity.operations.verifyApiKey(made?.apiKey ?? '');
  expect(principal).toMatchObject({
    accountId: made?.accountId,
    accountName: 'Operator',
    plan: 'professional',
    keyName: 'first key',
    operator: true,
    role: 'operator',
  });
  expect(principal.scopes).toContain('admin');
  expect(made?.email).toBe('operator@tollgate.local');
  expect((await login()).user.role).toBe('operator');
});

test('a second start makes nothing', async () => {
  await firstStart();
  expect(await firstStart()).toBeUndefined();
  const found = await identity.adapters.users.list({ window: { limit: 10, beforeId: undefined } });
  expect(found).toHaveLength(1);
});

test('an installation with people in it gets no operator', async () => {
  await identity.makeUser();
  expect(await firstStart()).toBeUndefined();
});

test('of replicas that start together one makes everything', async () => {
  const starts = [firstStart(), firstStart(), firstStart()];
  // The others look again when the clock says so: not while this one still works in real time.
  await Promise.race(starts);
  let over = false;
  const results = Promise.all(starts).finally(() => {
    over = true;
  });
  while (!over) await identity.clock.advance(10);
  const made = (await results).filter((result) => result !== undefined);
  expect(made).toHaveLength(1);
  expect(await codeOf(identity.operations.verifyApiKey(made[0]?.apiKey ?? ''))).toBe('accepted');
});

test('an interrupted first start is finished by the next one with a key that works', async () => {
  const { firstStarts } = identity.adapters;
  const broken = { ...firstStarts, markMade: () => Promise.reject(new Error('killed')) };
  await expect(firstStart({ firstStarts: broken })).rejects.toThrow('killed');
  await identity.clock.advance(5000);
  const made = await firstStart();
  expect(await codeOf(identity.operations.verifyApiKey(made?.apiKey ?? ''))).toBe('accepted');
  const keys = await identity.adapters.keys.list({ window: { limit: 10, beforeId: undefined } });
  expect(keys).toHaveLength(1);
});

test('an operator made without a password gets the one that is configured later', async () => {
  await firstStart({ password: undefined });
  expect(await codeOf(login())).toBe('INVALID_CREDENTIALS');
  await firstStart();
  expect(await codeOf(login())).toBe('accepted');
});

test('the first credit is asked for until billing takes it, and never again', async () => {
  const made = await firstStart();
  const asked: object[] = [];
  const billing = {
    addCredits: async (credit: object) => {
      asked.push(credit);
      if (asked.length < 3) throw new Error('billing is away');
    },
  };
  const options = { ...identity.adapters, billing, amount: 10_000_000_000n };
  const grant = (signal: AbortSignal) => grantFirstCredit(options, signal);
  const granted = grant(new AbortController().signal);
  let over = false;
  void granted.then(() => {
    over = true;
  });
  while (!over) await identity.clock.advance(100);
  expect(asked).toHaveLength(3);
  expect(asked[2]).toEqual({
    accountId: made?.accountId,
    amount: 10_000_000_000n,
    note: 'Initial credit',
    idempotencyKey: 'first-start',
  });
  await grant(new AbortController().signal);
  expect(asked).toHaveLength(3);
});
