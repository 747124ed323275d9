import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '@tollgate/core';
import { type Finding, failure, ok, reasonOf, warning } from './finding';

const GIBIBYTE = 1024 ** 3;
const FREE_MIN_BYTES = GIBIBYTE;
const SYNCS = 16;
const SYNC_MAX_MS = 20;

/** The disk under the data directory: writable, with room, and quick to make writes durable. */
export function checkDisk(dataDirectory: string, clock: Clock): Finding {
  const path = nearestExisting(resolve(dataDirectory));
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    const syncMs = measureSync(path, clock);
    const seen = `${(free / GIBIBYTE).toFixed(1)} GiB free, ${syncMs.toFixed(1)} ms a sync, ${path}`;
    if (free < FREE_MIN_BYTES) {
      return warning('disk', seen, 'make room: a full disk stops the taking of new requests');
    }
    if (syncMs > SYNC_MAX_MS) {
      return warning('disk', seen, 'use a faster disk: each answer waits for a durable record');
    }
    return ok('disk', seen);
  } catch (error) {
    return failure('disk', reasonOf(error), `let this user write to ${path}`);
  }
}

/** The directory itself is made at the first start. */
function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Milliseconds that a small write takes to be durable, on average. */
function measureSync(path: string, clock: Clock): number {
  const directory = mkdtempSync(join(path, '.doctor-'));
  try {
    const file = openSync(join(directory, 'probe'), 'w', 0o600);
    const beganMonotonicMs = clock.monotonicMs();
    for (let sync = 0; sync < SYNCS; sync += 1) {
      writeSync(file, 'a small record\n');
      fdatasyncSync(file);
    }
    const tookMs = clock.monotonicMs() - beganMonotonicMs;
    closeSync(file);
    return tookMs / SYNCS;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
