import { oneOf, withChanges } from './search';

test('changes leave the rest of the address as it is, and take out what is emptied', () => {
  const search = new URLSearchParams('model=small&open=req_1');
  expect(withChanges(search, { open: undefined, outcome: 'failed' }).toString()).toBe(
    'model=small&outcome=failed',
  );
  expect(withChanges(search, { model: '' }).toString()).toBe('open=req_1');
  expect(search.toString()).toBe('model=small&open=req_1');
});

test('an address that somebody made up means what no address means', () => {
  expect(oneOf('24h', ['24h', '7d'], '7d')).toBe('24h');
  expect(oneOf('9y', ['24h', '7d'], '7d')).toBe('7d');
  expect(oneOf(undefined, ['24h', '7d'], '7d')).toBe('7d');
});
