import { createConnection, createServer, type Socket } from 'node:net';
import { makeSocketPath } from '@tollgate/testkit';

/** Between a client and a server; frozen, it passes nothing on and closes nothing. */
export interface FreezableProxy {
  readonly address: string;
  /** From now on nothing comes through; connections stay open, and new ones are taken. */
  freeze(): void;
  close(): Promise<void>;
}

/** Passes a unix socket's bytes both ways. */
export async function startFreezableProxy(target: string): Promise<FreezableProxy> {
  const socket = await makeSocketPath('proxy');
  const sockets = new Set<Socket>();
  let frozen = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!frozen) to.write(bytes);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  };
  const server = createServer((inner) => {
    const outer = createConnection(target.replace(/^unix:/, ''));
    pass(inner, outer);
    pass(outer, inner);
  });
  await new Promise<void>((resolve) => server.listen(socket.path, resolve));
  return {
    address: `unix:${socket.path}`,
    freeze() {
      frozen = true;
    },
    async close() {
      for (const each of sockets) each.destroy();
      await new Promise((resolve) => server.close(resolve));
      await socket.remove();
    },
  };
}
