import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from '@tollgate/core';
import { type CommandExecutor, serveConnection } from './connection';

/** Where the store listens: a unix socket, or a TCP port (0 takes a free one). */
export type ListenAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export interface ListenerOptions {
  readonly address: ListenAddress;
  readonly connectionsMax: number;
  readonly messageBytesMax: number;
  readonly execute: CommandExecutor;
  readonly logger: Logger;
}

/** A listening server. */
export interface Listener {
  /** `host:port`, or the socket path percent-encoded, as it stands in a connection string. */
  readonly authority: string;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Linux's limit for the path of a unix socket, with its terminator. */
const SOCKET_PATH_BYTES_MAX = 107;

/** Starts listening; rejects when the address is taken. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  let nextConnectionId = 1;
  const server = createServer({ noDelay: true }, (socket) => {
    if (sockets.size >= options.connectionsMax) {
      options.logger.warn({ connectionsMax: options.connectionsMax }, 'too many connections');
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const connectionId = nextConnectionId;
    nextConnectionId += 1;
    serveConnection(socket, { ...options, connectionId });
  });
  await start(server, options.address);
  return {
    authority: authorityOf(server, options.address),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function start(server: Server, address: ListenAddress): Promise<void> {
  if ('socketPath' in address) {
    if (Buffer.byteLength(address.socketPath) > SOCKET_PATH_BYTES_MAX) {
      throw new Error(`the socket path is longer than ${SOCKET_PATH_BYTES_MAX} bytes`);
    }
    // The data file's lock already proves that no other store is alive here.
    rmSync(address.socketPath, { force: true });
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen('socketPath' in address ? { path: address.socketPath } : address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function authorityOf(server: Server, address: ListenAddress): string {
  if ('socketPath' in address) return encodeURIComponent(address.socketPath);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server is not listening');
  return address.host.includes(':')
    ? `[${address.host}]:${bound.port}`
    : `${address.host}:${bound.port}`;
}
