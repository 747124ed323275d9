import type { Disk } from './disk';
import { encodeRecord } from './record';
import { segmentName } from './segments';
import type { SpooledRecord, SpoolState } from './state';

/**
 * A segment with less than this share of needed bytes is emptied by copying them forward; so is a
 * fuller one when the whole has less, because it holds up the removal of all behind it.
 */
const SPARSE_SHARE = 0.25;

export interface Compaction {
  readonly state: SpoolState;
  readonly disk: Disk;
  /** The newest segment whose opening frames are durable: only older ones may go. */
  readonly durableSegment: number;
  append(frame: Buffer, committed?: (segment: number) => void): Promise<void>;
}

/**
 * Removes segments that nobody needs, oldest first only, so that an END never goes before its
 * BEGIN. A segment with little left in it is emptied first: what is open or unsettled is appended
 * again, and replay takes the younger copy.
 */
export async function compactSegments(compaction: Compaction): Promise<void> {
  const { state, disk } = compaction;
  let removed = 0;
  for (const [segment, needed] of state.segments) {
    if (segment >= compaction.durableSegment) break;
    const isSparse =
      needed.liveBytes < needed.bytes * SPARSE_SHARE ||
      state.liveBytes < state.totalBytes * SPARSE_SHARE;
    if (needed.liveCount > 0 && isSparse) {
      await carryForward(compaction, segment);
    }
    if (needed.liveCount > 0) break;
    await disk.remove(segmentName(segment));
    state.segments.delete(segment);
    removed += 1;
  }
  if (removed > 0) await disk.syncDirectory();
}

async function carryForward(compaction: Compaction, segment: number): Promise<void> {
  const { state, append } = compaction;
  const copies: Promise<void>[] = [];
  for (const [requestId, { start, progress, segment: from, ending }] of state.requests.entries()) {
    // A BEGIN behind its own END would have a restart end the request a second time.
    if (from !== segment || ending) continue;
    const frame = encodeRecord({ kind: 'begin', start });
    copies.push(append(frame, (to) => state.commitBegin(requestId, to, frame.length)));
    if (progress !== undefined) {
      copies.push(append(encodeRecord({ kind: 'checkpoint', requestId, progress })));
    }
  }
  const copyRecord = (spooled: SpooledRecord) =>
    append(encodeRecord(spooled.record), (to) => state.moveRecord(spooled, to));
  for (const lease of state.leases.values()) {
    for (const spooled of lease.records) {
      if (spooled.segment === segment) copies.push(copyRecord(spooled));
    }
  }
  await Promise.all(copies);
}
