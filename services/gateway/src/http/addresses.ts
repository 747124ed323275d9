import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';
import { plainAddress } from '../auth/address-list';

/** The setting for a gateway on a machine of its own: people reach it at the address it binds. */
const BOUND = 'bound';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * `https://host` under which people reach the gateway, for links that are sent out. What a client
 * claims (`Host`, `X-Forwarded-Host`) is not believed: whoever could choose it could have a login
 * code sent to a server of their own. Throws when it is not configured.
 */
export function publicOriginOf(
  request: Pick<IncomingMessage, 'headers'>,
  configured: string | undefined,
  boundUrl: () => string,
): string {
  if (configured === undefined) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      publicMessage: 'Signing in with a provider needs TOLLGATE_PUBLIC_URL, which is not set here.',
      retryable: false,
    });
  }
  if (configured !== BOUND) return new URL(configured).origin;
  const bound = new URL(boundUrl());
  const named = `http://${request.headers.host ?? ''}`;
  // Cookies belong to a name: whoever came by another name of the loopback goes back by it.
  const isLoopback = LOOPBACK_NAMES.has(bound.hostname) && URL.canParse(named);
  const called = isLoopback ? new URL(named) : bound;
  const same = LOOPBACK_NAMES.has(called.hostname) && called.port === bound.port;
  return same ? called.origin : bound.origin;
}

/** Says which addresses are proxies of ours. */
export type ProxyCheck = (address: string) => boolean;

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
    const address = hop.trim();
    if (address === '') break;
    nearest = address;
    if (!isTrustedProxy(address)) break;
  }
  return plainAddress(nearest);
}
