import { leaseKeyOf } from '../domain/usage-record';
import type { Disk } from './disk';
import { scanFrames } from './frame';
import { segmentName, segmentOf } from './group-commit';
import { decodeRecord, type SpoolRecord } from './records';
import type { SpoolState } from './state';

/** What replaying every segment found. */
export interface Replay {
  readonly lastSegment: number;
  /** The newest epoch that wrote anything; 0 for a new spool. */
  readonly lastEpoch: number;
  readonly spoolId: string | undefined;
  readonly tornBytes: number;
  readonly damagedPlaces: number;
}

/**
 * Reads the segments in order into `state`. The torn tail of the newest one is cut from the file;
 * a tail that is torn in an older one is damage, because its successor was begun after its last
 * sync. What was read of the newest one is durable in the end: a process that was killed may have
 * left whole records of which the disk knows nothing yet, and numbers go on behind them.
 */
export async function replaySegments(disk: Disk, state: SpoolState): Promise<Replay> {
  const numbers = (await disk.list())
    .map(segmentOf)
    .filter((number) => number !== undefined)
    .sort((a, b) => a - b);
  const lastSegment = numbers.at(-1) ?? 0;
  const found = { lastEpoch: 0, spoolId: undefined as string | undefined };
  let tornBytes = 0;
  let damagedPlaces = 0;
  for (const segment of numbers) {
    const file = await disk.read(segmentName(segment));
    const scan = scanFrames(file);
    damagedPlaces += scan.damagedPlaces;
    if (scan.tornBytes > 0 && segment === lastSegment) {
      tornBytes += scan.tornBytes;
      await disk.truncate(segmentName(segment), scan.keptBytes);
    } else if (scan.tornBytes > 0) {
      damagedPlaces += 1;
    } else if (segment === lastSegment) await syncSegment(disk, segment);
    state.addSegment(segment);
    state.addBytes(segment, scan.keptBytes);
    for (const frame of scan.frames) {
      const record = decodeRecord(frame.payload);
      if (record === undefined) damagedPlaces += 1;
      else {
        if (record.kind === 'header') {
          found.lastEpoch = Math.max(found.lastEpoch, record.epoch);
          found.spoolId = record.spoolId;
        }
        replayRecord(state, record, { segment, bytes: frame.bytes });
      }
    }
  }
  damagedPlaces += missingSegments(numbers);
  return { lastSegment, ...found, tornBytes, damagedPlaces };
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
      const { facts } = record;
      const progress = state.requests.get(facts.requestId)?.progress;
      if (!state.leases.has(leaseKeyOf(facts))) state.ensureLease(facts, 0);
      if (!state.requests.has(facts.requestId)) {
        const nowhere = { segment: undefined, bytes: 0, ending: false };
        state.requests.set(facts.requestId, { facts, progress, ...nowhere });
      }
      const request = state.requests.get(facts.requestId);
      if (request !== undefined) request.facts = facts;
      state.commitBegin(facts.requestId, at.segment, at.bytes);
      return;
    }
    case 'checkpoint': {
      const request = state.requests.get(record.requestId);
      if (request !== undefined) request.progress = record.progress;
      return;
    }
    case 'end':
    case 'close':
      state.commitEntry(record.entry, at.segment, at.bytes);
      return;
    case 'settled':
      for (const settlement of record.settlements) state.settle(settlement);
      return;
  }
}
