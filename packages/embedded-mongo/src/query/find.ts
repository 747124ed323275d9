import { CommandError } from '../errors';
import type { Collection } from '../storage/collection';
import type { StoredDocument } from '../storage/rows';
import { decodeDocument } from '../values/decode';
import type { Document } from '../values/value';
import { type Filter, matches } from './filter';
import { type Plan, planQuery } from './plan';
import { compareSortKeys, type SortField, type SortKey, sortKeyOf } from './sort';

/** A match: its bytes, and its fields once somebody asks for them. */
export interface Match {
  readonly stored: StoredDocument;
  /** Decoded at the first call; the caller may change it in place. */
  document(): Document;
}

/** Which matches, in which order. A limit of 0 means all. */
export interface FindOptions {
  readonly filter: Filter;
  readonly sort: readonly SortField[];
  readonly limit: number;
}

/** Most bytes of matches that are held at once. */
const MATCHES_BYTES_MAX = 256 * 1_024 * 1_024;

/** The matches of a filter, complete before the caller sees them, so that it may write. */
export function findMatches(collection: Collection, options: FindOptions): Match[] {
  return collectBounded(streamMatches(collection, options));
}

/** How many documents match, counted up to the limit. */
export function countMatches(collection: Collection, filter: Filter, limit: number): number {
  let count = 0;
  for (const _match of streamMatches(collection, { filter, sort: [], limit })) count += 1;
  return count;
}

/** The matches one by one; nothing may be written before the last one was taken. */
function* streamMatches(collection: Collection, options: FindOptions): Iterable<Match> {
  const { filter, sort, limit } = options;
  const plan = planQuery(collection, filter, sort, limit > 0);
  const needsSort = sort.length > 0 && !(plan.kind === 'index' && plan.sorted);
  const unordered = matchesOf(collection, plan, filter);
  const ordered = needsSort ? sortMatches(collectBounded(unordered), sort) : unordered;
  let taken = 0;
  for (const match of ordered) {
    yield match;
    taken += 1;
    if (taken === limit) return;
  }
}

function collectBounded(matches: Iterable<Match>): Match[] {
  const found: Match[] = [];
  let bytes = 0;
  for (const match of matches) {
    bytes += match.stored.body.length;
    if (bytes > MATCHES_BYTES_MAX) {
      throw new CommandError(
        'ExceededMemoryLimit',
        `the matches have more than ${MATCHES_BYTES_MAX} bytes`,
      );
    }
    found.push(match);
  }
  return found;
}

function* matchesOf(collection: Collection, plan: Plan, filter: Filter): Iterable<Match> {
  const exact = plan.kind === 'ids' && plan.exact;
  for (const stored of candidates(collection, plan)) {
    const match = toMatch(stored);
    if (exact || matches(filter, match.document())) yield match;
  }
}

function toMatch(stored: StoredDocument): Match {
  let document: Document | undefined;
  return {
    stored,
    document() {
      document ??= decodeDocument(stored.body);
      return document;
    },
  };
}

function* candidates(collection: Collection, plan: Plan): Iterable<StoredDocument> {
  if (plan.kind === 'scan') {
    yield* collection.scan();
    return;
  }
  const seen = new Set<number>();
  if (plan.kind === 'ids') {
    for (const id of plan.ids) {
      const stored = collection.findById(id);
      if (stored === undefined || seen.has(stored.seq)) continue;
      seen.add(stored.seq);
      yield stored;
    }
    return;
  }
  const { index, ranges, reverse } = plan;
  const mayRepeat = index?.isMultikey() ?? false;
  for (const range of ranges) {
    const rows =
      index === undefined ? collection.scanIds(range, reverse) : index.scan(range, reverse);
    for (const stored of rows) {
      if (mayRepeat && seen.has(stored.seq)) continue;
      if (mayRepeat) seen.add(stored.seq);
      yield stored;
    }
  }
}

function sortMatches(found: readonly Match[], sort: readonly SortField[]): Match[] {
  const keyed: { readonly match: Match; readonly key: SortKey }[] = found.map((match) => ({
    match,
    key: sortKeyOf(match.document(), sort),
  }));
  keyed.sort((left, right) => compareSortKeys(left.key, right.key, sort));
  return keyed.map((entry) => entry.match);
}
