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

/** Holds a value for as long as it is a member. */
interface Place<Value> {
  value: Value | undefined;
}

/**
 * A map for what comes and goes all the time, such as the requests that run.
 *
 * V8 gives a Map or a Set a new table when entries have come and gone, leaves the entries in the old
 * one, and lets that point at the new one. Once a single table is old enough for the old generation,
 * all that follow it live until that generation is collected, and with them every value that was
 * ever a member: each request would be copied twice and collected late, as if it had lasted. Here a
 * table holds places, and a value that leaves leaves its place.
 */
export class TurnoverMap<Key, Value> {
  readonly #places = new Map<Key, Place<Value>>();

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value;
  }

  /** One that is a member already keeps its place. */
  set(key: Key, value: Value): void {
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { value });
    else place.value = value;
  }

  delete(key: Key): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    place.value = undefined;
    return this.#places.delete(key);
  }

  clear(): void {
    for (const key of this.#places.keys()) this.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#places.keys();
  }

  /** In the order in which they came. */
  *entries(): IterableIterator<[Key, Value]> {
    for (const [key, { value }] of this.#places) yield [key, value as Value];
  }

  *values(): IterableIterator<Value> {
    for (const { value } of this.#places.values()) yield value as Value;
  }
}
