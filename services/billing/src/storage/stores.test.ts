import { randomBytes } from 'node:crypto';
import { codeClaimId, createId, createSystemClock, isId, silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo } from '@tollgate/mongo';
import { createRecordingLogger, createTestMongo } from '@tollgate/testkit';
import { type BudgetSpend, emptyAccount } from '../domain/account';
import { createAuditTally } from '../domain/audit-report';
import { codeDigest } from '../domain/codes';
import { toOutboxBatch } from '../domain/journal';
import { createCodeOperations } from '../operations/codes';
import { NOON, n } from '../testing/fixtures';
import { createInMemoryStores } from '../testing/in-memory-stores';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import {
  ACCOUNT_STORE_CONTRACT,
  ADJUSTMENT,
  CLAIM_STORE_CONTRACT,
  LEDGER_STORE_CONTRACT,
  ledgerOf,
  OUTBOX_STORE_CONTRACT,
} from '../testing/store-contract';
import { createAccountStore } from './account-store';
import { createAuditMarkStore, createAuditResultStore } from './audit-store';
import { createClaimStore } from './claim-store';
import { createCodeStore } from './code-store';
import { COLLECTIONS } from './collections';
import { fromEntryDocument, toEntryDocument } from './ledger-document';
import { createLedgerStore } from './ledger-store';
import { createOutboxStore } from './outbox-store';
import { createQuarantineStore } from './quarantine-store';

const clock = createSystemClock();

let billing: TestStore;
let mongo: MongoStore;

beforeAll(async () => {
  billing = await openTestStore();
});

afterAll(() => billing.close());

beforeEach(async () => {
  mongo = await billing.openDatabase();
});

afterEach(() => mongo.close());

describe('the account store in the document store', () => {
  it.each(ACCOUNT_STORE_CONTRACT)('$title', ({ run }) => run(createAccountStore(mongo)));
});

it('a budget is kept with the period that its key had before, where it had one', async () => {
  const store = createAccountStore(mongo);
  const period = { limit: n(9), period: 'day', periodStartMs: NOON, spent: n(3), notified: true };
  const unchanged = { ...period, period: 'month', leased: n(1) } as const;
  const changed = { ...unchanged, former: { ...period, period: 'week' } } as const;
  const budgets = new Map<string, BudgetSpend>([
    ['key_1', unchanged],
    ['key_2', changed],
  ]);
  await store.create({ ...emptyAccount('acc_1'), budgets });
  expect((await store.find('acc_1'))?.budgets).toEqual(budgets);
});

it.each([
  ['no leases', { leases: null }],
  ['a lease without a number', { leases: { 1: {} } }],
  ['a retired lease without a number', { retired: { 1: 'two' } }],
])('a document with %s is told from those that can be read', async (_, damage) => {
  const store = createAccountStore(mongo);
  for (const id of ['acc_1', 'acc_2']) await store.create(emptyAccount(id));
  interface Damaged {
    readonly _id: string;
    readonly leases?: unknown;
    readonly retired?: unknown;
  }
  const accounts = mongo.connection.collection<Damaged>(COLLECTIONS.accounts);
  await accounts.updateOne({ _id: 'acc_1' }, { $set: damage });
  const found = await store.findWatermarks(['acc_1', 'acc_2']);
  const [damaged, whole] = found.toSorted((a, b) => a.id.localeCompare(b.id));
  expect(() => damaged?.read()).toThrow(TypeError);
  expect(whole?.read()).toMatchObject({ id: 'acc_2', leaseNo: 0 });
});

describe('the ledger store in the document store', () => {
  it.each(LEDGER_STORE_CONTRACT)('$title', ({ run }) => run(createLedgerStore(mongo)));
});

it('a ledger that refuses an entry says why, also beside one that stands already', async () => {
  const store = createLedgerStore(mongo);
  await store.insert([ADJUSTMENT]);
  // No document may have two lists in one index.
  const place = { accountId: ['acc_1'], seq: [3] } as unknown as typeof ADJUSTMENT;
  await expect(store.insert([ADJUSTMENT, { ...ADJUSTMENT, ...place }])).rejects.toMatchObject({
    code: 'DATABASE_ERROR',
    message: expect.not.stringMatching('another entry') as string,
  });
});

it('an outage amid the request ids of a large ledger is told as one', async () => {
  const server = await createTestMongo();
  const uri = server.uriFor('billing');
  const options = { appName: 'billing-test', logger: silentLogger, selectionTimeoutMs: 3000 };
  const away = openMongo({ uri, ...options });
  await away.connect();
  const store = createLedgerStore(away);
  await store.insert(ledgerOf('acc_1', 1_500));
  const readAll = async () => {
    for await (const id of store.requestIds('acc_1')) if (id === 'req_0000') await server.close();
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await away.close();
});

describe('the outbox in the document store', () => {
  it.each(OUTBOX_STORE_CONTRACT)('$title', ({ run }) => run(createOutboxStore(mongo)));

  it('does not pass for one that has a batch, when it refused it beside one that it has', async () => {
    const store = createOutboxStore(mongo);
    const notice = { type: 'balance.exhausted', available: n(0) } as const;
    const batchOf = (accountId: string) =>
      toOutboxBatch(accountId, [{ kind: 'notice', no: 1, noticeSeq: 1, atMs: NOON, notice }]);
    const [standing, refused] = [batchOf('acc_1'), batchOf('acc_2')];
    await store.insert([standing]);
    // No id may be a list.
    const id = [refused.id] as unknown as string;
    await expect(store.insert([standing, { ...refused, id }])).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
    });
  });
});

describe('the claims in the document store', () => {
  it.each(CLAIM_STORE_CONTRACT)('$title', ({ run }) => run(createClaimStore(mongo)));

  it('list one that cannot be read with the others', async () => {
    const store = createClaimStore(mongo);
    const claim = { accountId: 'acc_1', amount: n(5), note: '', claimedAtMs: NOON };
    for (const id of ['code:1', 'code:2']) await store.keep({ ...claim, id });
    const claims = mongo.connection.collection<{ _id: string }>(COLLECTIONS.claims);
    await claims.updateOne({ _id: 'code:1' }, { $set: { amount: 0.5 } });
    const [damaged, whole] = await store.listOpen(NOON, { after: undefined, limit: 9 });
    expect(damaged).toMatchObject({ id: 'code:1', accountId: 'acc_1' });
    expect(() => damaged?.read()).toThrow(RangeError);
    expect(whole?.read()).toMatchObject({ id: 'code:2', amount: 5n });
  });
});

describe('the quarantine in the document store', () => {
  it('keeps one record for what is quarantined, until it is removed', async () => {
    const store = createQuarantineStore(mongo);
    const record = {
      id: 'journal:acc_1',
      accountId: 'acc_1',
      reason: 'first',
      quarantinedAtMs: 1_000,
    };
    await store.keep({ ...record, failedAtMs: 1_000 });
    await store.keep({ ...record, reason: 'again', failedAtMs: 2_000, quarantinedAtMs: 2_000 });
    expect(await store.list(10)).toEqual([{ ...record, reason: 'again', failedAtMs: 2_000 }]);
    await store.keep({ ...record, id: 'journal:acc_0', accountId: 'acc_0', failedAtMs: 1_000 });
    expect((await store.list(1, 'acc_1')).map(({ id }) => id)).toEqual(['journal:acc_1']);
    for (const id of ['journal:acc_0', record.id]) await store.remove(id);
    expect(await store.list(10)).toEqual([]);
  });

  it('lists the others of a record that cannot be read, until it is kept again', async () => {
    const store = createQuarantineStore(mongo);
    const times = { failedAtMs: 2_000, quarantinedAtMs: 1_000 };
    const recordOf = (accountId: string) => {
      return { id: `journal:${accountId}`, accountId, reason: 'it is broken', ...times };
    };
    for (const accountId of ['acc_0', 'acc_1']) await store.keep(recordOf(accountId));
    const records = mongo.connection.collection<{ _id: string }>(COLLECTIONS.quarantine);
    const damage = (members: object) => records.updateOne({ _id: 'journal:acc_0' }, members);
    await damage({ $set: { failed_at: 'yesterday' } });
    expect(await store.list(10)).toEqual([recordOf('acc_1')]);
    await damage({ $unset: { failed_at: 1 } });
    expect(await store.list(10)).toEqual([recordOf('acc_1')]);
    await store.keep(recordOf('acc_0'));
    expect(await store.list(10)).toEqual([recordOf('acc_0'), recordOf('acc_1')]);
    await damage({ $set: { since: 'yesterday' } });
    expect(await store.list(1)).toEqual([{ ...recordOf('acc_0'), quarantinedAtMs: 2_000 }]);
  });
});

describe('codes in the document store', () => {
  it('are made once though two processes make one batch', async () => {
    const codes = createCodeStore(mongo);
    const batchId = createId('codeBatch');
    const late = Promise.withResolvers<void>();
    const made = (insert: typeof codes.insert) =>
      createCodeOperations({
        codes: { ...codes, insert },
        claims: createClaimStore(mongo),
        clock,
        logger: silentLogger,
        randomBytes,
        creditClaim: () => Promise.reject(new Error('nothing is redeemed')),
        requireCreditRoom: () => Promise.resolve(),
        async runIdempotently(work) {
          return { answer: await work.effect(batchId), replayed: false };
        },
      }).create({
        amount: n(5),
        count: 40,
        note: '',
        expiresAtMs: undefined,
        scope: 'acc_operator',
        idempotency: { key: 'once', bodyDigest: 'a' },
      });
    const stalled = made(async (batch) => {
      await late.promise;
      return codes.insert(batch);
    });
    const refused = expect(stalled).rejects.toThrow();
    const { texts } = await made(codes.insert);
    late.resolve();
    await refused;
    const kept = await codes.listBatch(batchId, 1_000);
    expect(kept.map(({ digest }) => digest)).toEqual(texts.map(codeDigest));
    expect(kept.every(({ id }) => isId('code', id))).toBe(true);
  });

  async function makeFourCodes() {
    const claims = createClaimStore(mongo);
    const logger = createRecordingLogger();
    const operations = createCodeOperations({
      codes: createCodeStore(mongo),
      claims,
      clock,
      logger,
      randomBytes,
      creditClaim: () => Promise.reject(new Error('nothing is redeemed')),
      requireCreditRoom: () => Promise.resolve(),
      async runIdempotently(work) {
        return { answer: await work.effect(createId('codeBatch')), replayed: false };
      },
    });
    const asked = { amount: n(5), count: 4, note: '', expiresAtMs: undefined, scope: 'acc_1' };
    const idempotency = { key: 'once', bodyDigest: 'a' };
    const made = await operations.create({ ...asked, idempotency });
    return { claims, logger, operations, made, ids: made.codes.map(({ code }) => code.id) };
  }

  it('are listed and revoked though one of them cannot be read', async () => {
    const { claims, logger, operations, made, ids } = await makeFourCodes();
    const [, damaged = '', alone = ''] = ids;
    const documents = mongo.connection.collection<{ _id: string }>(COLLECTIONS.codes);
    const filter = { _id: { $in: [damaged, alone] } };
    await documents.updateMany(filter, { $set: { amount: 0.5 } });
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await operations.list(
        { batchId: made.batchId, preview: undefined },
        { limit: 2, cursor },
      );
      listed.push(...page.items.map(({ code }) => code.id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(listed).toEqual([ids[3], ids[0]]);
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    expect(await operations.revoke(alone)).toBe(1);
    expect(await operations.revoke(made.batchId)).toBe(3);
    expect(await operations.revoke(made.batchId)).toBe(0);
    const kept = await claims.find(ids.map((id) => codeClaimId(id)));
    expect(kept.map(({ read }) => read().accountId)).toEqual(ids.map(() => undefined));
  });

  it('are listed and revoked though the claim on one of them cannot be read', async () => {
    const { claims, logger, operations, made, ids } = await makeFourCodes();
    const [redeemed = '', other = ''] = ids;
    const claim = { accountId: 'acc_1', amount: n(5), note: '', claimedAtMs: NOON };
    for (const id of [redeemed, other]) await claims.keep({ ...claim, id: codeClaimId(id) });
    const documents = mongo.connection.collection<{ _id: string }>(COLLECTIONS.claims);
    await documents.updateOne({ _id: codeClaimId(redeemed) }, { $set: { amount: 0.5 } });
    const asked = { batchId: made.batchId, preview: undefined };
    const { items } = await operations.list(asked, { limit: 9, cursor: '' });
    expect(items.map(({ status }) => status)).toEqual(['unused', 'unused', 'redeemed']);
    const told = logger.lines.filter(({ level }) => level === 'error');
    expect(told).toMatchObject([{ fields: { code: redeemed } }]);
    for (const ask of [operations.get, operations.revoke]) {
      await expect(ask(redeemed)).rejects.toThrow(RangeError);
    }
    expect(await operations.revoke(made.batchId)).toBe(2);
  });
});

describe('audits in the document store', () => {
  it('are the newest one, and how far the next one came', async () => {
    const results = createAuditResultStore(mongo);
    const tally = createAuditTally(1_000, undefined);
    tally.add('acc_1', { account: emptyAccount('acc_1'), findings: [] });
    const begun = tally.report(2_000);
    await results.writeBegun(begun);
    expect(await results.find()).toBeUndefined();
    expect(await results.findBegun()).toEqual(begun);
    tally.finish();
    await results.write(tally.report(3_000));
    expect(await results.find()).toEqual(tally.report(3_000));
  });

  it.each([
    { drift: 0.5 },
    { drift: null },
    { findings: 'many' },
    { accounts_checked: 'many' },
    { checked_at: 'yesterday' },
  ])('are none with %j, and are written over', async (damage) => {
    const results = createAuditResultStore(mongo);
    const report = createAuditTally(1_000, undefined).report(2_000);
    await results.write(report);
    await results.writeBegun(report);
    const audits = mongo.connection.collection(COLLECTIONS.audits);
    await audits.updateMany({}, { $set: damage });
    expect([await results.find(), await results.findBegun()]).toEqual([undefined, undefined]);
    await results.write(report);
    await results.writeBegun(report);
    expect(await results.find()).toEqual(await results.findBegun());
    expect(await results.find()).toMatchObject({ checkedAtMs: 2_000 });
  });

  it('leave a mark for each account, in whole numbers of 64 bits', async () => {
    const marks = createAuditMarkStore(mongo);
    const amounts = { charges: 7n, granted: 2n ** 60n, absorbed: 0n, overrun: 1n };
    const sums = { seq: 3_000_000_000, ...amounts };
    const mark = { kind: 'sound', sums, wholeAtMs: 5_000 } as const;
    await marks.write('acc_1', { ...mark, wholeAtMs: 1 });
    await marks.write('acc_1', mark);
    await marks.write('acc_2', mark);
    expect(await marks.find(['acc_1', 'acc_3'])).toEqual(new Map([['acc_1', mark]]));
    await marks.write('acc_3', { ...mark, wholeAtMs: 4_000 });
    const finding = {
      accountId: 'acc_4',
      rule: 'credits',
      detail: '1 is missing',
      drift: 1n << 62n,
    };
    const faulty = { kind: 'faulty', atMs: 7, entries: 9, findings: [finding] } as const;
    await marks.write('acc_4', faulty);
    expect(await marks.find(['acc_4'])).toEqual(new Map([['acc_4', faulty]]));
    await marks.write('acc_4', mark);
    expect(await marks.find(['acc_4'])).toEqual(new Map([['acc_4', mark]]));
    await marks.write('acc_4', faulty);
    const { drift, detail, rule } = finding;
    const stored = mongo.connection.collection<{ _id: string }>(COLLECTIONS.auditMarks);
    // The version before reads it so: without a time, and with what was found.
    expect(await stored.findOne({ _id: 'acc_4' })).toMatchObject({
      seq: 0,
      whole_at: new Date(0),
      found: { at: new Date(7), entries: 9, findings: [{ rule, detail, drift }] },
    });
    await marks.write('acc_5', { ...mark, wholeAtMs: 5_001 });
    const oldest = await marks.listOldest(5_000, 2);
    expect(oldest[0]).toEqual({ accountId: 'acc_3', seq: 3_000_000_000 });
    expect(oldest).toHaveLength(2);
    // A version that did not keep what it found left no more than this.
    await marks.write('acc_6', { ...mark, wholeAtMs: 0 });
    expect(await marks.find(['acc_6'])).toEqual(new Map());
    await stored.updateOne({ _id: 'acc_5' }, { $unset: { whole_at: '' } });
    expect([...(await marks.find(['acc_3', 'acc_5'])).keys()]).toEqual(['acc_3']);
  });
});

describe('the stores in memory', () => {
  it.each(ACCOUNT_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().accounts));
  it.each(LEDGER_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().ledger));
  it.each(OUTBOX_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().outbox));
  it.each(CLAIM_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().claims));
});

it('stores an adjustment in a form that the version before reads and keeps as a credit', () => {
  const document = toEntryDocument(ADJUSTMENT);
  expect(document).toEqual({
    kind: 'credit',
    account_id: 'acc_1',
    seq: 2,
    amount: -5n,
    at: NOON,
    credit_id: 'acc_1:adjustment:one',
    note: 'credited twice',
  });
  expect(fromEntryDocument(document)).toEqual(ADJUSTMENT);
  const by = { ...ADJUSTMENT, actorId: 'usr_op' };
  expect(toEntryDocument(by)).toEqual({ ...document, actor_id: 'usr_op' });
  expect(fromEntryDocument(toEntryDocument(by))).toEqual(by);
});
