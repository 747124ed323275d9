import { invalid } from './invalid';

/** A page as asked for. */
export interface PageRequest {
  /** 0 means the default. */
  readonly limit: number;
  /** As answered before; empty for the first page. */
  readonly cursor: string;
}

/** A page as a store reads it: newest first, after the id. */
export interface PageWindow {
  readonly limit: number;
  readonly beforeId: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const ID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Reads the request; the store must be asked for one item more than the limit. */
export function windowOf({ limit, cursor }: PageRequest): PageWindow {
  if (limit > LIMIT_MAX) throw invalid('limit', `limit must be from 1 to ${LIMIT_MAX}.`);
  const pageLimit = limit === 0 ? LIMIT_DEFAULT : limit;
  if (cursor === '') return { limit: pageLimit, beforeId: undefined };
  const beforeId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!ID.test(beforeId)) throw invalid('cursor', 'cursor must be a next_cursor of this list.');
  return { limit: pageLimit, beforeId };
}

/** Cuts what the store gave to the limit; one item more means that there is a next page. */
export function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  window: PageWindow,
): Page<Item> {
  const items = found.slice(0, window.limit);
  const last = items.at(-1);
  const more = found.length > window.limit && last !== undefined;
  return { items, nextCursor: more ? Buffer.from(last.id).toString('base64url') : '' };
}
