import { placeOfPart } from './usage-place';

test('a row of the usage leads to its requests, where a list can be narrowed to them', () => {
  expect(placeOfPart('model', 'a b')).toBe('/requests?model=a%20b');
  expect(placeOfPart('key', 'key_1')).toBe('/requests?key=key_1');
  expect(placeOfPart('status', 'failed')).toBe('/requests?status=failed');
  expect(placeOfPart('user', 'usr_1')).toBeUndefined();
  expect(placeOfPart('model', '')).toBeUndefined();
});
