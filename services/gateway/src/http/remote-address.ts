import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../auth/address-list';

/** Says which addresses are proxies of ours. */
type ProxyCheck = (address: string) => boolean;

const HOPS_MAX = 32;

/**
 * The address of the client. `X-Forwarded-For` counts only as far as trusted proxies wrote it: it
 * is read from the right, and the first address that is no trusted proxy is the client. An IPv4
 * client is one whether the socket maps it into IPv6 or not.
 */
export function remoteAddressOf(
  request: Pick<IncomingMessage, 'headers'> & {
    readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  },
  isTrustedProxy: ProxyCheck,
): string {
  const sender = request.socket.remoteAddress ?? '';
  if (!isTrustedProxy(sender)) return plainAddress(sender);
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const hops = text.split(',').slice(-HOPS_MAX).reverse();
  let nearest = sender;
  for (const hop of hops) {
    const address = withoutPort(hop.trim());
    if (address === '') break;
    nearest = address;
    if (!isTrustedProxy(address)) break;
  }
  return plainAddress(nearest);
}

/** Some proxies write the client's port too, an IPv6 address before it in brackets. */
function withoutPort(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return inBrackets ?? beforePort ?? hop;
}
