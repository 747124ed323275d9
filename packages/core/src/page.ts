const SIZE_DEFAULT = 50;
const SIZE_MAX = 200;

/** One page of a list; the cursor is empty on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string;
}

/** How many items a page holds when a client asks for `limit`; 0 asks for the usual number. */
export function pageSize(limit: number): number {
  return limit === 0 ? SIZE_DEFAULT : Math.min(limit, SIZE_MAX);
}

/** Makes a page of a list that was read one item further than its size. */
export function toPage<Item>(
  found: readonly Item[],
  size: number,
  cursorOf: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : '' };
}
