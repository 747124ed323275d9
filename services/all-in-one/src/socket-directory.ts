import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A private directory for the unix sockets of one process. */
export interface SocketDirectory {
  /** Path of the named socket. */
  socket(name: string): string;
  remove(): void;
}

const PREFIX = 'tollgate-';
/** A socket path may have 104 bytes on the stingiest system; the longest name needs 40 of them. */
const PARENT_LENGTH_MAX = 60;

/**
 * Makes a directory that only this user can enter, with a short path. `recordPath` remembers it, so
 * that the next start removes what kill -9 left behind.
 */
export function createSocketDirectory(recordPath: string): SocketDirectory {
  removeRecorded(recordPath);
  const temporary = tmpdir();
  const parent = temporary.length > PARENT_LENGTH_MAX ? '/tmp' : temporary;
  const path = mkdtempSync(join(parent, PREFIX));
  writeFileSync(recordPath, path);
  return {
    socket: (name) => join(path, `${name}.sock`),
    remove() {
      rmSync(path, { recursive: true, force: true });
      rmSync(recordPath, { force: true });
    },
  };
}

function removeRecorded(recordPath: string): void {
  let recorded: string;
  try {
    recorded = readFileSync(recordPath, 'utf8').trim();
  } catch {
    return;
  }
  // Only what we made is removed, whatever the file says.
  const isOurs = basename(recorded).startsWith(PREFIX);
  const parents = [tmpdir(), '/tmp'];
  if (isOurs && parents.includes(dirname(recorded))) {
    rmSync(recorded, { recursive: true, force: true });
  }
}
