import { randomBytes } from 'node:crypto';
import { AppError, createId, silentLogger } from '@tollgate/core';
import {
  createIdempotencyStore,
  type IdempotencyStore,
  NO_KEY,
  runIdempotently,
} from '@tollgate/mongo';
import {
  createFakeClock,
  describeIdempotentOperations,
  type IdempotentOperation,
  type Interruption,
  interrupt,
} from '@tollgate/testkit';
import { DEFAULT_PLANS, type Plan } from '../domain/plans';
import type { CodeStore, PlanStore } from '../domain/ports';
import { createClaimStore } from '../storage/claim-store';
import { createCodeStore } from '../storage/code-store';
import { COLLECTIONS } from '../storage/collections';
import { createPlanStore } from '../storage/plan-store';
import { NOON, n } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createCodeOperations } from './codes';
import type { IdempotentRunner } from './dependencies';
import { createPlanOperations } from './plans';

const RUNNING_MS = 30_000;
const CODES_MADE = 3;
const clock = createFakeClock(NOON);

let opened: TestStore;
let stores: Stores;
let plan: Plan;

/** The real stores, so that a test can let one of them fail. */
interface Stores {
  readonly codes: CodeStore;
  readonly plans: PlanStore;
  readonly idempotencyClaims: IdempotencyStore;
}

beforeAll(async () => {
  opened = await openTestStore();
});

afterAll(() => opened.close());

beforeEach(async () => {
  const { mongo } = opened;
  for (const name of [COLLECTIONS.codes, COLLECTIONS.idempotency])
    await mongo.connection.collection(name).deleteMany({});
  stores = {
    codes: createCodeStore(mongo),
    plans: createPlanStore(mongo, silentLogger),
    idempotencyClaims: createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency }),
  };
  const [given] = DEFAULT_PLANS;
  if (given === undefined) throw new Error('there are plans');
  plan = { ...given, id: `plan-${createId('event').slice(-8).toLowerCase()}`, version: 0 };
});

function operations(broken: Partial<Stores>) {
  const { codes, plans, idempotencyClaims } = { ...stores, ...broken };
  const runOnce: IdempotentRunner = (work) =>
    runIdempotently({ idempotencyClaims, clock, logger: silentLogger }, work);
  return {
    plans: createPlanOperations({ plans, clock, runIdempotently: runOnce }),
    codes: createCodeOperations({
      clock,
      logger: silentLogger,
      runIdempotently: runOnce,
      codes,
      claims: createClaimStore(opened.mongo),
      creditClaim: () => Promise.reject(new Error('nothing is redeemed')),
      requireCreditRoom: () => Promise.resolve(),
      randomBytes,
    }),
  };
}

const scopeOf = ({ key }: { readonly key: string }) => key.slice(0, key.indexOf('/'));

const OPERATIONS: Readonly<Record<string, IdempotentOperation>> = {
  batch: {
    async run(idempotency, interrupted) {
      const { insert, remove } = stores.codes;
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        codes: { ...stores.codes, insert: at(insert), remove: at(remove) },
      }));
      const { codes, replayed } = await operations(broken).codes.create({
        amount: n(5),
        count: CODES_MADE,
        note: '',
        expiresAtMs: undefined,
        scope: scopeOf(idempotency),
        idempotency,
      });
      // The preview is of the text, which is new each time that codes are made.
      return { answer: codes.map(({ code }) => [code.id, code.preview]), replayed };
    },
    effects: async () =>
      (await opened.mongo.connection.collection(COLLECTIONS.codes).countDocuments({})) / CODES_MADE,
    runningMs: RUNNING_MS,
  },
  plan: {
    async run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        plans: { ...stores.plans, create: at(stores.plans.create) },
      }));
      const scope = scopeOf(idempotency);
      // Each account's own, as an id is taken once.
      const own = { ...plan, id: `${plan.id}-${scope.at(-1)}` };
      const made = await operations(broken).plans.put({ plan: own, scope, idempotency });
      return { answer: made.plan.id, replayed: made.replayed };
    },
    effects: async () => (await stores.plans.list()).length,
    runningMs: RUNNING_MS,
  },
};

describeIdempotentOperations(OPERATIONS, clock);

/** Inserts the first of the codes, and dies. */
const leavesOne: Interruption =
  () =>
  async (...given) => {
    const [codes] = given as readonly unknown[];
    if (Array.isArray(codes)) await stores.codes.insert(codes.slice(0, 1));
    throw new AppError('SERVICE_UNAVAILABLE');
  };

test('what an interrupted request left of a batch goes before it is made by the next one', async () => {
  const idempotency = { key: 'acc_1/left', bodyDigest: 'a' };
  const batch = OPERATIONS.batch as IdempotentOperation;
  await expect(batch.run(idempotency, leavesOne)).rejects.toThrow();
  expect(await batch.effects()).toBe(1 / CODES_MADE);
  const { answer, replayed } = await batch.run(idempotency);
  expect(replayed).toBe(false);
  expect(answer).toHaveLength(CODES_MADE);
  expect(await batch.effects()).toBe(1);
});

test('who took a batch over and was overtaken removes none of the codes that others were told', async () => {
  const batch = OPERATIONS.batch as IdempotentOperation;
  const idempotency = { key: 'acc_1/twice', bodyDigest: 'a' };
  await expect(batch.run(idempotency, leavesOne)).rejects.toThrow();
  const reached = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const standsStill: Interruption =
    (call) =>
    async (...given) => {
      reached.resolve();
      await goesOn.promise;
      return call(...given);
    };
  const overtaken = Promise.allSettled([batch.run(idempotency, standsStill)]);
  await reached.promise;
  await clock.advance(RUNNING_MS);
  const { answer } = await batch.run(idempotency);
  goesOn.resolve();
  await overtaken;
  expect(await batch.run(idempotency)).toEqual({ answer, replayed: true });
});

test('a repetition is answered though the expiry that was asked for is past by then', async () => {
  const made = {
    amount: n(5),
    count: 1,
    note: '',
    expiresAtMs: clock.now() + 1_000,
    scope: 'acc_1',
    idempotency: { key: 'expires', bodyDigest: 'a' },
  };
  const { batchId } = await operations({}).codes.create(made);
  await clock.advance(1_000);
  expect(await operations({}).codes.create(made)).toMatchObject({ batchId, replayed: true });
  const late = { ...made, idempotency: NO_KEY };
  await expect(operations({}).codes.create(late)).rejects.toMatchObject({ param: 'expires_at' });
});
