/** Holds a value for as long as it is a member. */
interface Cell<Value> {
  value: Value | undefined;
}

/**
 * A map for what comes and goes all the time, such as the requests that run.
 *
 * V8 gives a Map or a Set a new table when entries have come and gone, leaves the entries in the old
 * one, and lets that point at the new one. Once a single table is old enough for the old generation,
 * all that follow it live until that generation is collected, and with them every value that was
 * ever a member: each request would be copied twice and collected late, as if it had lasted. Here a
 * table holds cells, and a value that leaves empties its cell.
 */
export class TurnoverMap<Key, Value> {
  readonly #cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.#cells.size;
  }

  has(key: Key): boolean {
    return this.#cells.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value;
  }

  /** One that is a member already keeps its cell. */
  set(key: Key, value: Value): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, { value });
    else cell.value = value;
  }

  delete(key: Key): boolean {
    const cell = this.#cells.get(key);
    if (cell === undefined) return false;
    cell.value = undefined;
    return this.#cells.delete(key);
  }

  clear(): void {
    for (const key of this.#cells.keys()) this.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#cells.keys();
  }

  /** In the order in which they came. */
  *entries(): IterableIterator<[Key, Value]> {
    for (const [key, { value }] of this.#cells) yield [key, value as Value];
  }

  *values(): IterableIterator<Value> {
    for (const { value } of this.#cells.values()) yield value as Value;
  }
}
