/** The bounds of one store that a caller may set. */
export interface StoreBounds {
  /** Largest document, bytes. */
  readonly documentBytesMax: number;
  /** Largest wire message in either direction, bytes. */
  readonly messageBytesMax: number;
  /** Most statements or documents in one write command. */
  readonly writeBatchMax: number;
  /** Most connections at once; a further one is closed at once. */
  readonly connectionsMax: number;
  /** Most open cursors. */
  readonly cursorsMax: number;
  /** Most bytes of results that open cursors hold in memory together. */
  readonly resultBytesMax: number;
  /** An unread cursor is forgotten after this time. */
  readonly cursorIdleMs: number;
  /** How often expired documents are looked for. */
  readonly expirySweepIntervalMs: number;
  /** Most documents that one step of a sweep deletes from one index. */
  readonly expirySweepDocumentsMax: number;
}

/** MongoDB's own sizes where it has one. */
export const DEFAULT_BOUNDS: StoreBounds = {
  documentBytesMax: 16 * 1_024 * 1_024,
  messageBytesMax: 48_000_000,
  writeBatchMax: 100_000,
  connectionsMax: 1_000,
  cursorsMax: 1_000,
  resultBytesMax: 256 * 1_024 * 1_024,
  cursorIdleMs: 600_000,
  expirySweepIntervalMs: 10_000,
  expirySweepDocumentsMax: 1_000,
};
