import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';

/** In place of an address: the one that the gateway binds, for a machine of its own. */
export const BOUND = 'bound';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * `https://host` under which people reach the gateway, for addresses that are told to others. What
 * a caller says of it (`Host`, `X-Forwarded-Host`) is never believed: who could choose it could
 * have a login code sent to a place of their own. Throws when it is not configured.
 */
export function publicOriginOf(
  request: IncomingMessage,
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
  const asked = isLoopback ? new URL(named) : bound;
  const same = LOOPBACK_NAMES.has(asked.hostname) && asked.port === bound.port;
  return same ? asked.origin : bound.origin;
}
