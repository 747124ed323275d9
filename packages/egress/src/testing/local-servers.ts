import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

/** A server on an ephemeral loopback port. */
export interface LocalServer {
  readonly port: number;
  readonly url: string;
  /** Sockets accepted so far. */
  readonly connections: () => number;
}

const running: (() => Promise<void>)[] = [];

/** Stops every server that a test started. */
export async function stopLocalServers(): Promise<void> {
  const stops = running.splice(0);
  await Promise.all(stops.map((stop) => stop()));
}

/** An HTTP server with one listener for everything. */
export function startHttpServer(listener: RequestListener): Promise<LocalServer> {
  return listen(createServer(listener));
}

/** A raw TCP server, for answers that no HTTP server would give. */
export function startTcpServer(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(onSocket));
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections };
}
