import ipaddr from 'ipaddr.js';

/** The only IPv6 space that is handed out for the public internet. */
const IPV6_GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Belongs to the machine's own network although it is registered as public: Azure's host. */
const HOST_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** True for text that is an IPv4 or IPv6 address in any spelling that a resolver would accept. */
export function isAddressLiteral(text: string): boolean {
  return ipaddr.isValid(withoutBrackets(text));
}

/** `[::1]` is how a URL spells it, `::1` how sockets and resolvers do. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/**
 * True only for an address on the public internet. This is an allow-list: whatever is not plain
 * unicast is refused, and so are the IPv6 forms that carry an IPv4 address inside (mapped, NAT64,
 * 6to4, Teredo, IPv4-compatible), because they lead to the address within by a second way.
 */
export function isPublicAddress(text: string): boolean {
  const literal = withoutBrackets(text);
  if (!ipaddr.isValid(literal)) return false;
  const address = ipaddr.parse(literal);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !HOST_SERVICES.has(address.toString());
  return address.match(IPV6_GLOBAL_UNICAST);
}
