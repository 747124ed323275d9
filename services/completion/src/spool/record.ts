import {
  chunksOf,
  type NumberedRecord,
  type UsageRecord,
  type UsageStart,
  writeUsageRecordText,
  writeUsageStartText,
  writtenRecords,
} from '@tollgate/core';
import type { LeaseRef, LeaseWatermark } from '../domain/lease-ref';
import type { Progress } from '../usage/crash-outcome';
import { encodeTextFrame } from './frame';
import type { LeaseState } from './state';

/** First record of every segment, and of every group of records that is synced together. */
export interface HeaderRecord {
  readonly kind: 'header';
  readonly spoolId: string;
  readonly epoch: number;
  readonly segment: number;
  /** Bytes of the segment that were synced before; absent where an earlier version wrote it. */
  readonly syncedBytes?: number;
}

/** A lease that this spool has or had, and the highest number it has given. */
export interface LeaseRecord extends LeaseRef {
  readonly kind: 'lease';
  readonly epoch: number;
  readonly highest: number;
  readonly closed: boolean;
}

/** A request that may cost something from now on. A second one for a request replaces the first. */
export interface BeginRecord {
  readonly kind: 'begin';
  readonly start: UsageStart;
}

/** The part of an answer that was delivered so far. */
export interface CheckpointRecord {
  readonly kind: 'checkpoint';
  readonly requestId: string;
  readonly progress: Progress;
}

/** The numbers that billing reported as settled; saves a restart from sending it all again. */
export interface SettledRecord {
  readonly kind: 'settled';
  readonly settlements: readonly LeaseWatermark[];
}

/** Everything that a spool file can hold. END and CLOSE are the records that billing settles. */
export type SpoolRecord =
  | HeaderRecord
  | LeaseRecord
  | BeginRecord
  | CheckpointRecord
  | NumberedRecord
  | SettledRecord;

/** The record as a frame for the file. */
export function encodeRecord(record: SpoolRecord): Buffer {
  switch (record.kind) {
    case 'begin':
      return encodeTextFrame(EVENT_NAMES_FORMAT, writeUsageStartText(record.start));
    case 'usage':
    case 'close':
      return encodeTextFrame(EVENT_NAMES_FORMAT, writeUsageRecordText(record));
    default:
      return encodeTextFrame('', JSON.stringify(record));
  }
}

/** A lease as a segment tells of it. */
export function encodeLease(ref: LeaseState, highest: number, closed: boolean): Buffer {
  const { accountId, lease, epoch } = ref;
  return encodeRecord({ kind: 'lease', accountId, lease, epoch, highest, closed });
}

/** About a hundred bytes each; a record may have 64 KiB. */
const WATERMARKS_PER_RECORD = 200;

/** What billing says that it has settled, in as many records as that takes. */
export function encodeSettlements(watermarks: readonly LeaseWatermark[]): readonly Buffer[] {
  return chunksOf(watermarks, WATERMARKS_PER_RECORD).map((settlements) =>
    encodeRecord({ kind: 'settled', settlements }),
  );
}

/**
 * First byte of the payload of BEGIN, END and CLOSE: JSON with the member names of the usage events
 * follows. Every other payload begins with its JSON.
 */
const EVENT_NAMES_FORMAT = '\u0002';

function decodeWithEventNames(text: string): SpoolRecord | undefined {
  const value = JSON.parse(text.slice(EVENT_NAMES_FORMAT.length)) as { readonly kind: unknown };
  if (value.kind === 'begin') {
    // A start has a part of a record's members, and the rest of them are not looked at.
    return { kind: 'begin', start: writtenRecords.read('usage', value) as UsageRecord };
  }
  if (value.kind !== 'usage' && value.kind !== 'close') return undefined;
  return writtenRecords.read(value.kind, value);
}

/** Reads a payload; undefined when it is no record of ours (damage, or a newer version's kind). */
export function decodeRecord(payload: Buffer): SpoolRecord | undefined {
  try {
    const text = payload.toString();
    return text.startsWith(EVENT_NAMES_FORMAT) ? decodeWithEventNames(text) : decodeJson(text);
  } catch {
    return undefined;
  }
}

function decodeJson(text: string): SpoolRecord | undefined {
  const record = JSON.parse(text) as SpoolRecord;
  switch (record.kind) {
    case 'header':
    case 'lease':
    case 'settled':
    case 'checkpoint':
      return record;
    default:
      return undefined;
  }
}
