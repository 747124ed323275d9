import { createSystemClock, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { createTestMongo } from '@tollgate/testkit';
import { type IdempotencyClaim, type IdempotencyStore, runIdempotently } from './idempotency';
import type { IdempotencyStoreOptions } from './idempotency-store';
import { createIdempotencyStore, type MongoStore, openMongo } from './index';

const CLAIM: IdempotencyClaim = {
  id: 'claim',
  digest: 'digest',
  effectId: 'effect_1',
  claimedAtMs: 1_000_000,
  runningMsMax: 30_000,
  expiresAtMs: 9_000_000,
};
const { runningMsMax: _, ...KEPT } = CLAIM;
const NEXT = { ...CLAIM, claimedAtMs: 2_000_000 };
const ANSWER = { id: 'effect_1', price: 9_007_199_254_740_993n };

let server: EmbeddedMongo;
let store: MongoStore;
let claims: IdempotencyStore;

beforeAll(async () => {
  server = await createTestMongo();
});

afterAll(() => server.close());

beforeEach(async () => {
  store = openMongo({ uri: server.uriFor('test'), appName: 'test', logger: silentLogger });
  await store.connect();
  await documents().deleteMany({});
  claims = withOptions({});
});

afterEach(() => store.close());

const documents = () => store.connection.collection('claims');
const withOptions = (options: Omit<IdempotencyStoreOptions, 'collection'>) =>
  createIdempotencyStore(store, { collection: 'claims', ...options });

test('a claim is inserted once and found as it was, with its answer', async () => {
  expect(await claims.find('claim')).toBeUndefined();
  expect(await claims.insert(CLAIM)).toBe(true);
  expect(await claims.insert({ ...CLAIM, effectId: 'effect_2' })).toBe(false);
  expect(await claims.find('claim')).toEqual(KEPT);
  await claims.answer(CLAIM, ANSWER);
  expect(await claims.find('claim')).toEqual({ ...KEPT, answer: ANSWER });
});

test('a claim is replaced by one of those who saw it', async () => {
  await claims.insert(CLAIM);
  expect(await claims.replace(KEPT, NEXT)).toBe(true);
  expect(await claims.replace(KEPT, { ...NEXT, effectId: 'effect_2' })).toBe(false);
  expect(await claims.find('claim')).toMatchObject({
    claimedAtMs: 2_000_000,
    effectId: 'effect_1',
  });
});

test('an answer stays with its effect and goes when another takes its place', async () => {
  await claims.insert(CLAIM);
  await claims.answer(CLAIM, ANSWER);
  await claims.replace(KEPT, NEXT);
  expect(await claims.find('claim')).toMatchObject({ answer: ANSWER });
  const other = { ...NEXT, digest: 'other', effectId: 'effect_2', expiresAtMs: 10_000_000 };
  await claims.replace(NEXT, other);
  const { runningMsMax: _running, ...kept } = other;
  expect(await claims.find('claim')).toEqual(kept);
});

test('a claim is released or left to anybody by its holder alone', async () => {
  await claims.insert(CLAIM);
  for (const other of [{ ...CLAIM, effectId: 'effect_2' }, NEXT]) {
    await claims.release(other);
    await claims.leaveToAnybody(other);
  }
  expect(await claims.find('claim')).toEqual(KEPT);
  await claims.leaveToAnybody(CLAIM);
  expect(await claims.find('claim')).toEqual({ ...KEPT, claimedAtMs: 0 });
  await claims.replace({ ...KEPT, claimedAtMs: 0 }, NEXT);
  await claims.release(CLAIM);
  expect(await claims.find('claim')).toMatchObject({ claimedAtMs: 2_000_000 });
  await claims.release(NEXT);
  expect(await claims.find('claim')).toBeUndefined();
});

test('an answer is kept with the claim of its effect, whoever holds it', async () => {
  await claims.insert(CLAIM);
  await claims.replace(KEPT, NEXT);
  await claims.answer({ ...CLAIM, effectId: 'effect_2' }, { id: 'effect_2' });
  expect((await claims.find('claim'))?.answer).toBeUndefined();
  await claims.answer(CLAIM, ANSWER);
  expect(await claims.find('claim')).toMatchObject({ claimedAtMs: 2_000_000, answer: ANSWER });
});

test('a document has dates, and an answer as the service writes it', async () => {
  const document = {
    _id: 'claim',
    digest: 'digest',
    effectId: 'effect_1',
    claimedAt: new Date(1_000_000),
    expiresAt: new Date(9_000_000),
  };
  await claims.insert(CLAIM);
  expect(await documents().findOne({})).toEqual(document);
  await claims.answer(CLAIM, { id: 'effect_1' });
  expect(await documents().findOne({})).toEqual({ ...document, answer: { id: 'effect_1' } });
  const answers = {
    encode: (answer: object) => JSON.stringify(answer),
    decode: (kept: unknown) => JSON.parse(String(kept)) as object,
  };
  const asText = withOptions({ answers });
  await asText.answer(CLAIM, { id: 'effect_1' });
  expect(await documents().findOne({})).toEqual({ ...document, answer: '{"id":"effect_1"}' });
  expect(await asText.find('claim')).toEqual({ ...KEPT, answer: { id: 'effect_1' } });
});

test('requests at once with one key have one effect', async () => {
  let effects = 0;
  const request = (id: number) =>
    runIdempotently(
      { idempotencyClaims: claims, clock: createSystemClock(), logger: silentLogger },
      {
        scope: 'acc_1',
        operation: 'make',
        idempotency: { key: 'once', bodyDigest: 'a' },
        newEffectId: () => `effect_${id}`,
        async effect(effectId) {
          effects += 1;
          return { effectId };
        },
        findEffect: async () => undefined,
      },
    );
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, id) => request(id)));
  expect(outcomes.filter((one) => one.status === 'fulfilled').length).toBeGreaterThan(0);
  for (const one of outcomes) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' });
  }
  expect(effects).toBe(1);
});

test('while the document store is away nothing is claimed', async () => {
  await store.close();
  const away = { code: 'SERVICE_UNAVAILABLE' };
  await expect(claims.insert(CLAIM)).rejects.toMatchObject(away);
  await expect(claims.find('claim')).rejects.toMatchObject(away);
  await expect(claims.replace(KEPT, NEXT)).rejects.toMatchObject(away);
});
