import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FILE } from './private-files';

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
 * that the next start removes what kill -9 left behind, and nothing of a process that still runs.
 */
export function createSocketDirectory(recordPath: string): SocketDirectory {
  const ofOther = removeRecorded(recordPath);
  const temporary = tmpdir();
  const parent = temporary.length > PARENT_LENGTH_MAX ? '/tmp' : temporary;
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  writeFileSync(recordPath, path, { mode: PRIVATE_FILE });
  return {
    socket: (name) => join(path, `${name}.sock`),
    remove() {
      rmSync(path, { recursive: true, force: true });
      if (ofOther === undefined) rmSync(recordPath, { force: true });
      else writeFileSync(recordPath, ofOther, { mode: PRIVATE_FILE });
    },
  };
}

/** The sockets of the process that made the record; undefined when there is no such process. */
export function readSocketDirectory(
  recordPath: string,
): Pick<SocketDirectory, 'socket'> | undefined {
  const path = readRecord(recordPath);
  return path === undefined ? undefined : { socket: (name) => join(path, `${name}.sock`) };
}

/** Returns what it leaves, because the process that it belongs to runs. */
function removeRecorded(recordPath: string): string | undefined {
  const recorded = readRecord(recordPath);
  if (recorded === undefined) return undefined;
  if (isOfAnotherProcess(recorded)) return recorded;
  rmSync(recorded, { recursive: true, force: true });
  return undefined;
}

/** Whether the process that the directory is named after runs and is not this one. */
function isOfAnotherProcess(path: string): boolean {
  const pid = Number(/-(\d+)-/.exec(basename(path))?.[1]);
  return pid !== process.pid && isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Only what we made counts, whatever the file says. */
function readRecord(recordPath: string): string | undefined {
  let recorded: string;
  try {
    recorded = readFileSync(recordPath, 'utf8').trim();
  } catch {
    return undefined;
  }
  const parents = [tmpdir(), '/tmp'];
  const isOurs = basename(recorded).startsWith(PREFIX) && parents.includes(dirname(recorded));
  return isOurs ? recorded : undefined;
}
