import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const PRIVATE_DIRECTORY = 0o700;
export const PRIVATE_FILE = 0o600;

const ACCESS = 0o777;
const OF_OTHERS = 0o077;
/** Entries that file systems put into the root of a volume. */
const OF_THE_FILE_SYSTEM = 'lost+found';
const NAMED_MAX = 3;

/**
 * Takes every right of other users from the directory and from those of its files that bear the
 * given names, with or without an ending after "." or "-". A directory of this user that others
 * may read and that holds other files is refused: it may be a home directory, and its mode is not
 * ours to change. One that belongs to another user (a volume that the platform made) stays as it
 * is: our files in it are private.
 */
export function makePrivate(directory: string, names: readonly string[]): void {
  const entries = readdirSync(directory).filter((entry) => entry !== OF_THE_FILE_SYSTEM);
  const isOurs = (entry: string) =>
    names.some((name) => entry.startsWith(name) && /^([.-]|$)/.test(entry.slice(name.length)));
  const foreign = entries.filter((entry) => !isOurs(entry));
  const { isOwn, mode } = look(directory);
  if (isOwn && (mode & OF_OTHERS) !== 0) {
    if (foreign.length > 0) throw new Error(refusal(directory, foreign));
    chmodSync(directory, PRIVATE_DIRECTORY);
  }
  for (const entry of entries.filter(isOurs)) makeEntryPrivate(join(directory, entry));
}

function makeEntryPrivate(path: string): void {
  const { isOwn, isDirectory, isFile, mode } = look(path);
  if (!isOwn || !(isDirectory || isFile)) return;
  const wanted = isDirectory ? PRIVATE_DIRECTORY : PRIVATE_FILE;
  if (mode !== wanted) chmodSync(path, wanted);
  if (!isDirectory) return;
  for (const entry of readdirSync(path)) makeEntryPrivate(join(path, entry));
}

/** Links are not followed: what they lead to is not known to be ours. */
function look(path: string) {
  const found = lstatSync(path);
  return {
    isOwn: found.uid === process.geteuid?.(),
    isDirectory: found.isDirectory(),
    isFile: found.isFile(),
    mode: found.mode & ACCESS,
  };
}

function refusal(directory: string, foreign: readonly string[]): string {
  const more = foreign.length > NAMED_MAX ? ' and more' : '';
  const files = `${foreign.slice(0, NAMED_MAX).join(', ')}${more}`;
  const are = foreign.length === 1 ? 'is' : 'are';
  return (
    `the data directory ${directory} can be read by other users and holds ${files}, which ${are} ` +
    `not Tollgate's: set TOLLGATE_DATA_DIR to a directory of its own, or run: chmod 700 ${directory}`
  );
}
