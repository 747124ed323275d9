import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { LIVE_MS } from './queries';

/** Whether the product answered the last request, whichever page made it. */
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

/** The reach of the origin that served the console. */
export const reach = createReach();

export function useAway(): boolean {
  return useSyncExternalStore(reach.subscribe, reach.isAway);
}

/** Whether the gateway takes work, as a load balancer asks it; rejects while nothing answers. */
async function askReadiness(): Promise<boolean> {
  return (await fetch('/readyz')).ok;
}

export function isReady(): Promise<boolean> {
  return askReadiness().catch(() => false);
}

/** The readiness to be shown: a gateway that does not answer any more is not known to be ready. */
export function useReadiness(): UseQueryResult<boolean> {
  return useQuery({
    queryKey: ['readiness'],
    queryFn: askReadiness,
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

/** Resolves as soon as the product answers. */
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
