import { networkOf } from './request-throttle';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:0:1', '2001:db8:0:1::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s, however it is written', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
