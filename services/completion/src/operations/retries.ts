import { type Clock, createBoundedMap, delay } from '@tollgate/core';

/** How many calls of vendors may follow failed ones: retries must not bury a vendor that is down. */
export interface RetryBudget {
  /** A request is sent to the model for the first time: it adds a fifth of a retry. */
  noteRequest(model: string): void;
  /** Spends a retry; false when there is none. */
  take(model: string): boolean;
}

/** There is a retry for five requests. */
const RETRY_COST = 5;
const REQUEST_PAYS = 1;
/** At most a hundred retries are saved up. */
const SAVED_MAX = 100 * RETRY_COST;
/** Below ten retries a budget also grows by one a second, for models of few requests. */
const REFILLED_MAX = 10 * RETRY_COST;
const MODELS_MAX = 10_000;

interface Saved {
  /** A request adds 1, a retry takes 5. */
  amount: number;
  refilledMs: number;
}

/** Each model has a budget of its own: one that is down takes no retries from the others. */
export function createRetryBudget(clock: Clock): RetryBudget {
  const budgets = createBoundedMap<string, Saved>(MODELS_MAX);
  const of = (model: string): Saved => {
    const monotonicNowMs = clock.monotonicMs();
    let saved = budgets.get(model);
    if (saved === undefined) {
      saved = { amount: REFILLED_MAX, refilledMs: monotonicNowMs };
      budgets.set(model, saved);
    }
    const refill = ((monotonicNowMs - saved.refilledMs) / 1000) * RETRY_COST;
    saved.refilledMs = monotonicNowMs;
    if (saved.amount < REFILLED_MAX) saved.amount = Math.min(REFILLED_MAX, saved.amount + refill);
    return saved;
  };
  return {
    noteRequest(model) {
      const saved = of(model);
      saved.amount = Math.min(SAVED_MAX, saved.amount + REQUEST_PAYS);
    },
    take(model) {
      const saved = of(model);
      if (saved.amount < RETRY_COST) return false;
      saved.amount -= RETRY_COST;
      return true;
    },
  };
}

/** A retry waits for a random part of this, doubled with each further one, up to the bound. */
const LONGEST_MS = 50;
const LONGEST_MS_MAX = 1_000;

/**
 * Waits after so many failures; false when `signal` ended the wait. A client waits meanwhile, mostly
 * for another channel, so any part of the time will do: `backoffDelayMs` of core would take at least
 * half of it, which is for callers that ask one and the same peer again.
 */
export async function waitBeforeRetry(
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  failures: number,
  signal: AbortSignal,
): Promise<boolean> {
  const longestMs = Math.min(LONGEST_MS_MAX, LONGEST_MS * 2 ** (failures - 1));
  const waitMs = Math.floor(random() * longestMs);
  if (waitMs === 0) return true;
  return delay(clock, waitMs, signal).then(
    () => true,
    () => false,
  );
}
