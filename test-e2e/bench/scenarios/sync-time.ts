import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../support/temporary-directory';
import { median } from '../report/table';

const RECORD = Buffer.alloc(300, 'r');
const SYNCS = 300;

/** Median microseconds of one fdatasync after a small append, where the spools are kept. */
export function measureSyncUs(): number {
  const directory = makeDirectory();
  const file = openSync(join(directory.path, 'spool'), 'a');
  const times: number[] = [];
  for (let index = 0; index < SYNCS; index += 1) {
    writeSync(file, RECORD);
    const beganMs = performance.now();
    fdatasyncSync(file);
    times.push((performance.now() - beganMs) * 1000);
  }
  closeSync(file);
  directory.remove();
  return median(times);
}
