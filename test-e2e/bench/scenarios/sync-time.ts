import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../support/temporary-directory';
import { median } from '../report/table';

const RECORD = Buffer.alloc(300, 'r');
const SYNCS = 300;

/** Median microseconds of one fdatasync after a small write into space that the file has already. */
export function measureSyncUs(): number {
  const directory = makeDirectory();
  const file = openSync(join(directory.path, 'spool'), 'w');
  writeSync(file, Buffer.alloc(SYNCS * RECORD.length));
  fdatasyncSync(file);
  const times: number[] = [];
  for (let index = 0; index < SYNCS; index += 1) {
    writeSync(file, RECORD, 0, RECORD.length, index * RECORD.length);
    const beganMs = performance.now();
    fdatasyncSync(file);
    times.push((performance.now() - beganMs) * 1000);
  }
  closeSync(file);
  directory.remove();
  return median(times);
}
