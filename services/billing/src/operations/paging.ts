/** Where a page begins and how long it is. */
interface PageOf<Place> {
  /** The last of the page before; undefined for the first page. */
  readonly after: Place | undefined;
  readonly limit: number;
}

/**
 * Reads a long list page by page, so that no answer of a store grows with the number of accounts;
 * ends early when the signal aborts.
 */
export async function* pagesOf<Place>(
  list: (page: PageOf<Place>) => Promise<readonly Place[]>,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Place[]> {
  let after: Place | undefined;
  do {
    const page = await list({ after, limit });
    yield page;
    after = page.length < limit ? undefined : page.at(-1);
  } while (after !== undefined && signal?.aborted !== true);
}
