import { BlockList, isIP } from 'node:net';

/** IPv4 written as IPv6, as a socket for both shows it. */
const MAPPED_IPV4 = new BlockList();
MAPPED_IPV4.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * A CIDR block, or a single address made into one; undefined for anything else. IPv4 has one
 * spelling: mapped into IPv6 it would compare as another block than the same one in IPv4.
 */
export function parseCidr(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  if (version === 6 && MAPPED_IPV4.check(address, 'ipv6')) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefix === undefined) return `${address}/${bits}`;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  return `${address}/${prefix}`;
}

/** Whether every address of the second block is in the first; both as `parseCidr` answers them. */
export function coversCidr(whole: string, part: string): boolean {
  const [network = '', bits] = whole.split('/');
  const [address = '', partBits] = part.split('/');
  const version = isIP(network);
  if (version !== isIP(address) || Number(partBits) < Number(bits)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(address, family);
}
