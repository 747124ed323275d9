import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { REPOSITORY } from '../support/repository';
import { isInstalled, runCommand } from '../support/run-command';

/** Where downloads stay between runs: `$TOLLGATE_ENGINE_CACHE` or `.cache/engines`. */
function cacheDirectory(): string {
  const named = process.env.TOLLGATE_ENGINE_CACHE;
  if (named !== undefined && named !== '') return resolve(named);
  return join(REPOSITORY, '.cache/engines');
}

/** The entry's path when it is there. */
export function findCached(name: string): string | undefined {
  const path = join(cacheDirectory(), name);
  return existsSync(path) ? path : undefined;
}

/**
 * Gives the entry, filled by `fill` when it is not there. It appears under its name only when it
 * is complete, so that a run which was cut short or runs beside this one cannot spoil it.
 */
export async function cached(
  name: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  const found = findCached(name);
  if (found !== undefined) return found;
  await mkdir(cacheDirectory(), { recursive: true });
  const unfinished = await mkdtemp(join(cacheDirectory(), `${name}-unfinished-`));
  const path = join(cacheDirectory(), name);
  try {
    await fill(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Somebody else may have been first; theirs is as good.
    if (!existsSync(path)) throw error;
  }
  return path;
}

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

/** Where lines about the work go; one line each, without the newline. */
export type Report = (line: string) => void;

/** Runs a step and reports it with its duration, or that it failed. */
export async function step<T>(report: Report, title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    const result = await work();
    report(`${title}: ${seconds()} s`);
    return result;
  } catch (error) {
    report(`${title}: failed after ${seconds()} s`);
    throw error;
  }
}
