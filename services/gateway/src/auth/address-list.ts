import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { AddressCheck } from './principal';

/**
 * Addresses and CIDR blocks as one check. An entry that is neither admits nobody: the list of a key
 * must not fail a request.
 */
export function createAddressCheck(entries: readonly string[]): AddressCheck {
  const list = new BlockList();
  for (const entry of entries) {
    try {
      addEntry(list, entry);
    } catch {
      // An entry that is left out of an allow list can only make it allow less.
    }
  }
  return (address) => contains(list, address);
}

/** The entry when it is an address or a CIDR block; else undefined. */
export function parseAddressEntry(entry: string): string | undefined {
  try {
    addEntry(new BlockList(), entry);
    return entry;
  } catch {
    return undefined;
  }
}

/** A block of IPv4 mapped into IPv6 counts its bits as IPv6, and BlockList matches IPv4 with it. */
function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = familyOf(address);
  const isRead = family !== undefined && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '0');
  if (!isRead) throw new RangeError(`not an address or CIDR block: ${entry}`);
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

function contains(list: BlockList, candidate: string): boolean {
  const address = plainAddress(candidate);
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
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
