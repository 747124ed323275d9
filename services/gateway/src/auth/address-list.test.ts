import { createAddressCheck, parseAddressEntry } from './address-list';

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['192.0.2.7', ['192.0.2.7'], true],
  ['192.0.2.8', ['192.0.2.7'], false],
  ['2001:db8::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['2001:db8::5', ['10.0.0.0/8'], false],
  ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
  ['11.1.2.3', ['::ffff:10.0.0.0/104'], false],
  ['10.1.2.3', ['::ffff:10.1.2.3'], true],
  ['10.1.2.4', ['::ffff:10.1.2.3/128'], false],
  ['', ['0.0.0.0/0', '::/0'], false],
  ['not an address', ['0.0.0.0/0', '::/0'], false],
])('%s within %j: %s', (address, entries, allowed) => {
  expect(createAddressCheck(entries)(address)).toBe(allowed);
});

test('an entry of the settings is an address or a block', () => {
  expect(parseAddressEntry('10.0.0.0/8')).toBe('10.0.0.0/8');
  expect(parseAddressEntry('ten')).toBeUndefined();
});

test('an entry that cannot be read admits nobody, and the others still count', () => {
  const allows = createAddressCheck(['ten', '10.0.0.0/104', '192.0.2.0/24']);
  expect(allows('192.0.2.7')).toBe(true);
  expect(allows('10.0.0.1')).toBe(false);
});
