import ipaddr from 'ipaddr.js';

/** The only IPv6 space that is handed out for the public internet. */
const IPV6_GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Belongs to the machine's own network although it is registered as public: Azure's host. */
const HOST_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * What browsers call bad ports (https://fetch.spec.whatwg.org/#port-blocking): mail servers and others
 * read the lines of an HTTP request as commands of their own.
 */
const FOREIGN_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** True for ports on which another protocol than HTTP is spoken. */
export function isForeignPort(port: number): boolean {
  return FOREIGN_PORTS.has(port);
}

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
