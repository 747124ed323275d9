import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Held by one process; the operating system frees it when that process ends in whatever way. */
export interface FileLock {
  release(): void;
}

const PRIVATE_FILE = 0o600;
const SQLITE_BUSY = 5;

/**
 * Takes the lock of a file, which is made when it is missing; undefined while another process holds
 * it. Node has no file locks; SQLite takes one that the system drops when the process dies, also
 * when it is killed, and that holds between containers on one volume, where process ids say nothing.
 */
export function takeFileLock(path: string): FileLock | undefined {
  // The database would make the file for everybody to read.
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const { errcode, message } = error as Error & { readonly errcode?: unknown };
    if (errcode === SQLITE_BUSY) return undefined;
    throw new Error(`the lock ${path} cannot be taken: ${message}`, { cause: error });
  }
  return { release: () => database.close() };
}
