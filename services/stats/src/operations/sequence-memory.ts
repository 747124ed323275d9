import { createBoundedMap } from '@tollgate/core';

/**
 * Sequences that this process read or wrote. Sequences only grow, so a remembered one is at most
 * behind, when another consumer wrote; the store's guard finds that out, and it is forgotten.
 */
export interface SequenceMemory {
  /** The sequence of every id; those not remembered are read together, 0 for what is not there. */
  resolve(ids: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  remember(id: string, seq: bigint): void;
  forget(id: string): void;
}

/** Remembers at most `sizeMax` sequences, the least recently used go first. */
export function createSequenceMemory(
  sizeMax: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, bigint>>,
): SequenceMemory {
  const known = createBoundedMap<string, bigint>(sizeMax);
  return {
    async resolve(ids) {
      const resolved = new Map<string, bigint>();
      const unknown: string[] = [];
      for (const id of ids) {
        const seq = known.get(id);
        if (seq === undefined) unknown.push(id);
        else resolved.set(id, seq);
      }
      if (unknown.length === 0) return resolved;
      const found = await read(unknown);
      for (const id of unknown) {
        const seq = found.get(id) ?? 0n;
        known.set(id, seq);
        resolved.set(id, seq);
      }
      return resolved;
    },
    remember(id, seq) {
      known.set(id, seq);
    },
    forget(id) {
      known.delete(id);
    },
  };
}
