import { type NumberedRecord, toIsoTime, type UsageStart, ZERO_NANO } from '@tollgate/core';
import { leaseKeyOf, placeOf } from '../domain/lease-ref';
import { FREE_PRICES } from '../routing/candidate';
import { crashOutcome } from '../usage/crash-outcome';
import { toUsageRecord } from '../usage/to-usage-record';
import type { Disk } from './disk';
import { scanFrames } from './frame';
import { decodeRecord, type SpoolRecord } from './record';
import { segmentName, segmentNumberOf } from './segments';
import type { LeaseState, SpoolState } from './state';

/** The result of opening the spool. */
export interface RecoveryReport {
  /** Bytes after the last whole record: cut, and counted. */
  readonly tornBytes: number;
  /** Broken places in front of whole records, and records that cannot be read. */
  readonly damagedPlaces: number;
}

/** The result of replaying every segment. */
export interface Replay {
  readonly lastSegment: number;
  /** The newest epoch that wrote anything; 0 for a new spool. */
  readonly lastEpoch: number;
  readonly spoolId: string | undefined;
  readonly tornBytes: number;
  readonly damagedPlaces: number;
}

/**
 * Reads the segments in order into `state`. The torn tail of the newest one is cut from the file,
 * and the zeros that were written ahead. What was read of it is durable in the end: a process that
 * was killed may have left whole records of which the disk knows nothing yet, and numbers go on
 * behind them.
 */
export async function replaySegments(disk: Disk, state: SpoolState): Promise<Replay> {
  const numbers = (await disk.list())
    .map(segmentNumberOf)
    .filter((number) => number !== undefined)
    .sort((a, b) => a - b);
  const lastSegment = numbers.at(-1) ?? 0;
  const found = { lastEpoch: 0, spoolId: undefined as string | undefined };
  let tornBytes = 0;
  let damagedPlaces = 0;
  for (const segment of numbers) {
    const file = await disk.read(segmentName(segment));
    const content = segment === lastSegment ? readNewest(file) : readClosed(file);
    damagedPlaces += content.damagedPlaces;
    tornBytes += content.tornBytes;
    if (segment === lastSegment && content.keptBytes < file.length) {
      await disk.truncate(segmentName(segment), content.keptBytes);
    } else if (segment === lastSegment) await syncSegment(disk, segment);
    state.addSegment(segment);
    state.addBytes(segment, content.keptBytes);
    for (const { record, bytes } of content.frames) {
      if (record === undefined) damagedPlaces += 1;
      else {
        if (record.kind === 'header') {
          found.lastEpoch = Math.max(found.lastEpoch, record.epoch);
          found.spoolId = record.spoolId;
        }
        replayRecord(state, record, { segment, bytes });
      }
    }
  }
  damagedPlaces += missingSegments(numbers);
  if (damagedPlaces === 0) state.dropSettled();
  return { lastSegment, ...found, tornBytes, damagedPlaces };
}

interface SegmentFrame {
  /** Undefined when it cannot be read. */
  readonly record: SpoolRecord | undefined;
  readonly offset: number;
  readonly bytes: number;
}

interface SegmentContent {
  readonly frames: readonly SegmentFrame[];
  readonly keptBytes: number;
  readonly tornBytes: number;
  readonly damagedPlaces: number;
}

/** Reads a segment with a successor. That was begun after its last sync, so nothing may be missing. */
function readClosed(file: Buffer): SegmentContent {
  const { frames, keptBytes, tornBytes, brokenAt } = readFrames(file);
  const damagedPlaces = brokenAt.length + (tornBytes > 0 ? 1 : 0);
  return { frames, keptBytes, tornBytes: 0, damagedPlaces };
}

/**
 * Reads the newest segment. A machine that lost its power may have kept any blocks of what it had
 * not synced, so behind the last sync a broken place ends the file: records that follow it were
 * promised to nobody. A broken place in front of the last sync is damage.
 */
function readNewest(file: Buffer): SegmentContent {
  const content = withoutZerosAtEnd(file);
  const { frames, keptBytes, tornBytes, brokenAt } = readFrames(content);
  const syncedBytes = syncedBytesOf(frames, content.length < file.length);
  const cutAt = brokenAt.find((offset) => offset >= syncedBytes);
  if (cutAt === undefined) return { frames, keptBytes, tornBytes, damagedPlaces: brokenAt.length };
  return {
    frames: frames.filter(({ offset }) => offset < cutAt),
    keptBytes: cutAt,
    tornBytes: content.length - cutAt,
    damagedPlaces: brokenAt.filter((offset) => offset < cutAt).length,
  };
}

function readFrames(file: Buffer) {
  const scan = scanFrames(file);
  const frames: readonly SegmentFrame[] = scan.frames.map(({ payload, offset, bytes }) => ({
    record: decodeRecord(payload),
    offset,
    bytes,
  }));
  return { ...scan, frames };
}

/** No frame ends in a zero: its payload is text. */
function withoutZerosAtEnd(file: Buffer): Buffer {
  let end = file.length;
  while (end > 0 && file[end - 1] === 0) end -= 1;
  return file.subarray(0, end);
}

/**
 * What the records say of it. Where none does, nothing is synced yet, or an earlier version wrote
 * the segment, which wrote no zeros ahead: of that one all counts as synced.
 */
function syncedBytesOf(frames: readonly SegmentFrame[], isWrittenAhead: boolean): number {
  let syncedBytes: number | undefined;
  for (const { record } of frames) {
    if (record?.kind !== 'header' || record.syncedBytes === undefined) continue;
    syncedBytes = Math.max(record.syncedBytes, syncedBytes ?? 0);
  }
  return syncedBytes ?? (isWrittenAhead ? 0 : Number.POSITIVE_INFINITY);
}

async function syncSegment(disk: Disk, segment: number): Promise<void> {
  const file = await disk.open(segmentName(segment));
  try {
    await file.fdatasync();
  } finally {
    await file.close();
  }
}

// Segments are removed oldest first, so a hole between two of them is a lost file.
function missingSegments(numbers: readonly number[]): number {
  const first = numbers[0];
  const last = numbers.at(-1);
  if (first === undefined || last === undefined) return 0;
  return last - first + 1 - numbers.length;
}

function replayRecord(
  state: SpoolState,
  record: SpoolRecord,
  at: { readonly segment: number; readonly bytes: number },
): void {
  switch (record.kind) {
    case 'header':
      return;
    case 'lease': {
      const lease = state.ensureLease(record, record.epoch);
      lease.highest = Math.max(lease.highest, record.highest);
      lease.highestDurable = lease.highest;
      lease.closed ||= record.closed;
      lease.closedDurably = lease.closed;
      return;
    }
    case 'begin': {
      const { start } = record;
      if (!state.leases.has(leaseKeyOf(start))) state.ensureLease(start, 0);
      state.openRequest(start);
      state.commitBegin(start.requestId, at.segment, at.bytes);
      return;
    }
    case 'checkpoint': {
      const request = state.requests.get(record.requestId);
      if (request !== undefined) request.progress = record.progress;
      return;
    }
    case 'usage':
    case 'close':
      state.commitNumbered(record, at.segment, at.bytes);
      return;
    case 'settled':
      for (const watermark of record.settlements) state.forget(watermark);
      return;
  }
}

/** Who writes the missing records. */
export interface RecoveryWriter {
  readonly holder: string;
  readonly epoch: number;
  readonly now: number;
}

/**
 * The records that end what an older epoch left open, in the order in which they are appended: an
 * END for each BEGIN without one, then a CLOSE for each lease that has none. A damaged spool cannot
 * say what was delivered, so its open requests end at zero, and every number that billing waits for
 * is given, so that no lease is stuck behind a record that was lost. `state` has heard from billing
 * which those are.
 */
export function planRecovery(
  state: SpoolState,
  writer: RecoveryWriter,
  isDamaged: boolean,
): readonly NumberedRecord[] {
  const leases = [...state.leases.values()].filter((lease) => lease.epoch < writer.epoch);
  const numbers = new Map(
    leases.map((lease) => [leaseKeyOf(lease), createNumbers(lease, isDamaged)]),
  );
  const records: NumberedRecord[] = [];
  for (const request of state.requests.values()) {
    const given = numbers.get(leaseKeyOf(request.start));
    if (given === undefined) continue;
    const outcome = crashOutcome(
      request.start,
      isDamaged ? undefined : request.progress,
      writer.now,
    );
    const { start } = request;
    records.push(toUsageRecord(start, outcome, placeOf(start, given.next(), writer)));
  }
  for (const lease of leases) {
    const given = numbers.get(leaseKeyOf(lease));
    if (given === undefined) continue;
    for (const number of given.missing()) {
      const start = lostStart(lease, number, writer.now);
      const outcome = crashOutcome(start, undefined, writer.now);
      records.push(toUsageRecord(start, outcome, placeOf(lease, number, writer)));
    }
    if (lease.closed) continue;
    records.push({
      kind: 'close',
      ...placeOf(lease, given.next(), writer),
      endedAt: toIsoTime(writer.now),
    });
  }
  return records;
}

interface Numbers {
  next(): number;
  /** Numbers below the next one that nothing in the file has and billing has not settled. */
  missing(): readonly number[];
}

function createNumbers(lease: LeaseState, isDamaged: boolean): Numbers {
  const missing: number[] = [];
  if (isDamaged) {
    const present = new Set(lease.records.map(({ record }) => record.number));
    for (let number = lease.billingNext; number <= lease.highest; number += 1) {
      if (!present.has(number)) missing.push(number);
    }
  }
  let next = Math.max(lease.highest + 1, lease.billingNext);
  return {
    next() {
      const lost = missing.shift();
      if (lost !== undefined) return lost;
      next += 1;
      return next - 1;
    },
    missing: () => missing.splice(0),
  };
}

// A number whose record the damage took: it is settled at zero in the place of what was lost.
function lostStart(lease: LeaseState, number: number, now: number): UsageStart {
  return {
    requestId: `lost_${lease.accountId}_${lease.lease}_${number}`,
    clientRequestId: undefined,
    accountId: lease.accountId,
    lease: lease.lease,
    keyId: 'unknown',
    userId: undefined,
    model: 'unknown',
    requestedModel: 'unknown',
    channelId: undefined,
    ownChannel: false,
    priceVersion: 1,
    prices: FREE_PRICES,
    reserved: ZERO_NANO,
    stream: false,
    startedAt: toIsoTime(now),
    budget: undefined,
  };
}

/** The choices that decide whether money is right; the model check replaces them one by one. */
export interface SpoolRules {
  /** The number that follows `highest` in a lease. */
  nextNumber(highest: number): number;
  planRecovery: typeof planRecovery;
}

/** The rules as they must be. */
export const spoolRules: SpoolRules = { nextNumber: (highest) => highest + 1, planRecovery };
