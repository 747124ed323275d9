import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { takeFileLock } from '@tollgate/lifecycle';
import { makePrivate, PRIVATE_DIRECTORY, PRIVATE_FILE } from './private-files';

/** The directory is ours until we let go of it, or until the process ends in whatever way. */
export interface DataDirectory {
  readonly path: string;
  /** A path inside. */
  file(name: string): string;
  has(name: string): boolean;
  release(): void;
}

/** Another process uses the directory. */
export class DataDirectoryTakenError extends Error {
  override readonly name = 'DataDirectoryTakenError';
}

/** Names inside the data directory. */
export const DATA_FILES = {
  store: 'store.sqlite',
  secrets: 'secrets.json',
  sockets: 'sockets',
  spool: 'spool',
  lock: 'lock',
  lockOwner: 'lock.pid',
} as const;

const REMEDY = 'set TOLLGATE_DATA_DIR to another directory';

/**
 * Makes the directory when it is absent, or makes what it holds private, and takes it for this
 * process. The lock is held by the operating system on an open file, so kill -9 frees it and no
 * stale lock can remain; the process id beside it is only for the message.
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  const file = (name: string) => join(path, name);
  const lock = explained(path, () => {
    mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
    makePrivate(path, Object.values(DATA_FILES));
    return takeFileLock(file(DATA_FILES.lock));
  });
  if (lock === undefined) {
    const owner = readOwner(file(DATA_FILES.lockOwner));
    throw new DataDirectoryTakenError(
      `the data directory ${path} is in use by ${owner}: stop that process, or ${REMEDY}`,
    );
  }
  try {
    explained(path, () => {
      writeFileSync(file(DATA_FILES.lockOwner), `${process.pid}\n`, { mode: PRIVATE_FILE });
    });
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    path,
    file,
    has: (name) => existsSync(file(name)),
    release() {
      rmSync(file(DATA_FILES.lockOwner), { force: true });
      lock.release();
    },
  };
}

function readOwner(path: string): string {
  try {
    return `process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

const NOT_WRITABLE = `cannot be written: give this user write access to it, or ${REMEDY}`;
const NO_DIRECTORY = `is not a directory: ${REMEDY}`;

/** The operator's sentence in place of the operating system's code. */
const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: `is on a file system that is mounted read-only: mount it writable, or ${REMEDY}`,
  EEXIST: NO_DIRECTORY,
  ENOTDIR: NO_DIRECTORY,
  ENOENT: `cannot be made: ${REMEDY}`,
  ENOSPC: `is on a disk that is full: free some space, or ${REMEDY}`,
};

/** Does it, and names the directory and the remedy when the operating system refuses. */
function explained<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const sentence = SENTENCES[(error as NodeJS.ErrnoException).code ?? ''];
    if (sentence === undefined) throw error;
    throw new Error(`the data directory ${path} ${sentence}`, { cause: error });
  }
}
