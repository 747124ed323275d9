import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Where downloads stay between runs: `$TOLLGATE_ENGINE_CACHE` or `.cache/engines`. */
function cacheDirectory(): string {
  const named = process.env.TOLLGATE_ENGINE_CACHE;
  if (named !== undefined && named !== '') return resolve(named);
  return resolve(process.cwd(), '.cache/engines');
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
