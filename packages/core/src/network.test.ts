import { networkOf } from './network';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0db8:0001:0002:ffff::9', '2001:db8:1:2'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8::1:0:0:0:1', '2001:db8:0:1'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
])('%s belongs to the network %s, however it is written', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
