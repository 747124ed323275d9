/** Work under way, by a key. */
export interface SharedWork<Value> {
  /**
   * Does the work, or waits for the same that is under way: then both get one promise. Once that has
   * settled nothing is remembered of it.
   */
  run(key: string, work: () => Promise<Value>): Promise<Value>;
  /** Whether work of this key is under way. */
  has(key: string): boolean;
  /** How much is under way. */
  readonly size: number;
}

export function createSharedWork<Value>(): SharedWork<Value> {
  const running = new Map<string, Promise<Value>>();
  return {
    run(key, work) {
      const underWay = running.get(key);
      if (underWay !== undefined) return underWay;
      const promise = work().finally(() => running.delete(key));
      running.set(key, promise);
      return promise;
    },
    has: (key) => running.has(key),
    get size() {
      return running.size;
    },
  };
}
