import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of one test. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it with everything inside; removing twice is harmless. */
  remove(): Promise<void>;
}

/** Creates an empty directory that nobody else uses. */
export async function makeTemporaryDirectory(label = 'test'): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), `tollgate-${label}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A path for a unix socket in a directory of its own, well below the length limit of sockets. */
export async function makeSocketPath(label = 's'): Promise<TemporaryDirectory> {
  const directory = await mkdtemp(join(tmpdir(), 'tg-'));
  return {
    path: join(directory, `${label}.sock`),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
