import { silentLogger } from '@tollgate/core';
import { createIdempotencyStore, type MongoStore, NO_KEY, runIdempotently } from '@tollgate/mongo';
import { createFakeClock } from '@tollgate/testkit';
import { DEFAULT_PLANS, type Plan } from '../domain/plans';
import { COLLECTIONS } from '../storage/collections';
import { createPlanStore } from '../storage/plan-store';
import { NOON, n } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createPlanOperations, type PlanOperations } from './plans';

let billing: TestStore;
let mongo: MongoStore;
let plans: PlanOperations;

beforeAll(async () => {
  billing = await openTestStore();
  ({ mongo } = billing);
  const clock = createFakeClock(NOON);
  const claims = createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency });
  plans = createPlanOperations({
    plans: createPlanStore(mongo, silentLogger),
    clock,
    runIdempotently: (work) =>
      runIdempotently({ idempotencyClaims: claims, clock, logger: silentLogger }, work),
  });
});

afterAll(() => billing.close());

const asked = { scope: 'acc_1', idempotency: NO_KEY };
const team: Plan = {
  id: 'team',
  name: 'Team',
  price: n(5),
  includedCredit: n(0),
  requestsPerMinute: 7,
  requestsPerDay: undefined,
  concurrentRequests: undefined,
  groups: ['gold', 'blue', 'gold'],
  models: [],
  version: 0,
  changedAtMs: 0,
  keepAnswers: false,
  thresholds: undefined,
  period: 'month',
};

it('begins with the four plans', async () => {
  expect(await plans.list()).toEqual(DEFAULT_PLANS);
});

it('keeps what a plan was before, and lets one of two changes of one version through', async () => {
  const { plan } = await plans.put({ plan: team, ...asked });
  expect(plan).toMatchObject({ version: 1, groups: ['blue', 'gold'], changedAtMs: NOON });
  const changes = [8, 9].map((requestsPerMinute) =>
    plans.put({ plan: { ...plan, requestsPerMinute }, ...asked }),
  );
  const settled = await Promise.allSettled(changes);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [newest, before, ...others] = await plans.versions('team');
  expect([newest.version, before, others]).toEqual([2, plan, []]);
  expect([8, 9]).toContain(newest.requestsPerMinute);
  expect((await plans.list()).map(({ id }) => id)).toContain('team');
});

it('makes a plan once for its key, and refuses an id that is taken', async () => {
  const idempotency = { key: 'one', bodyDigest: 'd' };
  const made = { plan: { ...team, id: 'once' }, scope: 'acc_1', idempotency };
  expect((await plans.put(made)).replayed).toBe(false);
  expect((await plans.put(made)).replayed).toBe(true);
  const taken = plans.put({ ...made, idempotency: NO_KEY });
  await expect(taken).rejects.toMatchObject({ code: 'CONFLICT', param: 'id' });
});

it.each([
  [{ id: 'No' }, 'id'],
  [{ name: ' ' }, 'name'],
  [{ price: n(-1) }, 'price'],
  [{ models: [''] }, 'models'],
])('refuses %s', async (change, param) => {
  const put = plans.put({ plan: { ...team, ...change }, ...asked });
  await expect(put).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param });
});

it('lists without reading the versions of plans that did not change', async () => {
  const store = createPlanStore(mongo, silentLogger);
  const [first] = await store.list();
  if (first === undefined) throw new Error('there are plans');
  const documents = mongo.connection.collection<{ _id: string }>(COLLECTIONS.plans);
  // Nobody does so: what is not read is not missed.
  await documents.updateOne({ _id: first.id }, { $set: { versions: [] } });
  expect(await store.list()).toContainEqual(first);
  const changed = { ...first, version: first.version + 1, name: 'changed elsewhere' };
  await createPlanStore(mongo, silentLogger).addVersion(changed);
  expect(await store.list()).toContainEqual(changed);
});

describe('the plan table', () => {
  it('has the four plans, cheapest first', () => {
    expect(DEFAULT_PLANS.map(({ id }) => id)).toEqual([
      'free',
      'smart',
      'professional',
      'enterprise',
    ]);
    const prices = DEFAULT_PLANS.map(({ price }) => price);
    expect([...prices].sort((a, b) => Number(a - b))).toEqual(prices);
  });
});
