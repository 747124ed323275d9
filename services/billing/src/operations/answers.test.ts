import { AppError, createSealer, DAY_MS } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { createAnswerStore } from '../storage/answer-store';
import { COLLECTIONS } from '../storage/collections';
import { NOON, n } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { type Announcement, type AnswerOperations, createAnswerOperations } from './answers';

const RUNNING_MS = 60_000;
let billing: TestStore;
let mongo: MongoStore;
let clock: FakeClock;
let charges: Map<string, bigint>;
let reason: 'stop' | 'crash';
let source: 'exact' | 'partial' | 'none';
let answers: AnswerOperations;

beforeAll(async () => {
  billing = await openTestStore();
  ({ mongo } = billing);
});

afterAll(() => billing.close());

beforeEach(async () => {
  await mongo.connection
    .collection<{ request: string; answer: string }>(COLLECTIONS.answers)
    .deleteMany({});
  await mongo.connection.collection(COLLECTIONS.answerBytes).deleteMany({});
  clock = createFakeClock(NOON);
  charges = new Map();
  reason = 'stop';
  source = 'exact';
  answers = operations();
});

function operations(
  accountBytesMax = 1_000_000,
  store = createAnswerStore(mongo),
): AnswerOperations {
  return createAnswerOperations({
    answers: store,
    sealer: createSealer([{ id: 'k1', secret: Buffer.alloc(32, 'k') }], 'answers'),
    async findCharge(_accountId, requestId) {
      const amount = charges.get(requestId);
      if (amount === undefined) throw new AppError('NOT_FOUND');
      return { amount: n(amount), record: { reason, source } };
    },
    clock,
    accountBytesMax,
  });
}

let requests = 0;
function request(changes: Partial<Announcement> = {}): Announcement {
  requests += 1;
  return {
    accountId: 'acc_1',
    keyId: 'key_1',
    key: 'once',
    digest: 'equal',
    requestId: `req_${requests}`,
    runningMsMax: RUNNING_MS,
    form: Buffer.from('in this format'),
    ...changes,
  };
}

const TEXT = Buffer.from('an answer with a secret');
const [running, mismatch] = [{ code: 'CONFLICT', retryAfterMs: 1000 }, 'IDEMPOTENCY_MISMATCH'];
const lost = { code: 'CONFLICT', retryAfterMs: undefined };

it('lets one of many equal requests begin, and gives its answer to all that follow', async () => {
  const asked = Array.from({ length: 20 }, () => request());
  const outcomes = await Promise.allSettled(asked.map((each) => answers.announce(each)));
  const begun = asked.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  expect(begun).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(running);
  }
  const requestId = begun[0]?.requestId ?? '';
  await answers.keep('acc_1', requestId, TEXT);
  expect(await answers.announce(request())).toEqual({ kind: 'answered', requestId, answer: TEXT });
  await clock.advance(DAY_MS);
  expect(await answers.announce(request())).toEqual({ kind: 'announced' });
});

it('knows a key for one request, and for the API key that sent it', async () => {
  await answers.announce(request());
  await expect(answers.announce(request({ digest: 'other' }))).rejects.toMatchObject({
    code: mismatch,
  });
  expect(await answers.announce(request({ keyId: 'key_2' }))).toEqual({ kind: 'announced' });
  expect(await answers.announce(request({ accountId: 'acc_2' }))).toEqual({ kind: 'announced' });
});

it('sends a request again that failed for nothing', async () => {
  const failed = request();
  await answers.announce(failed);
  await answers.drop('acc_1', failed.requestId);
  expect(await answers.announce(request())).toEqual({ kind: 'announced' });
});

it('announces no request that was dropped before, whether or not its key was used', async () => {
  const earlier = request();
  await answers.announce(earlier);
  await answers.keep('acc_1', earlier.requestId, TEXT);
  await clock.advance(DAY_MS);
  const late = request();
  await answers.drop('acc_1', late.requestId);
  await expect(answers.announce(late)).rejects.toMatchObject(running);
  const unused = request({ key: 'unused' });
  await answers.drop('acc_1', unused.requestId);
  await expect(answers.announce(unused)).rejects.toMatchObject(running);
  expect(await answers.announce(request())).toEqual({ kind: 'announced' });
});

it('sends a request again whose process died only when nothing of it was delivered', async () => {
  const died = request();
  await answers.announce(died);
  await expect(answers.announce(request())).rejects.toMatchObject(running);
  await clock.advance(RUNNING_MS);
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  charges.set(died.requestId, 5n);
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  // On a channel of the account itself, or with a discount of all.
  charges.set(died.requestId, 0n);
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  source = 'none';
  const next = request();
  expect(await answers.announce(next)).toEqual({ kind: 'announced' });
  await answers.keep('acc_1', died.requestId, TEXT);
  await expect(answers.announce(request())).rejects.toMatchObject(running);
});

it('says at once that an answer is lost of which a part was delivered before a crash', async () => {
  const died = request();
  await answers.announce(died);
  charges.set(died.requestId, 5n);
  await clock.advance(5000);
  await expect(answers.announce(request())).rejects.toMatchObject(running);
  await expect(answers.get('acc_1', 'key_1', died.requestId)).rejects.toMatchObject(running);
  reason = 'crash';
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  await expect(answers.get('acc_1', 'key_1', died.requestId)).rejects.toMatchObject(lost);
  charges.set(died.requestId, 0n);
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  source = 'none';
  await expect(answers.announce(request())).rejects.toMatchObject(running);
});

it('never sends a request again whose answer was too large', async () => {
  const large = request();
  await answers.announce(large);
  await answers.keep('acc_1', large.requestId, undefined);
  charges.set(large.requestId, 0n);
  source = 'none';
  await expect(answers.announce(request())).rejects.toMatchObject(lost);
  await expect(answers.get('acc_1', 'key_1', large.requestId)).rejects.toMatchObject(lost);
});

it('gives an answer by its id to the API key that asked for it alone', async () => {
  const { requestId } = request();
  await answers.announce(request({ key: '', requestId }));
  await expect(answers.get('acc_1', 'key_1', requestId)).rejects.toMatchObject(running);
  await answers.keep('acc_1', requestId, TEXT);
  const form = Buffer.from('in this format');
  expect(await answers.get('acc_1', 'key_1', requestId)).toEqual({ form, answer: TEXT });
  for (const [account, key] of [
    ['acc_1', 'key_2'],
    ['acc_2', 'key_1'],
  ] as const) {
    await expect(answers.get(account, key, requestId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await clock.advance(DAY_MS);
  await expect(answers.get('acc_1', 'key_1', requestId)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

it('speaks of no Idempotency-Key to who fetches an answer by its id', async () => {
  const { requestId } = request();
  await answers.announce(request({ key: '', requestId }));
  const get = () => answers.get('acc_1', 'key_1', requestId);
  await expect(get()).rejects.toMatchObject({
    ...running,
    publicMessage: `Request ${requestId} is still being answered.`,
  });
  await answers.keep('acc_1', requestId, undefined);
  await expect(get()).rejects.toMatchObject({
    ...lost,
    publicMessage:
      `Request ${requestId} ended and its answer was not kept. It may have been charged: its ` +
      'receipt says so.',
  });
});

it('keeps no more for an account than it has room for, and replays all the same', async () => {
  const small = operations(10);
  const first = request();
  await small.announce(first);
  await small.keep('acc_1', first.requestId, TEXT);
  expect(await small.announce(request())).toMatchObject({ answer: TEXT });
  const other = () => small.announce(request({ key: 'other' }));
  await expect(other()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryable: false });
  await clock.advance(DAY_MS + 2 * 60 * 60 * 1000);
  expect(await other()).toEqual({ kind: 'announced' });
});

it('needs room in the place of an answer that expired as well', async () => {
  const small = operations(10);
  const old = request();
  await small.announce(old);
  await small.keep('acc_1', old.requestId, TEXT);
  await clock.advance(DAY_MS + 2 * 60 * 60 * 1000);
  await small.announce(request({ key: 'other' }));
  await expect(small.announce(request())).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

it('lets a request that was dropped before its announcement arrived hold no key', async () => {
  const late = request();
  await answers.drop('acc_1', late.requestId);
  await answers.drop('acc_1', late.requestId);
  await expect(answers.announce(late)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await answers.announce(request())).toEqual({ kind: 'announced' });
  await expect(answers.get('acc_1', 'key_1', late.requestId)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

it('forgets a request that is announced while it is dropped', async () => {
  const store = createAnswerStore(mongo);
  let hasArrived = false;
  const late = request();
  const racing = operations(1_000_000, {
    ...store,
    async drop(...asked) {
      const dropped = await store.drop(...asked);
      if (!hasArrived) {
        hasArrived = true;
        await answers.announce(late);
      }
      return dropped;
    },
  });
  await racing.drop('acc_1', late.requestId);
  expect(await answers.announce(request())).toEqual({ kind: 'announced' });
});

it('counts what is announced as it counts answers, and no longer what was dropped', async () => {
  const small = operations(5000);
  const large = () => request({ key: `key ${requests}`, form: Buffer.alloc(4000, 'w') });
  for (let failed = 0; failed < 3; failed += 1) {
    const dropped = large();
    await small.announce(dropped);
    await small.drop('acc_1', dropped.requestId);
  }
  // Together as well: room is taken before it is measured.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => small.announce(large())),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(4);
  const full = operations(4000);
  await full.announce(request({ accountId: 'acc_2', form: Buffer.alloc(4000, 'w') }));
  await expect(full.announce(request({ accountId: 'acc_2', key: 'other' }))).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
  });
});

it('keeps no text that can be read, and none that opens in another place', async () => {
  const { requestId } = request();
  await answers.announce(request({ requestId }));
  await answers.keep('acc_1', requestId, TEXT);
  const collection = mongo.connection.collection<{ request: string; answer: string }>(
    COLLECTIONS.answers,
  );
  const document = JSON.stringify(await collection.findOne({}));
  for (const text of [TEXT, Buffer.from('in this format'), Buffer.from('equal')]) {
    expect(document).not.toContain(text.toString());
    expect(document).not.toContain(text.toString('base64').slice(0, 12));
  }
  const { request: sealed = '' } = (await collection.findOne({})) ?? {};
  await collection.updateOne({}, { $set: { answer: sealed } });
  await expect(answers.announce(request())).rejects.toThrow();
});
