import type { BearerFault, RejectedCandidate } from '@tollgate/core';
import type { BucketIncrement, Granularity } from './bucket';
import type { DenialBucket, DenialKind } from './denial-bucket';
import type { Dimensions, LedgerEntry } from './ledger-entry';
import type { Figures } from './usage-figures';

/** One stored bucket. */
export interface StoredFigures {
  readonly dimensions: Dimensions;
  readonly startMs: number;
  readonly figures: Figures;
}

/** How far an account's ledger is in the figures. */
export interface LedgerCursor {
  readonly accountId: string;
  readonly seq: bigint;
  /** When that entry was posted. */
  readonly atMs: number;
}

/** Which figures a query reads. */
export interface FigureFilter {
  /** Empty for every account. */
  readonly accountIds: readonly string[];
  readonly granularity: Granularity;
  readonly startMs: number;
  readonly endMs: number;
  readonly models: readonly string[];
  readonly keyIds: readonly string[];
}

/** How often requests of one key, or of none, were denied or not served within a bucket. */
export interface DeniedRequests {
  readonly accountId: string;
  readonly keyId: string;
  readonly kind: DenialKind;
  readonly atMs: number;
  readonly count: number;
}

/** Where figures are kept. */
export interface FigureStore {
  /** Sequences of those buckets that exist, by id. Damaged documents reject: INTERNAL_ERROR. */
  sequences(bucketIds: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** At most one increment a bucket. False when some had moved on: read again, add what lacks. */
  add(increments: readonly BucketIncrement[]): Promise<boolean>;
  /** Sequences of those accounts that have a cursor. */
  cursors(accountIds: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Moves cursors forward; one that is further already stays. */
  setCursors(cursors: readonly LedgerCursor[]): Promise<void>;
  /** When the newest applied entry was posted, of the account or of any; undefined before the first. */
  newestEntryMs(accountId: string | undefined): Promise<number | undefined>;
  /** The buckets in any order; no more of them are in memory than one batch. */
  read(filter: FigureFilter): AsyncIterable<StoredFigures>;
}

/** Where denials are kept, in buckets of time as figures are. */
export interface DenialStore {
  /** Those buckets that exist, by id. */
  find(bucketIds: readonly string[]): Promise<ReadonlyMap<string, DenialBucket>>;
  /** Replaces them. False when some had moved on: read again, add what lacks. */
  replace(buckets: readonly DenialBucket[]): Promise<boolean>;
  read(filter: FigureFilter): AsyncIterable<DeniedRequests>;
}

/** A request that a gateway refused before a vendor was asked. */
export interface RefusedRequest {
  readonly requestId: string;
  /** Empty when it is not known whose request it was. */
  readonly accountId: string;
  /** Empty when no key is known, and for a signed-in user. */
  readonly keyId: string;
  readonly gatewayId: string;
  readonly errorCode: string;
  readonly message: string;
  /** The field at fault; absent when none was, and in those of an earlier version. */
  readonly param?: string;
  readonly requestedModel?: string;
  /** Where it came from: of a 401, of a wrong path, and if its key may not be used from there. */
  readonly address?: string;
  /** What was presented, of a 401 and of a wrong path. The fault is '' when nobody looked it up. */
  readonly bearer?: { readonly fault: BearerFault | ''; readonly presented: string };
  /** Of a wrong path or method, and of a 401 of what is no completion: its plain words. */
  readonly path?: string;
  /** Of a request that no channel could take. */
  readonly rejected?: readonly RejectedCandidate[];
  readonly atMs: number;
}

/** Where refused requests are kept for a day. */
export interface RefusedRequestStore {
  /** Those that are there already stay as they are. */
  add(refused: readonly RefusedRequest[]): Promise<void>;
  find(requestId: string): Promise<RefusedRequest | undefined>;
  /** Newest first, at most `limit`. */
  list(page: {
    /** Undefined for every account. */
    readonly accountId: string | undefined;
    /** Only those before this one. */
    readonly beforeRequestId: string | undefined;
    readonly limit: number;
  }): Promise<readonly RefusedRequest[]>;
}

/** The ledger itself, for what the stream did not bring. */
export interface Ledger {
  /** Entries after the sequence, ascending, at most `limit`. */
  listAfter(accountId: string, seq: bigint, limit: number): Promise<readonly LedgerEntry[]>;
}
