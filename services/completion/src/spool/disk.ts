/**
 * The narrow door to the disk: one directory of append-only files. Everything that the spool does
 * to durable state goes through here, so that a deterministic disk can stand in its place.
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
