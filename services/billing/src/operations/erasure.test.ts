import { AppError, DAY_MS, silentLogger } from '@tollgate/core';
import { NOTHING_FOUND } from '@tollgate/jobs';
import type { MongoStore } from '@tollgate/mongo';
import { createJumpingClock, type JumpingClock } from '@tollgate/testkit';
import type { ErasureStore } from '../domain/ports';
import { createAccountStore } from '../storage/account-store';
import { createAnswerStore } from '../storage/answer-store';
import { createClaimStore } from '../storage/claim-store';
import { COLLECTIONS } from '../storage/collections';
import { createErasureStore } from '../storage/erasure-store';
import { createLedgerStore } from '../storage/ledger-store';
import { createOutboxStore } from '../storage/outbox-store';
import { createQuarantineStore } from '../storage/quarantine-store';
import {
  ACCOUNT_ID,
  acquireCommand,
  closeRecord,
  createUnreadMetrics,
  n,
  usageRecord,
} from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createErasureOperations } from './erasure';
import { createMoneyOperations, type MoneyOperations } from './operations';
import { createParts, type Parts } from './parts';
import { DEFAULT_SETTINGS } from './settings';

const OTHER = 'acc_01J00000000000000000000002';
const DEADLINE_MS = 5_000;

let billing: TestStore;
let mongo: MongoStore;
let clock: JumpingClock;

beforeEach(async () => {
  clock = createJumpingClock();
  billing = await openTestStore();
  ({ mongo } = billing);
});

afterEach(() => billing.close());

/** What an erasure is done with besides its stores. */
type Emptying = Pick<Parts, 'accounts'> & Pick<MoneyOperations, 'thresholds'>;

/** An instance of billing as one that has just started: it remembers nothing. */
function startInstance(
  decorate: (erasures: ErasureStore) => ErasureStore = (same) => same,
  change: (emptying: Emptying) => Emptying = (same) => same,
) {
  const store = createAccountStore(mongo);
  const ledger = createLedgerStore(mongo);
  const parts = createParts({
    store,
    ledger,
    outbox: createOutboxStore(mongo),
    claims: createClaimStore(mongo),
    quarantineStore: createQuarantineStore(mongo),
    clock,
    logger: silentLogger,
    holders: { recall: () => Promise.resolve('unknownClosed') },
    metrics: createUnreadMetrics(),
    settings: DEFAULT_SETTINGS,
  });
  const operations = createMoneyOperations(parts, { publish: () => Promise.resolve() }, 'USD');
  const erasures = decorate(createErasureStore(mongo));
  const { eraseOpen } = createErasureOperations({
    ...parts,
    forgetKey: operations.forgetKey,
    ...change({ accounts: parts.accounts, thresholds: operations.thresholds }),
    erasures,
  });
  const round = () => eraseOpen(new AbortController().signal);
  return { operations, accounts: parts.accounts, erasures, store, ledger, round };
}

type Instance = ReturnType<typeof startInstance>;

/** Money of the account with a text of a person wherever billing keeps one. */
async function furnish({ operations }: Instance, accountId = ACCOUNT_ID): Promise<void> {
  const credit = { accountId, amount: n(1_000), note: 'from Lovelace', idempotencyKey: 'a' };
  await operations.addCredits(credit);
  const correction = { accountId, amount: n(-10), note: 'Lovelace asked', idempotencyKey: 'b' };
  await operations.adjustBalance(correction);
  await operations.creditClaim({
    id: `topup:shop:${accountId}`,
    accountId,
    amount: n(50),
    note: 'Top-up Lovelace',
    claimedAtMs: clock.now(),
  });
  await operations.acquireLease(accountId, acquireCommand(), DEADLINE_MS);
  await operations.settleUsage([written(1, accountId)]);
  const thresholds = { amounts: [n(5)], days: [], suspendBelow: n(3) };
  await operations.thresholds.set(accountId, thresholds);
  const at = clock.now();
  await createAnswerStore(mongo).insert({
    id: `once-${accountId}`,
    accountId,
    keyId: 'key_1',
    requestId: `req_k_${accountId}`,
    runsUntilAtMs: at + 1_000,
    expiresAtMs: at + DAY_MS,
    request: 'sealed for Lovelace',
  });
}

const written = (number: number, accountId = ACCOUNT_ID) =>
  usageRecord({
    accountId,
    number,
    clientRequestId: `lovelace-${number}`,
    failedAttempts: '[{"error":"no answer for Lovelace"}]',
    ignoredMembers: 'lovelace',
  });

/** Every document of the collections that hold a text, but those of the other account. */
async function everything(): Promise<string> {
  const names = [
    COLLECTIONS.ledger,
    COLLECTIONS.claims,
    COLLECTIONS.answers,
    COLLECTIONS.erasures,
    COLLECTIONS.accounts,
    COLLECTIONS.outbox,
  ];
  const all = await Promise.all(
    names.map((name) => mongo.connection.collection(name).find({}).toArray()),
  );
  return JSON.stringify(
    all.flat().filter((document) => !JSON.stringify(document, asText).includes(OTHER)),
    asText,
  );
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

async function numbersOf({ operations }: Instance) {
  const { entries } = await operations.listLedger(ACCOUNT_ID, { afterSeq: 0 }, 100);
  const { balance, reserved, available, totalCredits, totalUsage } =
    await operations.getBalance(ACCOUNT_ID);
  return {
    balance: [balance, reserved, available, totalCredits, totalUsage],
    entries: entries.map(({ seq, kind, amount, atMs }) => ({ seq, kind, amount, atMs })),
  };
}

test('texts go and amounts stay, of the erased account alone, and the books are in order', async () => {
  const billing = startInstance();
  await furnish(billing);
  await furnish(billing, OTHER);
  const before = await numbersOf(billing);
  expect(await everything()).toMatch(/lovelace/i);
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  expect(await everything()).not.toMatch(/lovelace/i);
  expect(await numbersOf(billing)).toEqual(before);
  expect(await billing.operations.audit()).toMatchObject({ ok: true, findings: [] });
  expect(await billing.operations.thresholds.get(ACCOUNT_ID)).toMatchObject({ source: 'default' });
  const { entries } = await billing.operations.listLedger(OTHER, { afterSeq: 0 }, 100);
  expect(entries[0]).toMatchObject({ kind: 'credit', note: 'from Lovelace' });
  expect(await createAnswerStore(mongo).find(`once-${OTHER}`)).toBeDefined();
});

test('what settles late is emptied too, until a day has passed and no lease is open', async () => {
  const billing = startInstance();
  const { operations, erasures } = billing;
  await furnish(billing);
  await erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  expect(await billing.round()).toBe(NOTHING_FOUND);
  await operations.settleUsage([written(2)]);
  await billing.round();
  expect(await everything()).not.toMatch(/lovelace/i);
  const isOpen = async () => (await erasures.listOpen({ after: undefined, limit: 9 })).length === 1;
  clock.jump(DAY_MS);
  await billing.round();
  expect(await isOpen()).toBe(true);
  await operations.settleUsage([written(3), closeRecord({ number: 4 })]);
  await billing.round();
  await billing.round();
  expect(await isOpen()).toBe(false);
  expect(await everything()).not.toMatch(/lovelace/i);
  expect(await operations.audit()).toMatchObject({ ok: true, drift: 0n });
});

test('what a key is charged late does not stay under its name', async () => {
  const billing = startInstance();
  const { operations, erasures, store } = billing;
  await furnish(billing);
  await operations.forgetKey(ACCOUNT_ID, written(1).keyId);
  await erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  await operations.settleUsage([written(2)]);
  expect((await store.find(ACCOUNT_ID))?.chargedByKey.size).toBe(1);
  await billing.round();
  expect((await store.find(ACCOUNT_ID))?.chargedByKey.size).toBe(0);
});

test('a budget that a request still reserves of does not stay under the name of its key', async () => {
  const billing = startInstance();
  const { operations, erasures, store } = billing;
  await furnish(billing);
  await erasures.begin(ACCOUNT_ID, clock.now());
  const budget = { keyId: 'key_late', limit: n(500), period: 'day' as const };
  await operations.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'late', budget }), DEADLINE_MS);
  expect((await store.find(ACCOUNT_ID))?.budgets.size).toBe(1);
  await billing.round();
  expect((await store.find(ACCOUNT_ID))?.budgets.size).toBe(0);
});

test('a ledger that was put back from a copy is emptied when the account is erased again', async () => {
  const billing = startInstance();
  await furnish(billing);
  await billing.accounts.trim(ACCOUNT_ID);
  const ledger = mongo.connection.collection(COLLECTIONS.ledger);
  const copied = await ledger.find({ account_id: ACCOUNT_ID }).toArray();
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  await ledger.deleteMany({ account_id: ACCOUNT_ID });
  await ledger.insertMany(copied);
  expect(await everything()).toMatch(/lovelace/i);
  clock.jump(1_000);
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  expect(await everything()).not.toMatch(/lovelace/i);
});

test('an account whose journal stays full keeps its thresholds, and nobody else their texts', async () => {
  await furnish(startInstance());
  await furnish(startInstance(), OTHER);
  const billing = startInstance(undefined, (operations) => ({
    ...operations,
    thresholds: {
      ...operations.thresholds,
      set: (accountId, given) =>
        accountId === ACCOUNT_ID
          ? Promise.reject(new AppError('SERVICE_UNAVAILABLE'))
          : operations.thresholds.set(accountId, given),
    },
  }));
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.erasures.begin(OTHER, clock.now());
  await expect(billing.round()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await billing.round();
  const ledger = await mongo.connection.collection(COLLECTIONS.ledger).find({}).toArray();
  expect(ledger.length).toBeGreaterThan(4);
  expect(JSON.stringify(ledger, asText)).not.toMatch(/lovelace/i);
  expect((await billing.store.find(OTHER))?.thresholds).toBeUndefined();
});

test('an account that fails by itself is quarantined, and others are erased', async () => {
  let isDamaged = true;
  const billing = startInstance((erasures) => ({
    ...erasures,
    async blankClaims(accountId) {
      if (accountId === ACCOUNT_ID && isDamaged) throw new TypeError('no such member');
      await erasures.blankClaims(accountId);
    },
  }));
  await furnish(billing);
  await furnish(billing, OTHER);
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.erasures.begin(OTHER, clock.now());
  await billing.round();
  expect((await billing.store.find(OTHER))?.thresholds).toBeUndefined();
  const quarantine = createQuarantineStore(mongo);
  expect(await quarantine.list(9)).toMatchObject([
    { id: `erase:${ACCOUNT_ID}`, accountId: ACCOUNT_ID, reason: 'no such member' },
  ]);
  expect((await billing.operations.audit()).findings).toMatchObject([{ rule: 'quarantined' }]);
  isDamaged = false;
  await billing.round();
  expect(await everything()).toMatch(/lovelace/i);
  // A process that has just started remembers no quarantine.
  await startInstance().round();
  expect(await everything()).not.toMatch(/lovelace/i);
});

test('one with very many entries is gone through in turns, and others do not wait for its end', async () => {
  const pages: [number, number][] = [];
  const billing = startInstance((erasures) => ({
    ...erasures,
    async blankEntries(accountId, afterSeq, throughSeq) {
      if (accountId === ACCOUNT_ID) pages.push([afterSeq, throughSeq]);
      else await erasures.blankEntries(accountId, afterSeq, throughSeq);
    },
  }));
  await furnish(billing);
  await furnish(billing, OTHER);
  const { erasures } = billing;
  await billing.accounts.trim(ACCOUNT_ID);
  const accounts = mongo.connection.collection<{ readonly _id: string }>(COLLECTIONS.accounts);
  await accounts.updateOne({ _id: ACCOUNT_ID }, { $set: { ledger_seq: 60_000 } });
  await erasures.begin(ACCOUNT_ID, clock.now());
  await erasures.begin(OTHER, clock.now());
  await billing.round();
  expect(pages).toHaveLength(50);
  expect((await billing.store.find(OTHER))?.thresholds).toBeUndefined();
  expect((await billing.store.find(ACCOUNT_ID))?.thresholds).toBeDefined();
  for (let more = 0; more < 2; more += 1) expect(await billing.round()).not.toBe(NOTHING_FOUND);
  expect(pages).toEqual(Array.from({ length: 120 }, (_, page) => [page * 500, page * 500 + 500]));
  expect((await billing.store.find(ACCOUNT_ID))?.thresholds).toBeUndefined();
});

test('an erasure whose document is damaged keeps no other account from being emptied', async () => {
  const billing = startInstance();
  for (const accountId of [ACCOUNT_ID, OTHER]) {
    await furnish(billing, accountId);
    await billing.erasures.begin(accountId, clock.now());
  }
  const erasures = mongo.connection.collection<{ readonly _id: string }>(COLLECTIONS.erasures);
  await erasures.updateOne({ _id: ACCOUNT_ID }, { $unset: { told_at: '' } });
  await billing.round();
  expect((await billing.store.find(OTHER))?.thresholds).toBeUndefined();
  const quarantined = await createQuarantineStore(mongo).list(9);
  expect(quarantined).toMatchObject([{ id: `erase:${ACCOUNT_ID}` }]);
});

test('what another replica posts while the journal is emptied is emptied in the next round', async () => {
  const other = startInstance();
  await furnish(other);
  let posted = false;
  const billing = startInstance(undefined, (operations) => ({
    ...operations,
    accounts: {
      ...operations.accounts,
      async trim(accountId) {
        const trimmed = await operations.accounts.trim(accountId);
        if (!posted) await other.operations.settleUsage([written(2)]);
        posted = true;
        return trimmed;
      },
    },
  }));
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  expect(posted).toBe(true);
  await billing.round();
  expect(await everything()).not.toMatch(/lovelace/i);
});

test('credit that is asked for again after the erasure is given no second time', async () => {
  const billing = startInstance();
  await furnish(billing);
  await billing.erasures.begin(ACCOUNT_ID, clock.now());
  await billing.round();
  const before = await numbersOf(billing);
  const claim = {
    id: `topup:shop:${ACCOUNT_ID}`,
    accountId: ACCOUNT_ID,
    amount: n(50),
    claimedAtMs: 0,
    note: 'Top-up Lovelace',
  };
  await billing.operations.creditClaim(claim);
  expect(await numbersOf(billing)).toEqual(before);
});

test('a process that dies at any step is followed by one that finishes', async () => {
  let steps = 0;
  for (let died = true; died; ) {
    steps += 1;
    const accountId = `acc_${steps}`;
    await furnish(startInstance(), accountId);
    let calls = 0;
    const dying = startInstance((erasures) => {
      const step =
        <Input extends unknown[]>(call: (...input: Input) => Promise<void>) =>
        async (...input: Input) => {
          calls += 1;
          if (calls === steps) throw new Error('killed');
          await call(...input);
        };
      return {
        ...erasures,
        blankEntries: step(erasures.blankEntries),
        rememberProgress: step(erasures.rememberProgress),
        blankClaims: step(erasures.blankClaims),
        removeAnswers: step(erasures.removeAnswers),
      };
    });
    await dying.erasures.begin(accountId, clock.now());
    await dying.round();
    died = calls >= steps;
    const next = startInstance();
    await next.round();
    expect(await everything()).not.toMatch(/lovelace/i);
    clock.jump(DAY_MS);
    await next.operations.settleUsage([closeRecord({ accountId, number: 2 })]);
    await next.round();
    await next.round();
    expect(await next.erasures.listOpen({ after: undefined, limit: 9 })).toEqual([]);
  }
  expect(steps).toBeGreaterThan(4);
});
