import { randomBytes } from 'node:crypto';
import { AppError, NANO_MAX, nano, silentLogger } from '@tollgate/core';
import { eventCatalogue } from '@tollgate/events';
import {
  type IdempotentResult,
  type IdempotentWork,
  NO_KEY,
  runIdempotently,
} from '@tollgate/mongo';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import type { Code } from '../domain/codes';
import type { ClaimStore, CodeStore } from '../domain/ports';
import { writeLedgerEntry } from '../events/journal-publisher';
import { fromProtoTopUp } from '../grpc/from-proto';
import {
  type BillingFixture,
  createBillingFixture,
  type Instance,
  TEST_SETTINGS,
} from '../testing/billing-fixture';
import { NOON, n } from '../testing/fixtures';
import { createFinishClaims } from './claims';
import { type CodeOperations, createCodeOperations } from './codes';
import { createRequireCreditRoom, type GrantCredit } from './credits';
import { createTopUp } from './top-ups';

let clock: FakeClock;
let fixture: BillingFixture;
let instance: Instance;
let made: Map<string, Code>;

beforeEach(() => {
  clock = createFakeClock(NOON);
  fixture = createBillingFixture(clock);
  instance = fixture.createInstance();
  made = new Map();
});
afterEach(() => fixture.stop());

const storedOf = (code: Code) => ({ ...code, read: () => code });

const codeStore = (): CodeStore => ({
  async insert(codes) {
    for (const code of codes) made.set(code.id, code);
    return true;
  },
  async remove(codes) {
    for (const { id, digest } of codes) if (made.get(id)?.digest === digest) made.delete(id);
  },
  find: async (id) => made.get(id),
  findStored: async (id) => [...made.values()].filter((code) => code.id === id).map(storedOf)[0],
  findByDigest: async (digest) => [...made.values()].find((code) => code.digest === digest),
  listBatch: async (batchId) =>
    [...made.values()].filter((code) => code.batchId === batchId).map(storedOf),
  list: async ({ preview }) =>
    [...made.values()]
      .filter((code) => preview === undefined || code.preview === preview)
      .reverse()
      .map(storedOf),
});

/** Codes over the fixture's claims; without an Idempotency-Key unless a test gives a store. */
function codesOf(claims: ClaimStore = fixture.claims, by = instance): CodeOperations {
  return createCodeOperations({
    codes: codeStore(),
    claims,
    creditClaim: by.creditClaim,
    requireCreditRoom: createRequireCreditRoom(fixture),
    clock,
    logger: silentLogger,
    randomBytes,
    runIdempotently: <Answer extends object>(
      work: IdempotentWork<Answer>,
    ): Promise<IdempotentResult<Answer>> =>
      // Without a key no store is asked.
      runIdempotently({ idempotencyClaims: {} as never, clock, logger: silentLogger }, work),
  });
}

const BATCH = {
  amount: n(500),
  count: 3,
  note: 'spring',
  expiresAtMs: undefined,
  scope: 'acc_operator',
  idempotency: NO_KEY,
};
const grantedTo = (id: string) => fixture.documents.get(id)?.granted ?? 0n;

function topUpOf(by = instance) {
  return createTopUp({ creditClaim: by.creditClaim, clock, currency: 'EUR' });
}
const PAYMENT = {
  provider: 'shop',
  eventId: 'evt_1',
  accountId: 'acc_1',
  amount: n(700),
  currency: 'EUR',
  reference: 'invoice 7',
};

describe('a payment', () => {
  it('is credited once for its event, however often and by whomever it is told of', async () => {
    const others = [instance, fixture.createInstance(), fixture.createInstance()];
    const told = others.flatMap((one) => [topUpOf(one)(PAYMENT), topUpOf(one)(PAYMENT)]);
    const done = Promise.all(told);
    // Instances that miss each other's guard wait a little.
    await clock.advance(5_000);
    const results = await done;
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(results.map(({ entry }) => entry.seq)).size).toBe(1);
    expect(results[0]?.entry).toMatchObject({ amount: 700n, note: 'Top-up shop invoice 7' });
    expect(grantedTo('acc_1')).toBe(700n);
  });

  it('that is told of for another account or amount gives nothing to anybody', async () => {
    await topUpOf()(PAYMENT);
    for (const change of [{ accountId: 'acc_2' }, { amount: n(701) }]) {
      await expect(topUpOf()({ ...PAYMENT, ...change })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    expect([grantedTo('acc_1'), grantedTo('acc_2')]).toEqual([700n, 0n]);
  });

  it('has a credit that events can carry, however long its id is', async () => {
    const eventId = 'e'.repeat(200);
    const request = { ...PAYMENT, eventId, accountId: `acc_${'x'.repeat(40)}` };
    const read = fromProtoTopUp({ ...request, provider: 's'.repeat(32), amount: '700' });
    const { entry } = await topUpOf()({ ...read, currency: 'EUR' });
    const credit = JSON.parse(writeLedgerEntry(entry).text) as object;
    const schema = eventCatalogue.find(({ type }) => type === 'ledger.entry_posted')?.schema;
    const event = { id: 'evt_1', schema_version: 1, time: '2026-01-01T00:00:00.000Z' };
    const posted = { ...event, type: 'ledger.entry_posted', data: credit };
    expect(schema?.safeParse(posted).error).toBeUndefined();
    const tooLong = { ...request, eventId: `${eventId}e`, amount: '700' };
    expect(() => fromProtoTopUp(tooLong)).toThrow(AppError);
  });

  it('that is refused is not credited behind the back of whoever was told so', async () => {
    await instance.grantCreditAtOnce({
      accountId: 'acc_1',
      name: 'most',
      amount: nano(NANO_MAX),
      note: '',
    });
    await expect(topUpOf()(PAYMENT)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const open = await fixture.claims.listOpen(clock.now(), { after: undefined, limit: 10 });
    expect(open).toEqual([]);
    // Told again once there is room, it is credited.
    await instance.adjustBalance({
      accountId: 'acc_1',
      amount: n(-700),
      note: 'too much',
      idempotencyKey: 'a',
    });
    expect(await topUpOf()(PAYMENT)).toMatchObject({ replayed: false });
  });

  it('in another currency is refused and keeps nothing', async () => {
    await expect(topUpOf()({ ...PAYMENT, currency: 'USD' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      param: 'data.currency',
    });
    expect(fixture.keptClaims.size).toBe(0);
  });
});

describe('a code', () => {
  it('keeps who made, redeemed and revoked it, and is found by its last characters', async () => {
    const made = await codesOf().create({ ...BATCH, actorId: 'usr_op' });
    const [text = ''] = made.texts;
    const { entry } = await codesOf().redeem('acc_1', text, 'usr_ann');
    expect(entry).toMatchObject({ actorId: 'usr_ann' });
    const preview = text.slice(-4).toLowerCase();
    const [found] = (
      await codesOf().list({ batchId: undefined, preview }, { limit: 10, cursor: '' })
    ).items;
    expect(found).toMatchObject({ code: { createdBy: 'usr_op' }, claim: { actorId: 'usr_ann' } });
    const revoked = (await codesOf().create(BATCH)).codes[0]?.code.id ?? '';
    await codesOf().revoke(revoked, 'usr_op');
    expect((await codesOf().get(revoked)).claim).toMatchObject({ actorId: 'usr_op' });
  });

  it('is redeemed by one account, which is answered the same when it asks again', async () => {
    const { texts } = await codesOf().create(BATCH);
    const [text = ''] = texts;
    const first = await codesOf().redeem('acc_1', text);
    expect(first).toMatchObject({ replayed: false, entry: { amount: 500n } });
    expect(await codesOf().redeem('acc_1', text.toLowerCase().replace(/-/g, ' '))).toEqual({
      ...first,
      replayed: true,
    });
    await expect(codesOf().redeem('acc_2', text)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([grantedTo('acc_1'), grantedTo('acc_2')]).toEqual([500n, 0n]);
  });

  it('is not used up by an account that cannot hold its credit', async () => {
    const note = '';
    const amount = nano(NANO_MAX);
    await instance.grantCreditAtOnce({ accountId: 'acc_1', name: 'most', amount, note });
    const { texts, codes } = await codesOf().create(BATCH);
    const [text = ''] = texts;
    await expect(codesOf().redeem('acc_1', text)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await codesOf().get(codes[0]?.code.id ?? '')).toMatchObject({ status: 'unused' });
    expect(await codesOf().redeem('acc_2', text)).toMatchObject({ entry: { amount: 500n } });
    await expect(codesOf().redeem('acc_1', text)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that filled its account is answered the same when it asks again', async () => {
    const note = '';
    const amount = nano(NANO_MAX - 500n);
    await instance.grantCreditAtOnce({ accountId: 'acc_1', name: 'most', amount, note });
    const [text = ''] = (await codesOf().create(BATCH)).texts;
    expect(await codesOf().redeem('acc_1', text)).toMatchObject({ replayed: false });
    expect(await codesOf().redeem('acc_1', text)).toMatchObject({ replayed: true });
  });

  it('is given to one of twenty accounts that race for it', async () => {
    const [text = ''] = (await codesOf().create(BATCH)).texts;
    const accounts = Array.from({ length: 20 }, (_, index) => `acc_${index}`);
    const tried = await Promise.allSettled(accounts.map((id) => codesOf().redeem(id, text)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const sum = accounts.reduce((all, id) => all + grantedTo(id), 0n);
    expect(sum).toBe(500n);
  });

  it('says nothing about why it gives nothing', async () => {
    const created = await codesOf().create({ ...BATCH, expiresAtMs: NOON + 1_000 });
    const [used = '', over = '', revoked = ''] = created.texts;
    await codesOf().redeem('acc_1', used);
    expect(await codesOf().revoke(created.codes[2]?.code.id ?? '')).toBe(1);
    await clock.advance(1_000);
    const wrong = `${over.slice(0, -1)}${over.endsWith('Z') ? '0' : 'Z'}`;
    const failures = await Promise.all(
      [used, over, revoked, wrong, '', 'TG'].map((text) =>
        codesOf()
          .redeem('acc_2', text)
          .catch((error: AppError) => [error.code, error.publicMessage, error.param]),
      ),
    );
    expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
    const { items } = await codesOf().list(
      { batchId: undefined, preview: undefined },
      { limit: 0, cursor: '' },
    );
    expect(items.map(({ status }) => status)).toEqual(['revoked', 'expired', 'redeemed']);
  });

  it('keeps nothing of the text that redeems it', async () => {
    const { texts } = await codesOf().create(BATCH);
    const kept = JSON.stringify([...made.values()], (_name, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    for (const text of texts) {
      const characters = text.replace(/-/g, '').slice(2);
      expect(kept).not.toContain(characters);
      expect(kept).not.toContain(characters.slice(0, -4));
      expect(text).toMatch(/^TG(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
    }
  });

  it('of a batch that is revoked is refused, and one that was redeemed stays so', async () => {
    const { batchId, texts, codes } = await codesOf().create(BATCH);
    await codesOf().redeem('acc_1', texts[0] ?? '');
    expect(await codesOf().revoke(batchId)).toBe(2);
    expect(await codesOf().revoke(batchId)).toBe(0);
    await expect(codesOf().redeem('acc_1', texts[1] ?? '')).rejects.toBeInstanceOf(AppError);
    const redeemed = codes[0]?.code.id ?? '';
    await expect(codesOf().revoke(redeemed)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(codesOf().revoke('cod_missing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a claim whose process died before its credit', () => {
  const signal = new AbortController().signal;
  const keep = (id: string, accountId: string) =>
    fixture.claims.keep({ id, accountId, amount: n(500), note: '', claimedAtMs: NOON - 10_000 });
  const openIds = async () => {
    const open = await fixture.claims.listOpen(clock.now(), { after: undefined, limit: 10 });
    return open.map(({ id }) => id);
  };

  it('is not waited for by those of other accounts, however many its account has', async () => {
    const asked: string[] = [];
    const failing: GrantCredit = (grant) => {
      asked.push(grant.name);
      if (grant.accountId === 'acc_2') return instance.grantCreditAtOnce(grant);
      return Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    };
    const finish = createFinishClaims({ ...instance, grantCredit: failing });
    for (const id of ['a', 'b', 'c']) await keep(id, 'acc_1');
    await keep('d', 'acc_2');
    await finish(signal);
    await clock.advance(5_000);
    await finish(signal);
    expect(asked).toEqual(['claim:a', 'claim:d']);
    expect(grantedTo('acc_2')).toBe(500n);
    await clock.advance(60_000);
    await finish(signal);
    expect(asked).toEqual(['claim:a', 'claim:d', 'claim:a']);
  });

  it('that fails by itself is quarantined until it works, and the others are finished', async () => {
    let isDamaged = true;
    const damaged: GrantCredit = (grant) =>
      grant.name === 'claim:a' && isDamaged
        ? Promise.reject(new TypeError('no such member'))
        : instance.grantCreditAtOnce(grant);
    const finish = createFinishClaims({ ...instance, grantCredit: damaged });
    await keep('a', 'acc_1');
    await keep('b', 'acc_1');
    await finish(signal);
    expect(grantedTo('acc_1')).toBe(500n);
    const quarantined = { id: 'claim:a', accountId: 'acc_1', reason: 'no such member' };
    expect([...fixture.quarantined.values()]).toMatchObject([quarantined]);
    isDamaged = false;
    await finish(signal);
    expect(await openIds()).toEqual(['a']);
    await clock.advance(60_000);
    await finish(signal);
    expect(grantedTo('acc_1')).toBe(1_000n);
    expect(fixture.quarantined.size).toBe(0);
  });

  it('does not wait for a journal that is full', async () => {
    const ledger = { ...fixture.ledger, insert: () => Promise.reject(new Error('refused')) };
    const bounds = { ...TEST_SETTINGS.bounds, journalMax: 5 };
    const stuck = fixture.createInstance({ ledger, settings: { ...TEST_SETTINGS, bounds } });
    await stuck.grantCreditAtOnce({ accountId: 'acc_1', name: 'first', amount: n(1), note: '' });
    await keep('a', 'acc_1');
    // The clock stands still: whoever waits, waits for ever.
    await stuck.finishClaims(signal);
    expect([grantedTo('acc_1'), await openIds()]).toEqual([1n, ['a']]);
  });

  it('is closed when it is refused', async () => {
    await instance.grantCreditAtOnce({
      accountId: 'acc_1',
      name: 'most',
      amount: nano(NANO_MAX),
      note: '',
    });
    await keep('a', 'acc_1');
    await instance.finishClaims(signal);
    expect(await openIds()).toEqual([]);
  });

  it('is finished by the leader, once, and not while its process may be at it', async () => {
    const [text = ''] = (await codesOf().create(BATCH)).texts;
    const lost: Instance = {
      ...instance,
      creditClaim: async (claim) => {
        await fixture.claims.keep(claim);
        throw new AppError('SERVICE_UNAVAILABLE');
      },
    };
    await expect(codesOf(fixture.claims, lost).redeem('acc_1', text)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const finish = instance.finishClaims;
    await finish(signal);
    expect(grantedTo('acc_1')).toBe(0n);
    await clock.advance(10_000);
    await finish(signal);
    await finish(signal);
    expect(grantedTo('acc_1')).toBe(500n);
    const open = await fixture.claims.listOpen(clock.now(), { after: undefined, limit: 10 });
    expect(open).toEqual([]);
  });
});
