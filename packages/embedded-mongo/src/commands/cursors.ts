import type { Clock } from '@tollgate/core';
import type { StoreBounds } from '../bounds';
import { CommandError } from '../errors';
import type { Encodable } from '../values/encode';

/** Answers of an unfinished query, already encoded. */
interface Cursor {
  readonly namespace: string;
  readonly documents: readonly Buffer[];
  readonly bytes: number;
  next: number;
  idleSinceMs: number;
}

/** One batch as it stands in an answer. */
export interface Batch {
  /** 0 when nothing is left. */
  readonly cursorId: bigint;
  readonly namespace: string;
  readonly documents: readonly Buffer[];
}

/** How a result is cut. */
export interface BatchOptions {
  readonly batchSize: number;
  /** The rest is dropped instead of kept for getMore. */
  readonly singleBatch: boolean;
}

/** The open cursors. Results are complete when a cursor opens: later writes do not change them. */
export interface CursorTable {
  open(namespace: string, documents: readonly Buffer[], options: BatchOptions): Batch;
  more(cursorId: bigint, namespace: string, batchSize: number): Batch;
  kill(cursorId: bigint): boolean;
}

/** Documents of a first batch when the caller names no size. */
export const FIRST_BATCH_SIZE = 101;
/** Leaves room for the rest of the answer in a message. */
const BATCH_BYTES_MAX = 16_000_000;

/** Keeps a bounded number of cursors with a bounded number of bytes. */
export function createCursorTable(clock: Clock, bounds: StoreBounds): CursorTable {
  const cursors = new Map<bigint, Cursor>();
  let nextId = 1n;
  let bytes = 0;

  const forget = (id: bigint): boolean => {
    const cursor = cursors.get(id);
    if (cursor === undefined) return false;
    bytes -= cursor.bytes;
    return cursors.delete(id);
  };

  const forgetIdle = () => {
    const oldest = clock.monotonicMs() - bounds.cursorIdleMs;
    for (const [id, cursor] of cursors) if (cursor.idleSinceMs < oldest) forget(id);
  };

  const keep = (cursor: Cursor): bigint => {
    forgetIdle();
    if (cursors.size >= bounds.cursorsMax || bytes + cursor.bytes > bounds.resultBytesMax) {
      throw new CommandError(
        'ExceededMemoryLimit',
        `too much is held by open cursors (${cursors.size} cursors, ${bytes} bytes)`,
      );
    }
    const id = nextId;
    nextId += 1n;
    bytes += cursor.bytes;
    cursors.set(id, cursor);
    return id;
  };

  return {
    open(namespace, documents, options) {
      const batch = takeBatch(documents, 0, options.batchSize);
      const rest = documents.slice(batch.length);
      if (rest.length === 0 || options.singleBatch) {
        return { cursorId: 0n, namespace, documents: batch };
      }
      const restBytes = rest.reduce((sum, document) => sum + document.length, 0);
      const idleSinceMs = clock.monotonicMs();
      const cursor = { namespace, documents: rest, bytes: restBytes, next: 0, idleSinceMs };
      return { cursorId: keep(cursor), namespace, documents: batch };
    },

    more(cursorId, namespace, batchSize) {
      const cursor = cursors.get(cursorId);
      if (cursor === undefined || cursor.namespace !== namespace) {
        throw new CommandError('CursorNotFound', `cursor id ${cursorId} not found`);
      }
      const size = batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize;
      const batch = takeBatch(cursor.documents, cursor.next, size);
      cursor.next += batch.length;
      cursor.idleSinceMs = clock.monotonicMs();
      const finished = cursor.next >= cursor.documents.length;
      if (finished) forget(cursorId);
      return { cursorId: finished ? 0n : cursorId, namespace, documents: batch };
    },

    kill: forget,
  };
}

function takeBatch(documents: readonly Buffer[], from: number, size: number): readonly Buffer[] {
  let bytes = 0;
  let end = from;
  while (end < documents.length && end - from < size) {
    bytes += documents[end]?.length ?? 0;
    if (bytes > BATCH_BYTES_MAX && end > from) break;
    end += 1;
  }
  return documents.slice(from, end);
}

/** The `cursor` member of an answer. */
export function cursorMember(batch: Batch, name: 'firstBatch' | 'nextBatch'): Encodable {
  return new Map<string, Encodable>([
    [name, batch.documents],
    ['id', batch.cursorId],
    ['ns', batch.namespace],
  ]);
}
