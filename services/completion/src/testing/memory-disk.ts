import { type Clock, silentLogger } from '@tollgate/core';
import { type Disk, type DiskFile, type DiskLock, SpoolLockedError } from '../spool/disk';
import { Spool } from '../spool/spool';

interface MemoryFile {
  durable: Buffer;
  written: Buffer;
}

/** Operations that can be made to fail. */
export type DiskFault = 'append' | 'fdatasync' | 'open' | 'remove' | 'truncate';

/** A deterministic disk: only what a sync covered survives `crash`. */
export class MemoryDisk implements Disk {
  readonly #files = new Map<string, MemoryFile>();
  readonly #faults: { readonly fault: DiskFault; readonly keepBytes: number }[] = [];
  #locked = false;
  /** Grows with every crash: a process that crashed writes nothing more. */
  #generation = 0;
  #syncCount = 0;
  #gate: Promise<void> = Promise.resolve();

  get syncCount(): number {
    return this.#syncCount;
  }

  /** The next operation of the kind fails; with `keepBytes` an append writes that much first. */
  failNext(fault: DiskFault, keepBytes = 0): void {
    this.#faults.push({ fault, keepBytes });
  }

  /** Syncs wait until the returned function is called. */
  holdSyncs(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  /** Loses the process alone: what it wrote can be read, and is as durable as it was. */
  kill(): void {
    this.#generation += 1;
    this.#locked = false;
    this.#faults.length = 0;
    this.#gate = Promise.resolve();
  }

  /** Loses the machine: the lock is free and each file keeps `keep(unsynced)` unsynced bytes. */
  crash(keep: (unsyncedBytes: number) => number = () => 0): void {
    this.kill();
    for (const file of this.#files.values()) {
      const unsynced = file.written.length - file.durable.length;
      file.written = file.written.subarray(0, file.durable.length + keep(unsynced));
      file.durable = file.written;
    }
  }

  /** The bytes of a file as a reader sees them. */
  bytesOf(name: string): Buffer {
    return this.#fileAt(name).written;
  }

  /** Puts a file there as an operator or a fault would. */
  put(name: string, bytes: Buffer): void {
    this.#files.set(name, { durable: bytes, written: bytes });
  }

  async list(): Promise<readonly string[]> {
    return [...this.#files.keys()].sort();
  }

  async read(name: string): Promise<Buffer> {
    return this.bytesOf(name);
  }

  async open(name: string): Promise<DiskFile> {
    this.#failIfPlanned('open');
    if (!this.#files.has(name)) this.put(name, Buffer.alloc(0));
    return this.#openFile(this.#fileAt(name));
  }

  async truncate(name: string, bytes: number): Promise<void> {
    this.#failIfPlanned('truncate');
    this.put(name, this.bytesOf(name).subarray(0, bytes));
  }

  async rename(from: string, to: string): Promise<void> {
    this.put(to, this.bytesOf(from));
    this.#files.delete(from);
  }

  async remove(name: string): Promise<void> {
    this.#failIfPlanned('remove');
    this.#files.delete(name);
  }

  async syncDirectory(): Promise<void> {}

  async lock(): Promise<DiskLock> {
    if (this.#locked) throw new SpoolLockedError('another process holds the spool');
    this.#locked = true;
    const born = this.#generation;
    return {
      release: async () => {
        if (born === this.#generation) this.#locked = false;
      },
    };
  }

  #openFile(file: MemoryFile): DiskFile {
    const born = this.#generation;
    const requireAlive = () => {
      if (born !== this.#generation) throw new Error('this process is gone');
    };
    return {
      append: async (chunks) => {
        requireAlive();
        const bytes = Buffer.concat(chunks);
        const planned = this.#takeFault('append');
        const kept = planned === undefined ? bytes : bytes.subarray(0, planned.keepBytes);
        file.written = Buffer.concat([file.written, kept]);
        if (planned !== undefined) throw new Error('ENOSPC: append');
      },
      fdatasync: async () => {
        // What is written while the sync waits is not covered by it.
        const covered = file.written;
        await this.#gate;
        requireAlive();
        this.#failIfPlanned('fdatasync');
        this.#syncCount += 1;
        file.durable = covered;
      },
      close: async () => {},
    };
  }

  #fileAt(name: string): MemoryFile {
    const file = this.#files.get(name);
    if (file === undefined) throw new Error(`no such file: ${name}`);
    return file;
  }

  #takeFault(fault: DiskFault): { readonly keepBytes: number } | undefined {
    const index = this.#faults.findIndex((planned) => planned.fault === fault);
    return index < 0 ? undefined : this.#faults.splice(index, 1)[0];
  }

  #failIfPlanned(fault: DiskFault): void {
    if (this.#takeFault(fault) !== undefined) throw new Error(`EIO: ${fault}`);
  }
}

/** Makes an empty disk, or one with the given files. */
export function createMemoryDisk(initial: Readonly<Record<string, Buffer>> = {}): MemoryDisk {
  const disk = new MemoryDisk();
  for (const [name, bytes] of Object.entries(initial)) disk.put(name, bytes);
  return disk;
}

const BOUNDS = { segmentBytesMax: 1 << 20, totalBytesMax: 1 << 22 };

interface MemorySpoolParts {
  readonly disk: MemoryDisk;
  readonly clock: Clock;
  readonly bounds?: typeof BOUNDS;
  readonly gather?: () => Promise<void>;
}

/** A spool that is not open yet. */
export function createMemorySpool({ bounds = BOUNDS, ...parts }: MemorySpoolParts): Spool {
  return new Spool({ ...parts, logger: silentLogger, bounds });
}

/** A spool on the disk, recovered as a start does it. */
export async function openMemorySpool(parts: MemorySpoolParts): Promise<Spool> {
  const spool = createMemorySpool(parts);
  await spool.open();
  await spool.recover();
  return spool;
}
