import type { AdjustmentEntry } from '../domain/ledger-entry';
import { NOON, n } from '../testing/fixtures';
import { fromEntryDocument, toEntryDocument } from './ledger-document';

it('stores an adjustment in a form that the version before reads and keeps as a credit', () => {
  const adjustment: AdjustmentEntry = {
    kind: 'adjustment',
    ...{ accountId: 'acc_1', seq: 2, amount: n(-5), at: NOON },
    ...{ adjustmentId: 'acc_1:adjustment:one', reason: 'credited twice' },
  };
  const document = toEntryDocument(adjustment);
  expect(document).toEqual({
    ...{ kind: 'credit', account_id: 'acc_1', seq: 2, amount: -5n, at: NOON },
    ...{ credit_id: 'acc_1:adjustment:one', note: 'credited twice' },
  });
  expect(fromEntryDocument(document)).toEqual(adjustment);
});
