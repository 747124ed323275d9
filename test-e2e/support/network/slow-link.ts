import { connect, createServer, type Socket } from 'node:net';

/** How bad a network is. */
export interface SlowNetwork {
  /** Each way. */
  readonly delayMs: number;
  /** Of the pieces that are sent, how many are lost and come by the repetition only, 0 to 1. */
  readonly loss: number;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** The least that TCP waits before it sends again what was not acknowledged. */
const REPEATED_AFTER_MS = 200;

/**
 * Listens at one address and passes everything on to another, later: what is lost on the way comes
 * after a repetition, and holds up what follows it, as in TCP.
 */
export async function startSlowLink(
  from: Place,
  to: Place,
  network: SlowNetwork,
): Promise<{ close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ ...to, allowHalfOpen: true });
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
    passOn(incoming, outgoing, network);
    passOn(outgoing, incoming, network);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(from.port, from.host, resolve);
  });
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function passOn(source: Socket, target: Socket, { delayMs, loss }: SlowNetwork): void {
  let lastMs = 0;
  const waiting: (() => void)[] = [];
  const later = (work: () => void) => {
    const repeatedMs = Math.random() < loss ? REPEATED_AFTER_MS : 0;
    // Never before what was sent earlier.
    lastMs = Math.max(lastMs, performance.now() + delayMs + repeatedMs);
    // Timers that are due at once may fire in any order: each passes on what has waited longest.
    waiting.push(work);
    setTimeout(() => waiting.shift()?.(), lastMs - performance.now());
  };
  source.on('data', (chunk: Buffer) => {
    later(() => {
      if (target.writable) target.write(chunk);
    });
  });
  source.on('end', () => later(() => target.end()));
}
