import fs from 'node:fs';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { takeFileLock } from '@tollgate/lifecycle';

/**
 * One directory of append-only files. Everything that the spool does to durable state goes through
 * here, so that tests and the model check can put a disk of their own in its place.
 */
export interface Disk {
  /** Names of the files in the directory; empty when the directory is new. */
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Buffer>;
  /**
   * Opens a file for appending, making it when it is missing. With `aheadBytes` so many zeros at a
   * time are written behind its end, for what is appended later to take their place: a sync then
   * moves data alone, without a commit of the file system's journal for each new size. `close` cuts
   * them off; whoever reads a file that was never closed finds them at its end.
   */
  open(name: string, aheadBytes?: number): Promise<DiskFile>;
  /** Cuts a file to `bytes`, durably. */
  truncate(name: string, bytes: number): Promise<void>;
  /** Replaces `to` atomically and durably. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes created and removed names durable. */
  syncDirectory(): Promise<void>;
  /** Takes the directory for this process; rejects with SpoolLockedError when another has it. */
  lock(): Promise<DiskLock>;
}

/** A file that only grows. */
export interface DiskFile {
  /** Resolves when the operating system has the bytes; they are durable only after fdatasync. */
  append(chunks: readonly Buffer[]): Promise<void>;
  fdatasync(): Promise<void>;
  close(): Promise<void>;
}

/** Held by the process that owns the directory; the system releases it when the process dies. */
export interface DiskLock {
  release(): Promise<void>;
}

/** Another process works on this spool. */
export class SpoolLockedError extends Error {
  override readonly name = 'SpoolLockedError';
}

const LOCK_FILE = 'spool.lock';

/** The real disk: files of `directory`, which is made when it is missing. */
export function createNodeDisk(directory: string): Disk {
  const at = (name: string) => join(directory, name);
  const syncDirectory = () => syncFolder(directory);
  return {
    async list() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const names = await readdir(directory);
      return names.filter((name) => !name.startsWith(LOCK_FILE)).sort();
    },
    read: (name) => readFile(at(name)),
    open: (name, aheadBytes = 0) => openForAppend(at(name), aheadBytes),
    async truncate(name, bytes) {
      const file = await open(at(name), 'r+');
      try {
        await file.truncate(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async rename(from, to) {
      await rename(at(from), at(to));
      await syncDirectory();
    },
    remove: (name) => unlink(at(name)),
    syncDirectory,
    async lock() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const lock = takeFileLock(at(LOCK_FILE));
      if (lock === undefined) throw new SpoolLockedError('another process holds the spool');
      return { release: async () => lock.release() };
    },
  };
}

async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function openForAppend(path: string, aheadBytes: number): Promise<DiskFile> {
  // A plain descriptor and callbacks: the promise wrappers of file handles cost more than a sync.
  const fd = await new Promise<number>((resolve, reject) => {
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT;
    fs.open(path, flags, 0o600, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  let endBytes = fs.fstatSync(fd).size;
  /** Zeros may lie between the end and here. */
  let zerosEndBytes = endBytes;
  const writeAhead = () => {
    zerosEndBytes = endBytes + aheadBytes;
    try {
      writeAll(fd, Buffer.alloc(aheadBytes), endBytes);
    } catch {
      // A full disk fails the record that no longer fits; until then it only costs more to sync. What
      // was written of the zeros would take its room.
      fs.ftruncateSync(fd, endBytes);
    }
  };
  const fdatasync = () => call((done) => fs.fdatasync(fd, done));
  return {
    async append(chunks) {
      const bytes = chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks);
      writeAll(fd, bytes, endBytes);
      endBytes += bytes.length;
      if (aheadBytes > 0 && endBytes > zerosEndBytes) writeAhead();
    },
    fdatasync,
    async close() {
      try {
        if (zerosEndBytes > endBytes) {
          await call((done) => fs.ftruncate(fd, endBytes, done));
          await call((done) => fs.fsync(fd, done));
        }
      } finally {
        await call((done) => fs.close(fd, done));
      }
    },
  };
}

const EMPTY = Buffer.alloc(0);

function call(start: (done: fs.NoParamCallback) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Into the page cache, which takes microseconds and less than a detour over another thread; only
 * the sync that follows waits for the disk.
 */
function writeAll(fd: number, bytes: Buffer, atBytes: number): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += fs.writeSync(fd, bytes, offset, bytes.length - offset, atBytes + offset);
  }
}
