import { AppError, type Clock, isTransient } from '@tollgate/core';
import type { HandlerControl } from '@tollgate/events';
import { retryContended } from '@tollgate/mongo';
import { type CountedRequests, denialsByBucket, withDenials } from '../domain/denial-bucket';
import type { DenialStore } from '../domain/ports';
import { createBatchCommit, type ItemOutcome } from './batch-commit';

/** Keeps denials, each once however often it comes; resolves when all of them are kept. */
export type AddDenials = (
  denials: readonly CountedRequests[],
  control: HandlerControl,
) => Promise<void>;

/** Denials of calls that come close together are kept together. */
export function createAddDenials(options: {
  readonly denialStore: DenialStore;
  readonly clock: Clock;
  /** Least time between two batches that are not full, milliseconds. */
  readonly lingerMs: number;
  /** From so many waiting denials on they are kept at once. */
  readonly batchDenialsMax: number;
}): AddDenials {
  const { denialStore, clock, lingerMs, batchDenialsMax: itemsMax } = options;
  const batches = createBatchCommit<CountedRequests>({
    clock,
    lingerMs,
    itemsMax,
    commit: (denials) => keepEach(denialStore, denials),
  });
  return (denials, control) => batches.add(denials, control);
}

/**
 * Keeps denials of all accounts together. When what is stored of one of them is damaged, those of
 * each account are kept by themselves, so that it fails alone.
 */
async function keepEach(
  denialStore: DenialStore,
  denials: readonly CountedRequests[],
): Promise<(denied: CountedRequests) => ItemOutcome> {
  try {
    await keepDenials(denialStore, denials);
    return () => 'done';
  } catch (error) {
    if (isTransient(error)) throw error;
    const accounts = Map.groupBy(denials, ({ accountId }) => accountId);
    if (accounts.size === 1) return () => ({ failed: error });
    const outcomes = new Map<string, (denied: CountedRequests) => ItemOutcome>();
    for (const [accountId, own] of accounts) {
      outcomes.set(accountId, await keepEach(denialStore, own));
    }
    return (denied) => outcomes.get(denied.accountId)?.(denied) ?? 'again';
  }
}

/** Adds each to its buckets, of which some may hold it already: two commands, however many. */
export function keepDenials(
  denialStore: DenialStore,
  denials: readonly CountedRequests[],
): Promise<true> {
  const wanted = denialsByBucket(denials);
  const add = async () => {
    const stored = await denialStore.find(wanted.map(({ empty }) => empty.id));
    const changed = wanted.flatMap(({ empty, denials: added }) => {
      const bucket = stored.get(empty.id) ?? empty;
      const filled = withDenials(bucket, added);
      return filled === bucket ? [] : [filled];
    });
    if (changed.length === 0) return true;
    return (await denialStore.replace(changed)) ? true : undefined;
  };
  const internalMessage = 'buckets of denials are contended';
  return retryContended<true>(add, {
    failure: () => new AppError('SERVICE_UNAVAILABLE', { internalMessage }),
  });
}
