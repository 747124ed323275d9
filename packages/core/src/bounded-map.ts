import { TurnoverMap } from './turnover-map';

/**
 * A map that forgets its least recently used entry at its bound, so that no cache grows with what
 * clients send. Reading an entry makes it the most recent.
 */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): boolean;
  clear(): void;
  entries(): IterableIterator<[Key, Value]>;
  readonly size: number;
}

/** Creates a map of at most `sizeMax` entries (1 or more). */
export function createBoundedMap<Key, Value>(sizeMax: number): BoundedMap<Key, Value> {
  if (!Number.isInteger(sizeMax) || sizeMax < 1) {
    throw new RangeError('sizeMax must be an integer of at least 1');
  }
  // It iterates in insertion order: re-inserting on use keeps the oldest entry first.
  const map = new TurnoverMap<Key, Value>();
  // A busy entry is mostly the newest already, and re-inserting one costs more than finding it.
  let newest: Key | undefined;
  return {
    get(key) {
      const value = map.get(key);
      if (value === undefined || key === newest) return value;
      map.delete(key);
      map.set(key, value);
      newest = key;
      return value;
    },
    set(key, value) {
      map.delete(key);
      map.set(key, value);
      newest = key;
      if (map.size <= sizeMax) return;
      const oldest = map.keys().next();
      if (!oldest.done) map.delete(oldest.value);
    },
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
    entries: () => map.entries(),
    get size() {
      return map.size;
    },
  };
}
