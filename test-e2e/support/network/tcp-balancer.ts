import { connect, createServer, type Socket } from 'node:net';

/** One address for several servers, as a cluster gives its services. */
export interface TcpBalancer {
  readonly port: number;
  /** Ends every connection and listens no longer. */
  close(): void;
}

/**
 * Gives each new connection to the next of the servers that there are at that moment; one that is
 * away costs the connection.
 */
export async function startTcpBalancer(targets: () => readonly number[]): Promise<TcpBalancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((incoming) => {
    const ports = targets();
    const port = ports[turn % ports.length];
    if (port === undefined) {
      incoming.destroy();
      return;
    }
    const outgoing = connect({ host: '127.0.0.1', port });
    turn += 1;
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
