import { useSyncExternalStore } from 'react';

/** Whether the product answered the last time that somebody asked. */
export interface Reach {
  isAway(): boolean;
  answered(): void;
  failed(): void;
  subscribe(listener: () => void): () => void;
}

export function createReach(): Reach {
  let away = false;
  const listeners = new Set<() => void>();
  const set = (next: boolean) => {
    if (next === away) return;
    away = next;
    for (const listener of listeners) listener();
  };
  return {
    isAway: () => away,
    answered: () => set(false),
    failed: () => set(true),
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Of the origin that served the console. */
export const reach = createReach();

export function useAway(): boolean {
  return useSyncExternalStore(reach.subscribe, reach.isAway);
}

export async function isReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz')).ok;
  } catch {
    return false;
  }
}

/** Resolves as soon as something answers. */
export function untilReached(reach: Reach): Promise<void> {
  if (!reach.isAway()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = reach.subscribe(() => {
      if (reach.isAway()) return;
      stop();
      resolve();
    });
  });
}
