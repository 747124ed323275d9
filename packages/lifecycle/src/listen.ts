import type { AddressInfo, Server } from 'node:net';
import type { Logger } from '@tollgate/core';

export interface ListenOptions {
  readonly bind: string;
  /** 0 takes any free one. */
  readonly port: number;
}

/** Where a server listens. */
export interface Listening {
  readonly port: number;
  /** Its address for HTTP without a path, as a process on this machine may call it. */
  readonly url: string;
}

/** Rejects when the port is taken. What goes wrong later, such as too many open files, is logged. */
export function listenOn(
  server: Server,
  { bind, port }: ListenOptions,
  logger: Pick<Logger, 'error'>,
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => {
      server.off('error', reject);
      // Without a listener it would end the process.
      server.on('error', (error) =>
        logger.error({ error, bind, port }, 'no connection is accepted'),
      );
      const { port: bound } = server.address() as AddressInfo;
      resolve({ port: bound, url: urlOf(bind, bound) });
    });
  });
}

/** Addresses that stand for all of the machine can be listened on, but not everywhere called. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function urlOf(bind: string, port: number): string {
  const host = LOOPBACK[bind] ?? bind;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
