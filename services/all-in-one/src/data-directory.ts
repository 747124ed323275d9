import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

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

/**
 * Makes the directory (mode 0700) when it is absent and takes it for this process. The lock is held
 * by the operating system on an open file, so kill -9 frees it and no stale lock can remain; the
 * process id beside it is only for the message.
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
  const file = (name: string) => join(path, name);
  const lock = takeLock(file('lock'));
  if (lock === undefined) {
    const holder = readHolder(file('lock.pid'));
    throw new DataDirectoryTakenError(
      `the data directory ${path} is in use by ${holder}: stop that process, or set ` +
        'TOLLGATE_DATA_DIR to another directory',
    );
  }
  writeFileSync(file('lock.pid'), `${process.pid}\n`, { mode: PRIVATE_FILE });
  return {
    path,
    file,
    has: (name) => existsSync(file(name)),
    release() {
      rmSync(file('lock.pid'), { force: true });
      lock.close();
    },
  };
}

function takeLock(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

const SQLITE_BUSY = 5;

function readHolder(path: string): string {
  try {
    return `process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
