import { emptyAccount } from '../domain/account';
import type { Notice } from '../domain/journal';
import { NOON, n } from '../testing/fixtures';
import { fromAccountDocument, toAccountDocument } from './account-document';

it.each<[Notice, object]>([
  [
    { type: 'balance.low', available: n(1), threshold: n(2), days: 3 },
    { type: 'balance.low', available: 1n, threshold: 2n, days: 3 },
  ],
  [
    { type: 'balance.low', available: n(1), threshold: n(2), days: undefined },
    { type: 'balance.low', available: 1n, threshold: 2n },
  ],
  [
    { type: 'balance.exhausted', available: n(0) },
    { type: 'balance.exhausted', available: 0n },
  ],
  [
    { type: 'spending.suspended', available: n(1), threshold: n(2) },
    { type: 'spending.suspended', available: 1n, threshold: 2n },
  ],
  [
    { type: 'spending.resumed', available: n(3), threshold: n(2) },
    { type: 'spending.resumed', available: 3n, threshold: 2n },
  ],
  [
    { type: 'credits.added', creditId: 'crd_1', amount: n(2), available: n(3) },
    { type: 'credits.added', credit_id: 'crd_1', amount: 2n, available: 3n },
  ],
  [
    { type: 'key.budget_exceeded', keyId: 'key_1', limit: n(5), period: 'day' },
    { type: 'key.budget_exceeded', key_id: 'key_1', limit: 5n, period: 'day' },
  ],
])('a notice %o is stored as %o and read back', (notice, stored) => {
  const item = { kind: 'notice', no: 1, noticeSeq: 3, atMs: NOON, notice } as const;
  const document = toAccountDocument({ ...emptyAccount('acc_1'), journal: [item] });
  expect(document.journal).toStrictEqual([{ no: 1, notice_seq: 3, at: NOON, notice: stored }]);
  expect(fromAccountDocument(document).journal).toEqual([item]);
});
