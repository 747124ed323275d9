import { startTcpRelay, type TcpRelay } from '../support/network/tcp-relay';

/**
 * One address for several servers, as a cluster gives its services: each new connection is for the
 * next of those that there are at that moment; one that is away costs the connection.
 */
export function startTcpBalancer(targets: () => readonly number[]): Promise<TcpRelay> {
  const host = '127.0.0.1';
  let turn = 0;
  const next = () => {
    const ports = targets();
    const port = ports[turn % ports.length];
    if (port === undefined) return undefined;
    turn += 1;
    return { host, port };
  };
  return startTcpRelay({ host, port: 0 }, next, (source, target) => source.pipe(target));
}
