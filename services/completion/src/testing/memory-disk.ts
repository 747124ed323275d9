import { type Disk, type DiskFile, SpoolLockedError } from '../spool/disk';

interface MemoryFile {
  durable: Buffer;
  written: Buffer;
}

/** Operations that can be made to fail. */
export type DiskFault = 'append' | 'fdatasync' | 'open' | 'remove';

/** A deterministic disk: only what a sync covered survives `crash`. */
export interface MemoryDisk extends Disk {
  /** The next operation of the kind fails; with `keepBytes` an append writes that much first. */
  failNext(fault: DiskFault, keepBytes?: number): void;
  /** Loses the process: the lock is free and each file keeps `keep(unsynced)` unsynced bytes. */
  crash(keep?: (unsyncedBytes: number) => number): void;
  /** The bytes of a file as a reader sees them. */
  bytesOf(name: string): Buffer;
  /** Puts a file there as an operator or a fault would. */
  put(name: string, bytes: Buffer): void;
  readonly syncCount: number;
}

/** Makes an empty disk, or one with the given files. */
export function createMemoryDisk(initial: Readonly<Record<string, Buffer>> = {}): MemoryDisk {
  const files = new Map<string, MemoryFile>();
  const faults: { fault: DiskFault; keepBytes: number }[] = [];
  let locked = false;
  let generation = 0;
  let syncCount = 0;
  const put = (name: string, bytes: Buffer) => files.set(name, { durable: bytes, written: bytes });
  for (const [name, bytes] of Object.entries(initial)) put(name, bytes);
  const fileAt = (name: string): MemoryFile => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no such file: ${name}`);
    return file;
  };
  const takeFault = (fault: DiskFault) => {
    const index = faults.findIndex((planned) => planned.fault === fault);
    return index < 0 ? undefined : faults.splice(index, 1)[0];
  };
  const failIfPlanned = (fault: DiskFault) => {
    if (takeFault(fault) !== undefined) throw new Error(`EIO: ${fault}`);
  };
  const openFile = (file: MemoryFile): DiskFile => {
    const born = generation;
    // A process that crashed writes nothing more, whatever it still has scheduled.
    const alive = () => {
      if (born !== generation) throw new Error('this process is gone');
    };
    return {
      sizeBytes: file.written.length,
      async append(chunks) {
        alive();
        const bytes = Buffer.concat(chunks);
        const planned = takeFault('append');
        const kept = planned === undefined ? bytes : bytes.subarray(0, planned.keepBytes);
        file.written = Buffer.concat([file.written, kept]);
        if (planned !== undefined) throw new Error('ENOSPC: append');
      },
      async fdatasync() {
        alive();
        failIfPlanned('fdatasync');
        syncCount += 1;
        file.durable = file.written;
      },
      async close() {},
    };
  };
  return {
    list: async () => [...files.keys()].sort(),
    read: async (name) => fileAt(name).written,
    async open(name) {
      failIfPlanned('open');
      if (!files.has(name)) put(name, Buffer.alloc(0));
      return openFile(fileAt(name));
    },
    async truncate(name, bytes) {
      put(name, fileAt(name).written.subarray(0, bytes));
    },
    async rename(from, to) {
      put(to, fileAt(from).written);
      files.delete(from);
    },
    async remove(name) {
      failIfPlanned('remove');
      files.delete(name);
    },
    async syncDirectory() {},
    async lock() {
      if (locked) throw new SpoolLockedError('another process holds the spool');
      locked = true;
      const born = generation;
      return {
        async release() {
          if (born === generation) locked = false;
        },
      };
    },
    failNext: (fault, keepBytes = 0) => void faults.push({ fault, keepBytes }),
    crash(keep = () => 0) {
      generation += 1;
      locked = false;
      faults.length = 0;
      for (const file of files.values()) {
        const unsynced = file.written.length - file.durable.length;
        file.written = file.written.subarray(0, file.durable.length + keep(unsynced));
        file.durable = file.written;
      }
    },
    bytesOf: (name) => fileAt(name).written,
    put: (name, bytes) => void put(name, bytes),
    get syncCount() {
      return syncCount;
    },
  };
}
