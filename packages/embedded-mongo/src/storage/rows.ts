import type { StatementSync } from 'node:sqlite';

/** A document as it lies on disk. `seq` is its place in insertion order and never changes. */
export interface StoredDocument {
  readonly seq: number;
  readonly body: Buffer;
}

/** Index keys from `from` (included) to `to` (excluded). */
export interface KeyRange {
  readonly from: Buffer;
  readonly to: Buffer;
}

/** A row of `(seq, body)` as a StoredDocument, sharing the bytes. */
export function toStored(row: Record<string, unknown>): StoredDocument {
  const body = row.body as Uint8Array;
  return {
    seq: row.seq as number,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

/** Rows one by one; leaving the loop early releases the statement. */
export function* readRows(
  statement: StatementSync,
  parameters: readonly (Uint8Array | number)[],
): Iterable<StoredDocument> {
  for (const row of statement.iterate(...parameters)) yield toStored(row);
}
