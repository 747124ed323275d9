import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { ReceivedRecord } from '../domain/usage-record';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  credit,
  type Instance,
  TEST_SETTINGS,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, closeRecord, n, usageRecord } from '../testing/fixtures';
import { withSettlementReports } from './settlement-reports';

const OTHER = 'acc_01J00000000000000000000002';

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Instance;

beforeEach(async () => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  billing = fixture.createInstance();
  await credit(billing, 10_000);
});

async function lease(nonce: string, accountId = ACCOUNT_ID) {
  const command = acquireCommand({ nonce, amount: n(500), minimum: n(500) });
  return billing.acquireLease(accountId, command, 1_000);
}

/** Every record of two leases that were used up and closed. */
function spoolOf(leases: readonly number[], perLease: number): readonly ReceivedRecord[] {
  return leases.flatMap((number) => [
    ...Array.from({ length: perLease }, (_, index) =>
      usageRecord({ lease: number, number: index + 1 }),
    ),
    closeRecord({ lease: number, number: perLease + 1 }),
  ]);
}

describe('settling usage', () => {
  it('takes one write for each account of a batch', async () => {
    await credit(billing, 10_000, OTHER);
    await lease('a');
    await lease('b', OTHER);
    const { store, counts } = countCalls(fixture.store);
    const counting = fixture.createInstance({ store });
    const records = [1, 2, 3].flatMap((number) => [
      usageRecord({ number }),
      usageRecord({ number, accountId: OTHER }),
    ]);
    const { outcomes } = await counting.settleUsage(records);
    expect(outcomes).toHaveLength(6);
    expect(Object.fromEntries(counts)).toEqual({ find: 2, replace: 2 });
    expect(fixture.account().posted).toBe(30n);
    expect(fixture.account(OTHER).posted).toBe(30n);
  });

  it('charges each request once, whatever is repeated, reordered or split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (picks, batchSize) => {
          fixture = createBillingFixture(clock);
          billing = fixture.createInstance();
          await credit(billing, 10_000);
          await lease('a');
          await lease('b');
          const spool = spoolOf([1, 2], 6);
          const shuffled = picks.map((pick) => spool[pick % spool.length] ?? closeRecord());
          // At last the spool sends in order what is not settled, as it does until all of it is.
          const sent = [...shuffled, ...spool, ...spool];
          const instances = [billing, fixture.createInstance()];
          for (let start = 0; start < sent.length; start += batchSize) {
            const instance = instances[start % 2] ?? billing;
            await instance.settleUsage(sent.slice(start, start + batchSize));
          }
          expect(fixture.account()).toMatchObject({
            posted: 120n,
            available: 9_880n,
            ledgerSeq: 13,
          });
          expect(fixture.account().leases.size).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('charges each request once when several instances settle it at the same time', async () => {
    await lease('a');
    const spool = spoolOf([1], 20);
    const instances = Array.from({ length: 5 }, () => fixture.createInstance());
    const settling = Promise.all(instances.map((instance) => instance.settleUsage(spool)));
    await clock.advance(5_000);
    await settling;
    expect(fixture.account()).toMatchObject({ posted: 200n, ledgerSeq: 21 });
  });

  it('settles the other accounts of a batch when one of them cannot be written', async () => {
    await credit(billing, 10_000, OTHER);
    await lease('a');
    await lease('b', OTHER);
    const failing = fixture.createInstance({
      store: {
        ...fixture.store,
        replace: (account, rev) =>
          account.id === OTHER
            ? Promise.reject(new Error('the store is away'))
            : fixture.store.replace(account, rev),
      },
    });
    const batch = [usageRecord(), usageRecord({ accountId: OTHER })];
    const { failures } = await failing.settleUsage(batch);
    expect([...failures]).toMatchObject([[OTHER, { error: { message: 'the store is away' } }]]);
    expect(fixture.account().posted).toBe(10n);
    await failing.settleUsage([usageRecord()]);
    expect(fixture.account().posted).toBe(10n);
  });

  it('charges once when the answer to the write was lost', async () => {
    await lease('a');
    let lose = true;
    const losing = fixture.createInstance({
      store: {
        ...fixture.store,
        async replace(account, rev) {
          const done = await fixture.store.replace(account, rev);
          if (!lose) return done;
          lose = false;
          throw new Error('the answer was lost');
        },
      },
    });
    const { failures } = await losing.settleUsage([usageRecord()]);
    expect([...failures.keys()]).toEqual([ACCOUNT_ID]);
    await losing.settleUsage([usageRecord(), usageRecord({ number: 2 })]);
    expect(fixture.account()).toMatchObject({ posted: 20n, ledgerSeq: 3 });
  });

  it('gives up on an account that others keep writing, without having charged it', async () => {
    await lease('a');
    const contended = fixture.createInstance({
      store: { ...fixture.store, replace: () => Promise.resolve(false) },
    });
    const settling = contended.settleUsage([usageRecord()]);
    const refused = expect(settling).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await clock.advance(10_000);
    await refused;
    expect(fixture.account().posted).toBe(0n);
  });
});

describe('a full journal', () => {
  const bounds = { ...TEST_SETTINGS.bounds, journalMax: 10 };
  const settings = { ...TEST_SETTINGS, bounds };

  it('makes room by itself, and settling goes on where it stopped', async () => {
    await lease('a');
    const small = fixture.createInstance({ settings });
    const settling = small.settleUsage(spoolOf([1], 30));
    await clock.advance(10_000);
    expect((await settling).failures.size).toBe(0);
    expect(fixture.account()).toMatchObject({ posted: 300n });
  });

  it('is reported when nothing makes room, with nothing lost', async () => {
    await lease('a');
    const insert = () => Promise.reject(new Error('refused'));
    const small = fixture.createInstance({ settings, ledger: { ...fixture.ledger, insert } });
    const settling = small.settleUsage(spoolOf([1], 30));
    await clock.advance(10_000);
    const { failures } = await settling;
    expect([...failures]).toMatchObject([[ACCOUNT_ID, { kind: 'journalFull' }]]);
    await fixture.createInstance().settleUsage(spoolOf([1], 30));
    expect(fixture.account()).toMatchObject({ posted: 300n });
  });
});

describe('an account that fails by itself', () => {
  it('keeps no other account of its batch from being settled', async () => {
    await credit(billing, 1_000);
    await credit(billing, 1_000, 'acc_2');
    for (const accountId of [ACCOUNT_ID, 'acc_2']) {
      await billing.acquireLease(accountId, acquireCommand(), 1_000);
    }
    const read: typeof fixture.store.find = (accountId) =>
      accountId === ACCOUNT_ID
        ? Promise.reject(new TypeError('no such member'))
        : fixture.store.find(accountId);
    const other = fixture.createInstance({ store: { ...fixture.store, find: read } });
    const records = [usageRecord(), usageRecord({ accountId: 'acc_2' })];
    const { accounts, failures } = await other.settleUsage(records);
    expect([...accounts.keys()]).toEqual(['acc_2']);
    expect([...failures.keys()]).toEqual([ACCOUNT_ID]);
    expect([...fixture.quarantined.values()]).toMatchObject([
      { id: `settle:${ACCOUNT_ID}`, accountId: ACCOUNT_ID, reason: 'no such member' },
    ]);
    // What another replica has counted, and then done, is in quarantine no more.
    await billing.quarantine.count();
    await billing.settleUsage(records);
    expect([...fixture.quarantined.keys()]).toEqual([]);
  });
});

describe('a store that answers with an error', () => {
  it('is no account’s fault: nothing is quarantined, and the batch comes again', async () => {
    await credit(billing, 1_000);
    await billing.acquireLease(ACCOUNT_ID, acquireCommand(), 1_000);
    const read = () => Promise.reject(new AppError('DATABASE_ERROR'));
    const other = fixture.createInstance({ store: { ...fixture.store, find: read } });
    await expect(other.settleUsage([usageRecord()])).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
    });
    expect([...fixture.quarantined.keys()]).toEqual([]);
  });
});

describe('the watermark', () => {
  it('says for each lease what its spool may forget', async () => {
    await lease('a');
    await lease('b');
    const records = [
      usageRecord(),
      usageRecord({ lease: 2 }),
      closeRecord({ lease: 2, number: 2 }),
    ];
    await billing.settleUsage(records);
    const asked = [1, 2, 3].map((number) => ({ accountId: ACCOUNT_ID, lease: number }));
    const missing = { accountId: 'acc_missing', lease: 1 };
    expect(await billing.readWatermarks([...asked, missing])).toEqual([
      { accountId: ACCOUNT_ID, lease: 1, nextNumber: 2, complete: false },
      { accountId: ACCOUNT_ID, lease: 2, nextNumber: 1, complete: true },
      { accountId: ACCOUNT_ID, lease: 3, nextNumber: 1, complete: false, neverGranted: true },
      { accountId: 'acc_missing', lease: 1, nextNumber: 1, complete: false, neverGranted: true },
    ]);
    expect(await billing.readWatermarks([])).toEqual([]);
  });

  it('is not said of a damaged account, and the others are answered', async () => {
    await lease('a');
    const damaged = {
      id: 'acc_damaged',
      read: () => {
        throw new TypeError('no such member');
      },
    };
    let isDamaged = true;
    const readSettlements: typeof fixture.store.findWatermarks = async (ids) => [
      ...(isDamaged ? [damaged] : []),
      ...(await fixture.store.findWatermarks(ids)),
    ];
    const other = fixture.createInstance({
      store: { ...fixture.store, findWatermarks: readSettlements },
    });
    const asked = ['acc_damaged', ACCOUNT_ID].map((accountId) => ({ accountId, lease: 1 }));
    for (const _poll of [1, 2]) {
      expect((await other.readWatermarks(asked)).map(({ accountId }) => accountId)).toEqual([
        ACCOUNT_ID,
      ]);
    }
    expect([...fixture.quarantined.keys()]).toEqual(['settlements:acc_damaged']);
    isDamaged = false;
    expect(await other.readWatermarks(asked)).toHaveLength(2);
  });
});

function createReports(report: () => Promise<void>) {
  const letters = jest.fn(report);
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const logger = {
    ...silentLogger,
    error: (fields: unknown) => errors.push(fields),
    warn: (fields: unknown) => warnings.push(fields),
  };
  const deadLetters = { report: letters };
  const settle = withSettlementReports(billing.settleUsage, { logger, deadLetters });
  return { settle, letters, errors, warnings };
}

it('the error line of a record that makes no sense has the record as it came', async () => {
  const { settle, errors } = createReports(async () => {});
  await lease('a');
  await settle([usageRecord({ cachedTokens: 99 })]);
  expect(errors).toEqual([
    expect.objectContaining({
      record: expect.objectContaining({ cached_tokens: 99 }) as object,
    }),
  ]);
});

it('an amount that billing computes otherwise is warned of, work beyond a reservation is not', async () => {
  const { settle, warnings } = createReports(async () => {});
  await lease('a');
  await settle([usageRecord({ reserved: n(6), amount: n(6) })]);
  expect(warnings).toEqual([]);
  await settle([usageRecord({ number: 2, amount: n(9) })]);
  expect(warnings).toMatchObject([{ number: 2 }]);
});

it('the error line is written too when what follows the record fails', async () => {
  await lease('a');
  let writes = 0;
  const replace: typeof fixture.store.replace = (account, rev) => {
    writes += 1;
    return writes === 1
      ? fixture.store.replace(account, rev)
      : Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  };
  const settings = { ...TEST_SETTINGS, bounds: { ...TEST_SETTINGS.bounds, journalMax: 10 } };
  billing = fixture.createInstance({ settings, store: { ...fixture.store, replace } });
  const { settle, errors } = createReports(async () => {});
  const others = [2, 3, 4, 5, 6, 7, 8].map((number) => usageRecord({ number }));
  const settling = settle([usageRecord({ cachedTokens: 99 }), ...others]);
  await clock.advance(10_000);
  const { outcomes, failures } = await settling;
  expect(outcomes.length).toBeLessThan(8);
  expect([...failures.keys()]).toEqual([ACCOUNT_ID]);
  expect(errors).toEqual([
    expect.objectContaining({
      record: expect.objectContaining({ cached_tokens: 99 }) as object,
    }),
  ]);
});

describe('a record of a lease that its spool never had', () => {
  const foreign = [usageRecord({ lease: 7, number: 1 }), usageRecord({ lease: 7, number: 2 })];

  it('is told once, however often its spool sends it again', async () => {
    const { settle, letters, errors } = createReports(async () => {});
    for (let time = 1; time <= 3; time += 1) await settle(foreign);
    expect(errors).toHaveLength(2);
    expect(letters.mock.calls).toEqual([[foreign]]);
    await settle([...foreign, usageRecord({ lease: 7, number: 3 })]);
    expect(errors).toHaveLength(3);
  });

  it('is told again when its dead letter could not be published', async () => {
    const { settle, letters } = createReports(() => Promise.reject(new Error('the bus is away')));
    await settle(foreign);
    await settle(foreign);
    expect(letters).toHaveBeenCalledTimes(2);
  });
});
