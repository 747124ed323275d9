import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections, and above what is registered to anyone. */
const QUIET_FROM = 20_000;
const QUIET_TO = 32_000;
const ATTEMPTS_MAX = 50;

/**
 * A free loopback port that no outgoing connection is given: a server that is away for a while
 * finds it free when it returns.
 */
export async function findQuietPort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(QUIET_FROM, QUIET_TO);
    if ((await tryPort(port).catch(() => 0)) === port) return port;
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
