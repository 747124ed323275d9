import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../auth/address-list';

/** Says which peers are proxies of ours. */
export type ProxyCheck = (address: string) => boolean;

const HOPS_MAX = 32;

/**
 * The address of the caller. `X-Forwarded-For` counts only as far as trusted proxies wrote it: it
 * is read from the right, and the first address that is no trusted proxy is the caller. An IPv4
 * caller is one whether the socket maps it into IPv6 or not.
 */
export function remoteAddressOf(request: IncomingMessage, isTrustedProxy: ProxyCheck): string {
  const peer = request.socket.remoteAddress ?? '';
  if (!isTrustedProxy(peer)) return plainAddress(peer);
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const hops = text.split(',').slice(-HOPS_MAX).reverse();
  let nearest = peer;
  for (const hop of hops) {
    const address = hop.trim();
    if (address === '') break;
    nearest = address;
    if (!isTrustedProxy(address)) break;
  }
  return plainAddress(nearest);
}
