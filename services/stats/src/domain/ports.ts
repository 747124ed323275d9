import type { Granularity } from './bucket';
import type { Dimensions, Figures, UsageFact } from './usage-figures';

/** One stored bucket. `seq` is the newest ledger entry in it: an older one is in it already. */
export interface StoredFigures {
  readonly dimensions: Dimensions;
  readonly granularity: Granularity;
  readonly startMs: number;
  readonly seq: bigint;
  readonly figures: Figures;
}

/** Identifies a bucket. */
export interface BucketKey {
  readonly dimensions: Dimensions;
  readonly granularity: Granularity;
  readonly startMs: number;
}

/** Adds to a bucket as long as it still is at `expectedSeq` (0 for a bucket that is not there). */
export interface BucketIncrement extends BucketKey {
  readonly expectedSeq: bigint;
  readonly seq: bigint;
  readonly figures: Figures;
}

/** Which figures a query reads. */
export interface FigureFilter {
  /** Undefined for every account. */
  readonly accountId: string | undefined;
  readonly granularity: Granularity;
  readonly startMs: number;
  readonly endMs: number;
  readonly models: readonly string[];
  readonly keyIds: readonly string[];
}

/** Refusals within one window. */
export interface Denials {
  /** The event's id: a repeated delivery is the same refusals. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly atMs: number;
  readonly count: number;
}

/** Where figures are kept. */
export interface FigureStore {
  /** Sequences of those buckets that exist, in the order asked; 0 for the others. */
  sequences(keys: readonly BucketKey[]): Promise<readonly bigint[]>;
  /** False when some bucket had moved on: read again and add what is missing. */
  add(increments: readonly BucketIncrement[]): Promise<boolean>;
  cursor(accountId: string): Promise<bigint>;
  setCursor(accountId: string, seq: bigint, atMs: number): Promise<void>;
  /** When the newest applied entry was posted; undefined before the first. */
  newestEntryMs(accountId: string | undefined): Promise<number | undefined>;
  /** At most `limit` buckets. */
  read(filter: FigureFilter, limit: number): Promise<readonly StoredFigures[]>;
  addDenials(denials: readonly Denials[]): Promise<void>;
  readDenials(filter: FigureFilter, limit: number): Promise<readonly Denials[]>;
}

/** The ledger itself, for what the stream did not bring. */
export interface Ledger {
  /** Entries after the sequence, ascending, at most `limit`. */
  listAfter(accountId: string, seq: bigint, limit: number): Promise<readonly UsageFact[]>;
}
