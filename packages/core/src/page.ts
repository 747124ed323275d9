import { type AppError, invalid } from './app-error';
import { type IdKind, isId, isIdOfAnyKind } from './ids';

/** How many items a page of a list has: when nothing is asked, and at most. */
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 200;

/** One page of a list; the cursor is empty on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string;
}

/** A page as a client asks for it. */
export interface PageRequest {
  /** 0 asks for the usual number. */
  readonly limit: number;
  /** The `nextCursor` of the page before; empty for the first one. */
  readonly cursor: string;
}

/** A page as a store of things with ids reads it: newest first, after the id. */
export interface PageWindow {
  readonly limit: number;
  readonly beforeId: string | undefined;
}

/** A page of what is read in ascending order of ids. */
export interface IdPage {
  /** The last id of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** How many items a page holds when a client asks for `limit`; 0 asks for the usual number. */
export function pageSize(limit: number, sizeMax = PAGE_SIZE_MAX): number {
  return limit === 0 ? PAGE_SIZE_DEFAULT : Math.min(limit, sizeMax);
}

/** Makes a page of a list that was read one item further than its size. */
export function pageByCursor<Item>(
  found: readonly Item[],
  size: number,
  cursorOf: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : '' };
}

/**
 * The window of a request for what is read newest first; the store is asked for one item more than its
 * limit. Released cursors of such lists are encoded ids, those of `idPageOf` the ids themselves.
 */
export function windowOf({ limit, cursor }: PageRequest): PageWindow {
  const window = { limit: pageSize(limit), beforeId: undefined };
  if (cursor === '') return window;
  const beforeId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!isIdOfAnyKind(beforeId)) throw invalidCursor();
  return { ...window, beforeId };
}

/**
 * The page of a request for what is read in ascending order of ids of the kind; the store is asked
 * for one item more than its limit.
 */
export function idPageOf(kind: IdKind, { limit, cursor }: PageRequest): IdPage {
  if (cursor !== '' && !isId(kind, cursor)) throw invalidCursor();
  return { limit: pageSize(limit), after: cursor === '' ? undefined : cursor };
}

/** Refuses a cursor that the list never gave. */
export function invalidCursor(): AppError {
  return invalid('cursor', 'cursor must be a next_cursor of this list.');
}

/** The page of what the store gave for the window. */
export function pageById<Item extends { readonly id: string }>(
  found: readonly Item[],
  { limit }: PageWindow,
): Page<Item> {
  return pageByCursor(found, limit, ({ id }) => Buffer.from(id).toString('base64url'));
}
