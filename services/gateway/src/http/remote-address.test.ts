import { remoteAddressOf } from './remote-address';

function requestFrom(remoteAddress: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers };
}

const isProxy = (address: string) => address.endsWith('10.0.0.1');

test('an IPv4 client is itself on a socket that takes both families', () => {
  expect(remoteAddressOf(requestFrom('::ffff:192.0.2.7'), isProxy)).toBe('192.0.2.7');
  expect(remoteAddressOf(requestFrom('::ffff:192.0.2.8'), isProxy)).toBe('192.0.2.8');
  expect(remoteAddressOf(requestFrom('2001:db8::1'), isProxy)).toBe('2001:db8::1');
});

test('behind a trusted proxy the client is whom the proxy names, in the same form', () => {
  const request = requestFrom('::ffff:10.0.0.1', '203.0.113.9, ::ffff:192.0.2.7');
  expect(remoteAddressOf(request, isProxy)).toBe('192.0.2.7');
});

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
])('the address alone counts of what a proxy writes with the port: %s', (written, address) => {
  expect(remoteAddressOf(requestFrom('10.0.0.1', written), isProxy)).toBe(address);
});

test('a trusted proxy is known although it is written with its port', () => {
  const request = requestFrom('10.0.0.1', '203.0.113.7:51234, 10.0.0.1:8080');
  expect(remoteAddressOf(request, isProxy)).toBe('203.0.113.7');
});
