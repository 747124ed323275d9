import { fitsRefused, readFilter, reasonsOf } from './request-filter';

const NOW = Date.parse('2026-11-22T10:00:42.000Z');
const read = (search: string) => {
  const found = new URLSearchParams(search);
  return readFilter((name) => found.get(name) ?? undefined, NOW);
};

test('an address narrows the list by what the API can narrow it by', () => {
  expect(read('status=failed&model=small&key=key_1&open=req_1')).toEqual({
    status: 'failed',
    model: 'small',
    key_id: 'key_1',
  });
  expect(read('account=acc_1&channel=ch_1')).toEqual({ account_id: 'acc_1', channel_id: 'ch_1' });
});

test('the same minute makes the same query', () => {
  expect(read('since=24h')).toEqual({ start: '2026-11-21T10:00:00.000Z' });
});

test('an alert leads to what failed since its own time', () => {
  const start = '2026-11-22T09:13:42.000Z';
  expect(read(`since=${encodeURIComponent(start)}`)).toEqual({ start });
  expect(read('since=2026-99-99T00:00')).toEqual({});
});

test('what somebody made up narrows nothing', () => {
  expect(read('status=lost&since=9y')).toEqual({});
});

test('refused requests are narrowed by their reason and their key', () => {
  const one = { error_code: 'NOT_FOUND', key_id: 'key_1' };
  const none = { reason: undefined, key: undefined };
  expect(fitsRefused(one, none)).toBe(true);
  expect(fitsRefused(one, { reason: 'NOT_FOUND', key: 'key_1' })).toBe(true);
  expect(fitsRefused(one, { ...none, reason: 'FORBIDDEN' })).toBe(false);
  expect(fitsRefused(one, { ...none, key: 'key_2' })).toBe(false);
});

test('a reason that was chosen stays among those to choose from', () => {
  const refused = [{ error_code: 'NOT_FOUND' }, { error_code: 'FORBIDDEN' }];
  expect(reasonsOf([...refused, ...refused], undefined)).toEqual(['FORBIDDEN', 'NOT_FOUND']);
  expect(reasonsOf([], 'NOT_FOUND')).toEqual(['NOT_FOUND']);
});
