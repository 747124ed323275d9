import { AppError } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { entriesOf } from '../domain/journal';
import {
  type BillingFixture,
  createBillingFixture,
  credit,
  type Instance,
  useAccount,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, usageRecord } from '../testing/fixtures';

let fixture: BillingFixture;
let billing: Instance;

beforeEach(() => {
  fixture = createBillingFixture(createFakeClock());
  billing = fixture.createInstance();
});

describe('the ledger', () => {
  it('lists newest first across what is in the ledger and what still waits', async () => {
    await useAccount(billing, fixture);
    const { entries, lastSeq } = await billing.listLedger(ACCOUNT_ID, { beforeSeq: undefined }, 10);
    expect(entries.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(lastSeq).toBe(6);
    const page = await billing.listLedger(ACCOUNT_ID, { beforeSeq: 5 }, 3);
    expect(page.entries.map(({ seq }) => seq)).toEqual([4, 3, 2]);
  });

  it('fills gaps upwards without a hole', async () => {
    await useAccount(billing, fixture);
    const seqsAfter = async (afterSeq: number, limit: number) => {
      const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq }, limit);
      return entries.map(({ seq }) => seq);
    };
    expect(await seqsAfter(0, 100)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await seqsAfter(1, 3)).toEqual([2, 3, 4]);
    expect(await seqsAfter(4, 100)).toEqual([5, 6]);
    expect(await seqsAfter(6, 100)).toEqual([]);
  });

  it('goes on upwards over an entry that waits although later ones are stored', async () => {
    await useAccount(billing, fixture);
    const newest = entriesOf(fixture.account().journal).at(-1);
    if (newest === undefined) throw new Error('nothing waits');
    await fixture.ledger.insert([newest]);
    const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq: 2 }, 3);
    expect(entries.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  });

  it('stops upwards before a gap of what is posted meanwhile', async () => {
    await useAccount(billing, fixture);
    const [first] = entriesOf(fixture.account().journal);
    if (first === undefined) throw new Error('nothing waits');
    await fixture.ledger.insert([7, 9].map((seq) => ({ ...first, seq })));
    const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq: 4 }, 10);
    expect(entries.map(({ seq }) => seq)).toEqual([5, 6, 7]);
  });

  it('has no entries for an account that was never used', async () => {
    const page = await billing.listLedger('acc_new', { beforeSeq: undefined }, 10);
    expect(page).toEqual({ entries: [], lastSeq: 0 });
  });
});

describe('a receipt', () => {
  it('is found at once and after its journal is stored', async () => {
    await useAccount(billing, fixture);
    const waiting = usageRecord({ number: 5 });
    const stored = usageRecord();
    for (const { requestId } of [waiting, stored]) {
      const receipt = await billing.getReceipt(ACCOUNT_ID, requestId);
      expect(receipt).toMatchObject({ amount: 10n, record: { requestId } });
    }
  });

  it("does not exist for another account's request", async () => {
    await useAccount(billing, fixture);
    await credit(billing, 1_000, 'acc_other');
    const { requestId } = usageRecord();
    for (const accountId of ['acc_other', 'acc_new']) {
      const asked = billing.getReceipt(accountId, requestId);
      await expect(asked).rejects.toEqual(new AppError('NOT_FOUND'));
    }
  });
});
