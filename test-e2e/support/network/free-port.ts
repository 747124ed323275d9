import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections, and above what is registered to anyone. */
const QUIET_FROM = 20_000;
const QUIET_TO = 32_000;
const ATTEMPTS_MAX = 50;
/** Ports that were told already: whoever asked may not have begun to listen. */
const told = new Set<number>();
const SHARES = 4;
const PORTS_OF_A_WORKER = (QUIET_TO - QUIET_FROM) / SHARES;

/** Four jest workers have ports of their own: between looking and listening no other takes one. */
function ownShare(): number {
  return Number(process.env.JEST_WORKER_ID ?? 0) % SHARES;
}

/**
 * A free loopback port that no outgoing connection is given: a server that is away for a while
 * finds it free when it returns.
 */
export async function findQuietPort(): Promise<number> {
  const fromPort = QUIET_FROM + ownShare() * PORTS_OF_A_WORKER;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = fromPort + randomInt(PORTS_OF_A_WORKER);
    if (told.has(port) || (await tryPort(port).catch(() => 0)) !== port) continue;
    told.add(port);
    return port;
  }
  throw new Error(`no free port after ${ATTEMPTS_MAX} attempts`);
}

function tryPort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
