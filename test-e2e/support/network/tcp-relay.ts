import { connect, createServer, type Socket } from 'node:net';

/** Where something listens. */
export interface TcpPlace {
  readonly host: string;
  readonly port: number;
}

/** An address whose connections are passed on. */
export interface TcpRelay {
  readonly port: number;
  /** Ends every connection and listens no longer. */
  close(): void;
}

/**
 * Gives each new connection one to the place that is meant at that moment; what comes on either is
 * passed on to the other, and both end together. Without a place it is cut. `isRequest` is what comes
 * from whoever connected.
 */
export async function startTcpRelay(
  listen: TcpPlace,
  target: () => TcpPlace | undefined,
  passOn: (source: Socket, target: Socket, isRequest: boolean) => void,
): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const place = target();
    if (place === undefined) {
      incoming.destroy();
      return;
    }
    const outgoing = connect({ ...place, allowHalfOpen: true });
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
    passOn(incoming, outgoing, true);
    passOn(outgoing, incoming, false);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, resolve);
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
