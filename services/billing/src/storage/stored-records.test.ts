import { silentLogger } from '@tollgate/core';
import { createRecordingLogger } from '@tollgate/testkit';
import type { Claim } from '../domain/claims';
import { type Code, type CodeBatch, createCode } from '../domain/codes';
import type { Plan } from '../domain/plans';
import type { Statement } from '../domain/statements';
import { NOON, n } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createClaimStore } from './claim-store';
import { createCodeStore } from './code-store';
import { COLLECTIONS } from './collections';
import { createPlanStore } from './plan-store';
import { createStatementStore } from './statement-store';

let billing: TestStore;

beforeAll(async () => {
  billing = await openTestStore();
});

afterAll(() => billing.close());

/** The document as the store has it, with the types of its own. */
async function storedAt(collection: string, id: string): Promise<object | null> {
  const documents = billing.mongo.connection.collection<{ readonly _id: string }>(collection);
  return documents.findOne({ _id: id });
}

const STATEMENT: Statement = {
  accountId: 'acc_1',
  month: '2026-03',
  opening: n(2n ** 62n),
  credits: n(20),
  adjustments: n(-5),
  charges: n(7),
  closing: n(2n ** 62n + 8n),
  lines: [
    {
      model: 'sim-small',
      keyId: 'key_1',
      requests: 2,
      promptTokens: 3_000_000_000,
      completionTokens: 4,
      amount: n(7),
    },
  ],
  throughSeq: 9,
};

it('a statement is stored as it always was, and read back as it is', async () => {
  const statements = createStatementStore(billing.mongo);
  const later = { ...STATEMENT, charges: n(8), closing: n(2n ** 62n + 7n), throughSeq: 10 };
  expect(await statements.keep(STATEMENT, undefined)).toBe(true);
  expect(await statements.keep(STATEMENT, undefined)).toBe(false);
  expect(await statements.keep(later, 8)).toBe(false);
  expect(await statements.keep(later, 9)).toBe(true);
  expect(await storedAt(COLLECTIONS.statements, 'acc_1:2026-03')).toStrictEqual({
    _id: 'acc_1:2026-03',
    account_id: 'acc_1',
    month: '2026-03',
    opening: 2n ** 62n,
    credits: 20n,
    adjustments: -5n,
    charges: 8n,
    closing: 2n ** 62n + 7n,
    lines: [
      {
        model: 'sim-small',
        key_id: 'key_1',
        requests: 2,
        prompt_tokens: 3_000_000_000,
        completion_tokens: 4,
        amount: 7n,
      },
    ],
    through_seq: 10,
  });
  expect(await statements.find('acc_1', '2026-03')).toStrictEqual(later);
});

const BATCH: CodeBatch = {
  batchId: 'bat_1',
  amount: n(5),
  note: 'a gift',
  createdAtMs: NOON,
  expiresAtMs: undefined,
};

const codeOf = (changes: Partial<CodeBatch>, place: number): Code =>
  createCode({ ...BATCH, ...changes }, place, (count) => new Uint8Array(count)).code;

it('a code is stored as it always was, and read back as it is', async () => {
  const codes = createCodeStore(billing.mongo);
  const plain = codeOf({}, 1);
  const full = { ...codeOf({ expiresAtMs: NOON + 1, createdBy: 'usr_1' }, 2), digest: 'another' };
  await codes.insert([plain, full]);
  const common = { batch_id: 'bat_1', amount: 5n, note: 'a gift', created_at: new Date(NOON) };
  expect(await storedAt(COLLECTIONS.codes, plain.id)).toStrictEqual({
    ...common,
    _id: plain.id,
    digest: plain.digest,
    preview: plain.preview,
  });
  expect(await storedAt(COLLECTIONS.codes, full.id)).toStrictEqual({
    ...common,
    _id: full.id,
    digest: 'another',
    preview: full.preview,
    expires_at: new Date(NOON + 1),
    created_by: 'usr_1',
  });
  const listed = await codes.listBatch('bat_1', 10);
  expect(listed.map(({ read }) => read())).toEqual([plain, full]);
});

it.each<[Claim, object]>([
  [
    {
      id: 'topup:shop:1',
      accountId: 'acc_1',
      amount: n(5),
      note: 'paid',
      claimedAtMs: NOON,
      actorId: 'usr_1',
    },
    { account_id: 'acc_1', actor_id: 'usr_1', open: true },
  ],
  [{ id: 'code:1', accountId: undefined, amount: n(5), note: 'paid', claimedAtMs: NOON }, {}],
])('a claim %o is stored as it always was, and read back as it is', async (claim, members) => {
  const claims = createClaimStore(billing.mongo);
  await claims.keep(claim);
  const common = { _id: claim.id, amount: 5n, note: 'paid', claimed_at: new Date(NOON) };
  expect(await storedAt(COLLECTIONS.claims, claim.id)).toStrictEqual({ ...common, ...members });
  expect((await claims.find([claim.id])).map(({ read }) => read())).toEqual([claim]);
});

const PLAN: Plan = {
  id: 'small',
  name: 'Small',
  requestsPerMinute: undefined,
  requestsPerDay: 1_000,
  concurrentRequests: undefined,
  price: n(0),
  period: 'month',
  includedCredit: n(3),
  groups: ['fast'],
  models: [],
  keepAnswers: false,
  thresholds: undefined,
  version: 1,
  changedAtMs: NOON,
};

it('the versions of a plan are stored as they always were, and read back as they are', async () => {
  const plans = createPlanStore(billing.mongo, silentLogger);
  const next: Plan = {
    ...PLAN,
    version: 2,
    requestsPerMinute: 60,
    concurrentRequests: 4,
    keepAnswers: true,
    thresholds: { amounts: [n(7), n(2n ** 62n)], days: [3] },
  };
  expect(await plans.create(PLAN, 'evt_1')).toBe(true);
  expect(await plans.addVersion(next)).toBe(true);
  const common = {
    name: 'Small',
    price: 0n,
    groups: ['fast'],
    models: [],
    requests_per_day: 1_000,
    included_credit: 3n,
    changed_at: new Date(NOON),
  };
  expect(await storedAt(COLLECTIONS.plans, 'small')).toStrictEqual({
    _id: 'small',
    made_by: 'evt_1',
    version: 2,
    versions: [
      { ...common, version: 1, keep_answers: false },
      {
        ...common,
        version: 2,
        requests_per_minute: 60,
        concurrent_requests: 4,
        keep_answers: true,
        thresholds: { amounts: [7n, 2n ** 62n], days: [3] },
      },
    ],
  });
  expect(await plans.versions('small')).toEqual([next, PLAN]);
});

it('a plan that cannot be read keeps no other from the list, and stays as it was read before', async () => {
  const logger = createRecordingLogger();
  const plans = createPlanStore(billing.mongo, logger);
  await plans.create({ ...PLAN, id: 'mended' }, 'evt_3');
  const documents = billing.mongo.connection.collection<{ readonly _id: string }>(
    COLLECTIONS.plans,
  );
  const before = await plans.list();
  const $set = { version: 2, 'versions.0.price': 0.5 };
  await documents.updateOne({ _id: 'mended' }, { $set });
  expect(await plans.list()).toEqual(before);
  const restarted = await createPlanStore(billing.mongo, logger).list();
  expect(restarted).toEqual(before.filter(({ id }) => id !== 'mended'));
  expect(logger.lines).toMatchObject([1, 2].map(() => ({ fields: { plan: 'mended' } })));
  await documents.updateOne({ _id: 'mended' }, { $unset: { versions: '' } });
  expect(await plans.list()).toEqual(before);
  await documents.deleteOne({ _id: 'mended' });
});
