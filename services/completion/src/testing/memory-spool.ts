import { type Clock, silentLogger } from '@tollgate/core';
import { Spool } from '../spool/log';
import type { MemoryDisk } from './memory-disk';

const LIMITS = { segmentBytesMax: 1 << 20, totalBytesMax: 1 << 22 };

export interface MemorySpoolParts {
  readonly disk: MemoryDisk;
  readonly clock: Clock;
  readonly limits?: typeof LIMITS;
  readonly gather?: () => Promise<void>;
}

/** A spool that is not open yet. */
export function createMemorySpool({ limits = LIMITS, ...parts }: MemorySpoolParts): Spool {
  return new Spool({ ...parts, logger: silentLogger, limits });
}

/** A spool on the disk, recovered as a start does it. */
export async function openMemorySpool(parts: MemorySpoolParts): Promise<Spool> {
  const spool = createMemorySpool(parts);
  await spool.open();
  await spool.recover();
  return spool;
}
