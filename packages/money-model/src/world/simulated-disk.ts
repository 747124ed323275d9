import { type Disk, type DiskFile, SpoolLockedError } from '@tollgate/completion/model-api';
import type { Random } from '../random';
import { NO_CALL_FAULTS, type Process } from './process';

interface FileState {
  written: Buffer;
  /** Bytes that a completed sync covers. */
  durableBytes: number;
}

/** A change of a name that no directory sync covers yet. */
interface NameChange {
  readonly name: string;
  /** Undefined: the name was removed. */
  readonly file: FileState | undefined;
}

/** Hears whatever a power cut can no longer take. */
export type DurableListener = (bytes: Buffer) => void;

/** A disk that outlives the processes which write to it. */
export interface SimulatedDisk {
  portFor(process: Process): Disk;
  /** The next operation of the kind fails. */
  failNext(kind: 'append' | 'fdatasync'): void;
  /** Nothing fails any more. */
  repair(): void;
  /** The process is gone and the machine goes on: what was written can still be read. */
  releaseLock(): void;
  /** The machine lost its power: anything that no sync covers may be gone, or parts of it. */
  cutPower(random: Random): void;
}

const BLOCK_BYTES = 128;
const LOST_SHARE = 0.1;

/**
 * What a power cut leaves of the first `kept` bytes: blocks that no sync covers may be missing with
 * later ones there, and read as the zeros that were written ahead, which are also behind the end.
 */
function loseBlocks(file: FileState, kept: number, random: Random) {
  const isSynced = file.durableBytes === file.written.length;
  if (isSynced || random.chance(0.5)) {
    return { left: file.written.subarray(0, kept), wholeBytes: kept };
  }
  const left = Buffer.alloc(kept + BLOCK_BYTES);
  file.written.copy(left, 0, 0, kept);
  let wholeBytes = kept;
  for (let from = kept - BLOCK_BYTES; from >= file.durableBytes; from -= BLOCK_BYTES) {
    if (!random.chance(LOST_SHARE)) continue;
    left.fill(0, from, from + BLOCK_BYTES);
    wholeBytes = from;
  }
  return { left, wholeBytes };
}

/** A system call: unlike a message it cannot happen after its process is gone. */
function ask<Answer>(process: Process, execute: () => Answer): Promise<Answer> {
  return process.call(() => {
    if (!process.alive) throw new Error('this process is gone');
    return execute();
  }, NO_CALL_FAULTS);
}

/** Makes a disk with the given files, all of them durable. */
export function createSimulatedDisk(
  initial: ReadonlyMap<string, Buffer>,
  onDurable: DurableListener,
): SimulatedDisk {
  const files = new Map<string, FileState>();
  const nameChanges: NameChange[] = [];
  const faults = new Set<'append' | 'fdatasync'>();
  let durableNames = new Map<string, FileState>();
  let locked = false;
  for (const [name, bytes] of initial) {
    files.set(name, { written: bytes, durableBytes: bytes.length });
  }
  durableNames = new Map(files);

  const fileAt = (name: string): FileState => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no such file: ${name}`);
    return file;
  };
  const markDurable = (file: FileState) => {
    const fresh = file.written.subarray(file.durableBytes);
    file.durableBytes = file.written.length;
    if (fresh.length > 0) onDurable(fresh);
  };
  const rename = (name: string, file: FileState | undefined) => {
    if (file === undefined) files.delete(name);
    else files.set(name, file);
    nameChanges.push({ name, file });
  };
  const syncNames = () => {
    nameChanges.splice(0);
    durableNames = new Map(files);
  };

  const open = (process: Process, name: string): DiskFile => {
    const file = files.get(name) ?? { written: Buffer.alloc(0), durableBytes: 0 };
    if (!files.has(name)) rename(name, file);
    const append = (chunks: readonly Buffer[]) => {
      const bytes = Buffer.concat(chunks);
      const fails = faults.delete('append');
      const kept = fails ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
      file.written = Buffer.concat([file.written, kept]);
      if (fails) throw new Error('ENOSPC: append');
    };
    const fdatasync = () => {
      if (faults.delete('fdatasync')) throw new Error('EIO: fdatasync');
      markDurable(file);
    };
    return {
      append: (chunks) => ask(process, () => append(chunks)),
      fdatasync: () => ask(process, fdatasync),
      close: () => Promise.resolve(),
    };
  };

  const cut = (name: string, bytes: number) => {
    const file = fileAt(name);
    file.written = file.written.subarray(0, bytes);
    file.durableBytes = Math.min(file.durableBytes, bytes);
    markDurable(file);
  };

  return {
    portFor: (process) => {
      const does = <Answer>(execute: () => Answer) => ask(process, execute);
      return {
        list: () => does(() => [...files.keys()].sort()),
        read: (name) => does(() => fileAt(name).written),
        open: (name) => does(() => open(process, name)),
        truncate: (name, bytes) => does(() => cut(name, bytes)),
        rename: (from, to) =>
          does(() => {
            files.set(to, fileAt(from));
            files.delete(from);
            syncNames();
          }),
        remove: (name) => does(() => rename(name, undefined)),
        syncDirectory: () => does(syncNames),
        lock: () =>
          does(() => {
            if (locked) throw new SpoolLockedError('another process holds the spool');
            locked = true;
            return {
              release: () =>
                does(() => {
                  locked = false;
                }),
            };
          }),
      };
    },
    failNext: (kind) => void faults.add(kind),
    repair: () => faults.clear(),
    releaseLock() {
      locked = false;
    },
    cutPower(random) {
      for (const { name, file } of nameChanges.slice(0, random.int(0, nameChanges.length))) {
        if (file === undefined) durableNames.delete(name);
        else durableNames.set(name, file);
      }
      nameChanges.splice(0);
      files.clear();
      for (const [name, file] of durableNames) {
        const kept = random.int(file.durableBytes, file.written.length);
        const { left, wholeBytes } = loseBlocks(file, kept, random);
        const fresh = left.subarray(file.durableBytes, wholeBytes);
        if (fresh.length > 0) onDurable(fresh);
        file.written = left;
        file.durableBytes = left.length;
        files.set(name, file);
      }
      durableNames = new Map(files);
    },
  };
}
