import { isInstalled, runCommand } from '../support/run-command';

const INSTALL_TIMEOUT_MS = 300_000;

let turn: Promise<unknown> = Promise.resolve();

/** Why packages cannot be installed here; undefined when they can. */
export function packageObstacle(): string | undefined {
  if (!isInstalled('apt-get')) return 'there is no apt-get';
  if (process.getuid?.() !== 0) return 'we may not install packages';
  return undefined;
}

/** Installs a package of Debian with what it needs. */
export function installPackage(name: string): Promise<void> {
  // RUNLEVEL keeps a package from starting a server of its own on its usual port.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const run = (...args: string[]) =>
    runCommand('apt-get', ['-q', '-y', ...args], { timeoutMs: INSTALL_TIMEOUT_MS, env });
  return inTurn(async () => {
    await run('update');
    await run('install', '--no-install-recommends', name);
  });
}

/** One after another: a second apt-get fails at the first one's lock. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work);
  turn = result.catch(() => undefined);
  return result;
}
