import type { LedgerEntry } from '../../api/schemas';
import { filterRequests, type RequestFilter } from './filter';

function entry(more: Partial<LedgerEntry>): LedgerEntry {
  return {
    seq: 1,
    kind: 'charge',
    amount: '0.01',
    request_id: 'req_1',
    key_id: 'key_1',
    model: 'small',
    prompt_tokens: 1,
    completion_tokens: 1,
    source: 'exact',
    reason: 'stop',
    note: null,
    created_at: '2026-11-22T00:00:00Z',
    ...more,
  };
}

const ALL: RequestFilter = { model: undefined, keyId: undefined, outcome: 'all', id: undefined };
const LEDGER = [
  entry({ seq: 5, request_id: null, kind: 'credit' }),
  entry({ seq: 4, request_id: 'req_4', model: 'large' }),
  entry({ seq: 3, request_id: 'req_3', key_id: 'key_2', reason: 'length' }),
  entry({ seq: 2, request_id: 'req_2', reason: 'vendor_error' }),
  entry({ seq: 1 }),
];
const seqs = (filter: Partial<RequestFilter>) =>
  filterRequests(LEDGER, { ...ALL, ...filter }).map(({ seq }) => seq);

test('credits are no requests', () => {
  expect(seqs({})).toEqual([4, 3, 2, 1]);
});

test('each filter narrows, and they narrow together', () => {
  expect(seqs({ model: 'small' })).toEqual([3, 2, 1]);
  expect(seqs({ keyId: 'key_2' })).toEqual([3]);
  expect(seqs({ id: '_4' })).toEqual([4]);
  expect(seqs({ model: 'large', keyId: 'key_2' })).toEqual([]);
});

test('an answer that was cut is neither answered nor failed', () => {
  expect(seqs({ outcome: 'answered' })).toEqual([4, 1]);
  expect(seqs({ outcome: 'cut' })).toEqual([3]);
  expect(seqs({ outcome: 'failed' })).toEqual([2]);
});
