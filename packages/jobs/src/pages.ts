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
