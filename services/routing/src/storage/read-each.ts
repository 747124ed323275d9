/**
 * What can be read of the documents: one that was damaged by hand keeps no other from being served.
 * `onUnreadable` hears of each that cannot. Throws when there are some and none can be read.
 */
export function readEach<Document extends { readonly _id: string }, Item>(
  documents: readonly Document[],
  read: (document: Document) => Item,
  onUnreadable: (id: string, error: unknown) => void,
): readonly Item[] {
  const items: Item[] = [];
  const unreadable = new Map<string, unknown>();
  for (const document of documents) {
    try {
      items.push(read(document));
    } catch (error) {
      unreadable.set(document._id, error);
    }
  }
  if (items.length === 0 && unreadable.size > 0) {
    const [cause] = unreadable.values();
    throw new Error('none of the documents can be read', { cause });
  }
  for (const [id, error] of unreadable) onUnreadable(id, error);
  return items;
}
