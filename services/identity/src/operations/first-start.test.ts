import { type JobLeaseStore, runElected } from '@tollgate/jobs';
import { createJobLeaseStore } from '@tollgate/mongo';
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
    alone: (work) => work(),
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
    operator: true,
    role: 'operator',
  });
  expect(principal.scopes).toContain('admin');
  expect(made?.email).toBe('operator@tollgate.local');
  expect((await login()).user.role).toBe('operator');
  const [account] = await identity.eventsOf('account.created', 1);
  const [key] = await identity.eventsOf('key.created', 1);
  expect([account?.data, key?.data]).toMatchObject([
    { account_id: made?.accountId },
    { account_id: made?.accountId },
  ]);
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

/** Under the job lease of a process that leaves it at its end, or keeps it because it was killed. */
const elected = (leases: JobLeaseStore) => {
  const { clock, logger } = identity;
  const election = { store: leases, group: 'test', ttlMs: 3000, clock, logger };
  return <T>(work: () => Promise<T>) => runElected(election, work);
};
const untilOver = async <T>(waiting: Promise<T>): Promise<T> => {
  let over = false;
  const result = waiting.finally(() => {
    over = true;
  });
  while (!over) await identity.clock.advance(10);
  return result;
};

test('of replicas that start together one makes everything', async () => {
  const alone = elected(createJobLeaseStore(identity.mongo));
  const starts = [firstStart({ alone }), firstStart({ alone }), firstStart({ alone })];
  // The others look again when the clock says so: not while this one still works in real time.
  await Promise.race(starts);
  const made = (await untilOver(Promise.all(starts))).filter((result) => result !== undefined);
  expect(made).toHaveLength(1);
  expect(await codeOf(identity.operations.verifyApiKey(made[0]?.apiKey ?? ''))).toBe('accepted');
});

test('a first start that was killed is finished by the next one with a key that works', async () => {
  const { firstStarts } = identity.adapters;
  const leases = createJobLeaseStore(identity.mongo);
  const broken = { ...firstStarts, markMade: () => Promise.reject(new Error('killed')) };
  const kept = elected({ ...leases, release: async () => {} });
  await expect(firstStart({ firstStarts: broken, alone: kept })).rejects.toThrow('killed');
  const made = await untilOver(firstStart({ alone: elected(leases) }));
  expect(await codeOf(identity.operations.verifyApiKey(made?.apiKey ?? ''))).toBe('accepted');
  const keys = await identity.adapters.keys.list({ window: { limit: 10, beforeId: undefined } });
  expect(keys).toHaveLength(1);
  expect(await firstStart()).toBeUndefined();
});

test('a first start that is finished under another email answers the one that signs in', async () => {
  const { firstStarts } = identity.adapters;
  const broken = { ...firstStarts, markMade: () => Promise.reject(new Error('killed')) };
  await expect(firstStart({ firstStarts: broken })).rejects.toThrow('killed');
  const made = await firstStart({ email: 'other@tollgate.local' });
  expect(made?.email).toBe('operator@tollgate.local');
  expect((await login()).user.accountId).toBe(made?.accountId);
});

test.each(['makes its key', 'has made its key'])(
  'every key that was shown works: one start stalls when it %s, and another goes on',
  async (when) => {
    const { keys, firstStarts } = identity.adapters;
    const stalls = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const stalling = <Argument, Answer>(run: (argument: Argument) => Promise<Answer>) => {
      return async (argument: Argument) => {
        stalls.resolve();
        await goesOn.promise;
        return run(argument);
      };
    };
    const stalled = firstStart(
      when === 'makes its key'
        ? { keys: { ...keys, insert: stalling(keys.insert) } }
        : { firstStarts: { ...firstStarts, markMade: stalling(firstStarts.markMade) } },
    );
    await stalls.promise;
    const other = await firstStart();
    goesOn.resolve();
    const shown = [other, await stalled].filter((made) => made !== undefined);
    expect(shown).toHaveLength(1);
    for (const { apiKey } of shown) {
      expect(await codeOf(identity.operations.verifyApiKey(apiKey))).toBe('accepted');
    }
    const present = await keys.list({ window: { limit: 10, beforeId: undefined } });
    expect(present).toHaveLength(1);
  },
);

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
