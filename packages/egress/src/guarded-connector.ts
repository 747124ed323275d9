import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressGuard, portOf } from './address-guard';
import { isAddressLiteral } from './address-rules';

/** Opens one socket; the shape that undici's pools call. */
export type Connector = buildConnector.connector;

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  readonly origin: URL;
  readonly connectTimeoutMs: number;
}

/**
 * A connector that checks three times: a literal before dialling (no look-up happens for it), every
 * address that the look-up of this very connection returns, and the address that was really
 * reached. A name that answers differently at its second look-up therefore gains nothing.
 */
export function createGuardedConnector(
  options: GuardedConnectorOptions,
  dial: Connector = createDialler(options),
): Connector {
  const { guard } = options;
  const port = portOf(options.origin);
  return (target, callback) => {
    if (isAddressLiteral(target.hostname))
      guard.checkAddress(target.hostname, port, target.hostname);
    dial(target, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      try {
        guard.checkAddress(target.hostname, port, socket.remoteAddress ?? '');
      } catch (refused) {
        socket.on('error', () => {});
        socket.destroy();
        callback(refused instanceof Error ? refused : new Error(String(refused)), null);
        return;
      }
      callback(null, socket);
    });
  };
}

function createDialler(options: GuardedConnectorOptions): Connector {
  const port = portOf(options.origin);
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    options.guard.resolve(hostname, port).then(
      (answers) => {
        const first = answers[0];
        if (lookupOptions.all === true) callback(null, [...answers]);
        else if (first !== undefined) callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
  // HTTP/1.1 only: one exchange per socket keeps one slow reader from delaying another.
  return buildConnector({ timeout: options.connectTimeoutMs, allowH2: false, lookup });
}
