import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';

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
