import { isAddressLiteral, isPublicAddress } from './address-rules';

const REFUSED: readonly (readonly [what: string, address: string])[] = [
  ['IPv4 loopback', '127.0.0.1'],
  ['IPv4 loopback elsewhere in its range', '127.255.255.254'],
  ['IPv4 unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private class A', '10.1.2.3'],
  ['private class B, first', '172.16.0.1'],
  ['private class B, last', '172.31.255.255'],
  ['private class C', '192.168.1.1'],
  ['link-local, where cloud metadata lives', '169.254.169.254'],
  ['the host of a virtual machine, which is registered as public', '168.63.129.16'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, last', '100.127.255.255'],
  ['IETF protocol assignments', '192.0.0.8'],
  ['documentation 1', '192.0.2.1'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking, last', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast, last', '239.255.255.255'],
  ['reserved for the future', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['decimal loopback', '2130706433'],
  ['octal loopback', '0177.0.0.1'],
  ['hex loopback', '0x7f000001'],
  ['short loopback', '127.1'],
  ['IPv6 loopback', '::1'],
  ['IPv6 loopback in brackets', '[::1]'],
  ['IPv6 unspecified', '::'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with a zone', 'fe80::1%eth0'],
  ['IPv6 unique-local', 'fd00::1'],
  ['IPv6 site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['IPv6 documentation, newer', '3fff::1'],
  ['IPv6 discard', '100::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped loopback in hex', '::ffff:7f00:1'],
  ['IPv4-mapped public address', '::ffff:8.8.8.8'],
  ['IPv4-compatible loopback', '::127.0.0.1'],
  ['IPv4-translated', '::ffff:0:7f00:1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of a public address', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['Teredo', '2001::1'],
  ['segment routing', '5f00::1'],
  ['space that nobody holds', '4000::1'],
  ['no address', 'example.com'],
  ['empty text', ''],
];

describe('which addresses the product may connect to', () => {
  it.each(REFUSED)('is not public: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '2606:4700:4700::1111',
    '[2a00:1450:4001:80b::200e]',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('tells literals from names', () => {
    expect(['1.2.3.4', '::1', '[::1]', '0x7f.1'].map(isAddressLiteral)).not.toContain(false);
    expect(['example.com', 'localhost', 'a.b'].map(isAddressLiteral)).not.toContain(true);
  });
});
