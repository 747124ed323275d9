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
