import { forEachConcurrently } from './for-each-concurrently';
import { NOTHING_FOUND } from './repeat';

/** Where a page begins and how long it may be. */
export interface PageStart<Item> {
  /** The last of the page before; undefined for the first page. */
  readonly after: Item | undefined;
  readonly limit: number;
}

/**
 * Reads a long list page by page, so that no answer of a store grows with the number of accounts;
 * ends early when the signal aborts.
 */
export async function* pagesOf<Item>(
  list: (page: PageStart<Item>) => Promise<readonly Item[]>,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  let after: Item | undefined;
  do {
    const page = await list({ after, limit });
    yield page;
    after = page.length < limit ? undefined : page.at(-1);
  } while (after !== undefined && signal?.aborted !== true);
}

/** How many are read, and how many of them worked on, together. */
interface PageBounds {
  readonly pageSize: number;
  readonly atOnceMax: number;
  readonly signal: AbortSignal;
}

/**
 * Works on everything that the list has, page by page, until the signal aborts; returns
 * NOTHING_FOUND when it had nothing.
 */
export async function forEachFound<Item>(
  list: (page: PageStart<Item>) => Promise<readonly Item[]>,
  { pageSize, ...atOnce }: PageBounds,
  work: (item: Item) => Promise<unknown>,
): Promise<typeof NOTHING_FOUND | undefined> {
  let isEmpty = true;
  for await (const page of pagesOf(list, pageSize, atOnce.signal)) {
    if (page.length > 0) isEmpty = false;
    await forEachConcurrently(page, atOnce, work);
  }
  return isEmpty ? NOTHING_FOUND : undefined;
}
