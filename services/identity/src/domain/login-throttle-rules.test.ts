import { pairRule } from './login-throttle-rules';

test('addresses of one IPv6 network count as one address', () => {
  const rule = (address: string) => pairRule('ada@example.com', address).key;
  expect(rule('2001:db8:1:2::1')).toBe(rule('2001:0db8:0001:0002:ffff::9'));
  expect(rule('2001:db8:1:3::1')).not.toBe(rule('2001:db8:1:2::1'));
  expect(rule('::1')).toBe(rule('0:0:0:0:0:0:0:1'));
  expect(rule('10.0.0.1')).not.toBe(rule('10.0.0.2'));
});
