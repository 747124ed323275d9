import { fromProtoOptionalTime, fromProtoTime, toProtoTime } from './wire-names';

test('a time comes back as it was sent, and an absent one is empty text', () => {
  expect(fromProtoTime(toProtoTime(0), 'start')).toBe(0);
  expect(toProtoTime(undefined)).toBe('');
  expect(fromProtoOptionalTime('', 'start')).toBeUndefined();
});

test.each([
  ['', fromProtoTime],
  ['soon', fromProtoOptionalTime],
])('%j is no time that there has to be, and is refused by its parameter', (text, read) => {
  expect(() => read(text, 'start')).toThrow('start must be a time in ISO-8601.');
});
