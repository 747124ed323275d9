import * as fs from 'node:fs';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One directory of append-only files. Everything that the spool does to durable state goes through
 * here, so that tests and the model check can put a disk of their own in its place.
 */
export interface Disk {
  /** Names of the files in the directory; empty when the directory is new. */
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Buffer>;
  /** Opens a file for appending, making it when it is missing. */
  open(name: string): Promise<DiskFile>;
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
  /** Bytes in the file when it was opened. */
  readonly sizeBytes: number;
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
    open: (name) => openForAppend(at(name)),
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
      return lockFile(at(LOCK_FILE));
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

async function openForAppend(path: string): Promise<DiskFile> {
  // A plain descriptor and callbacks: the promise wrappers of file handles cost more than a sync.
  const fd = await new Promise<number>((resolve, reject) => {
    fs.open(path, 'a', 0o600, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const sizeBytes = fs.fstatSync(fd).size;
  return {
    sizeBytes,
    async append(chunks) {
      writeAll(fd, chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks));
    },
    fdatasync: () =>
      new Promise((resolve, reject) => {
        fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()));
      }),
    close: () =>
      new Promise((resolve, reject) => {
        fs.close(fd, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

const EMPTY = Buffer.alloc(0);

/**
 * Into the page cache, which takes microseconds and less than a detour over another thread; only
 * the sync that follows waits for the disk.
 */
function writeAll(fd: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += fs.writeSync(fd, bytes, offset, bytes.length - offset);
  }
}

/**
 * Node has no file locks; SQLite takes one that the system drops when the process dies, also when
 * it is killed, and that holds between containers on one volume, where process ids say nothing.
 */
function lockFile(path: string): DiskLock {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new SpoolLockedError('another process holds the spool', { cause: error });
  }
  return {
    async release() {
      database.close();
    },
  };
}
