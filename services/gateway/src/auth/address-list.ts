import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Addresses and CIDR blocks as one check; entries that are neither throw RangeError. */
export function createAddressCheck(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [text = '', bits] = entry.split('/');
    const address = plainAddress(text);
    const family = familyOf(address);
    if (family === undefined) throw new RangeError(`not an address or CIDR block: ${entry}`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (candidate) => {
    const address = plainAddress(candidate);
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

/** Undoes the mapping of IPv4 into IPv6 that dual-stack sockets show. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : undefined;
}
