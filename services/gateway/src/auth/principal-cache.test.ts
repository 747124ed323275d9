import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { rememberedPrincipal } from '../testing/fixtures';
import { createPrincipalCache, type PrincipalCache } from './principal-cache';

let clock: FakeClock;
let asked: string[];
let revision: bigint;
let away: boolean;
let disabled: Set<string>;
let cache: PrincipalCache;

function create(changes: { stalenessMs?: number; verificationsMax?: number } = {}) {
  return createPrincipalCache({
    entriesMax: 100,
    negativeTtlMs: 5000,
    stalenessMs: 60_000,
    verificationsMax: 3,
    clock,
    async verify(secret) {
      asked.push(secret);
      if (away) throw new AppError('SERVICE_UNAVAILABLE');
      const isLive = secret.startsWith('key') && !disabled.has(secret);
      if (!isLive) throw new AppError('UNAUTHORIZED');
      return { principal: rememberedPrincipal({ keyId: secret }), revision };
    },
    ...changes,
  });
}

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
  revision = 1n;
  away = false;
  disabled = new Set();
  cache = create();
  cache.applyRevocations(1n, [], false);
  cache.setConnected(true);
});

test('a key is asked for once, by however many requests at once', async () => {
  const [first] = await Promise.all([cache.resolve('key_1'), cache.resolve('key_1')]);
  expect(first?.keyId).toBe('key_1');
  expect(cache.resolve('key_1')).toBe(first);
  expect(asked).toEqual(['key_1']);
});

test('a revoked key is forgotten with the frame that says so', async () => {
  await cache.resolve('key_1');
  await cache.resolve('key_2');
  cache.applyRevocations(2n, [{ keyId: 'key_1', accountId: '', userId: '' }], false);
  revision = 2n;
  await cache.resolve('key_1');
  await cache.resolve('key_2');
  expect(asked).toEqual(['key_1', 'key_2', 'key_1']);
});

test('a change of an account forgets all its keys, a reset forgets everything', async () => {
  await cache.resolve('key_1');
  await cache.resolve('key_2');
  cache.applyRevocations(2n, [{ keyId: '', accountId: 'acc_1', userId: '' }], false);
  expect(cache.size).toBe(0);
  revision = 2n;
  await cache.resolve('key_1');
  cache.applyRevocations(9n, [], true);
  expect(cache.size).toBe(0);
});

test('an answer that is older than the stream is used once and not kept', async () => {
  cache.applyRevocations(5n, [], false);
  await cache.resolve('key_1');
  expect(cache.size).toBe(0);
  revision = 5n;
  await cache.resolve('key_1');
  expect(cache.size).toBe(1);
});

test('a refused secret costs one question in its time', async () => {
  const ask = async () => cache.resolve('wrong');
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(asked).toHaveLength(1);
  await clock.advance(5000);
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(asked).toHaveLength(2);
});

test('a key that was disabled is asked for again with the frame that enables it', async () => {
  disabled.add('key_1');
  const ask = async () => cache.resolve('key_1');
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  // A heartbeat changes nothing.
  cache.applyRevocations(1n, [], false);
  disabled.clear();
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  revision = 2n;
  cache.applyRevocations(2n, [{ keyId: 'key_1', accountId: '', userId: '' }], false);
  expect((await ask()).keyId).toBe('key_1');
});

test('a reset forgets refusals too', async () => {
  disabled.add('key_1');
  const ask = async () => cache.resolve('key_1');
  await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  disabled.clear();
  revision = 9n;
  cache.applyRevocations(9n, [], true);
  expect((await ask()).keyId).toBe('key_1');
});

test('a refusal that was under way while its key was enabled is not remembered', async () => {
  disabled.add('key_1');
  const ask = async () => cache.resolve('key_1');
  const refused = ask();
  cache.applyRevocations(2n, [{ keyId: 'key_1', accountId: '', userId: '' }], false);
  await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  disabled.clear();
  revision = 2n;
  expect((await ask()).keyId).toBe('key_1');
});

test('a flood of refused secrets pushes out no good one', async () => {
  await cache.resolve('key_1');
  for (let index = 0; index < 500; index += 1) {
    await (async () => cache.resolve(`wrong ${index}`))().catch(() => {});
  }
  expect(cache.resolve('key_1')).not.toBeInstanceOf(Promise);
});

test('while identity is away known keys serve for a minute, then 503; unknown ones at once', async () => {
  await cache.resolve('key_1');
  away = true;
  cache.setConnected(false);
  await clock.advance(59_999);
  expect(cache.resolve('key_1')).not.toBeInstanceOf(Promise);
  const unknown = (async () => cache.resolve('key_9'))();
  await expect(unknown).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.advance(1);
  const stale = (async () => cache.resolve('key_1'))();
  await expect(stale).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  away = false;
  await expect((async () => cache.resolve('key_1'))()).resolves.toBeDefined();
});

test('with no staleness allowed a lost connection closes at once', async () => {
  cache = create({ stalenessMs: 0 });
  cache.setConnected(true);
  await cache.resolve('key_1');
  expect(cache.resolve('key_1')).not.toBeInstanceOf(Promise);
  cache.setConnected(false);
  away = true;
  const closed = (async () => cache.resolve('key_1'))();
  await expect(closed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('only so many unknown keys are asked for at once', async () => {
  cache = create({ verificationsMax: 2 });
  const first = ['key_1', 'key_2'].map(async (secret) => cache.resolve(secret));
  expect(() => cache.resolve('key_3')).toThrow(AppError);
  await Promise.all(first);
  await expect((async () => cache.resolve('key_3'))()).resolves.toBeDefined();
});
