import { AppError, type Clock } from '@tollgate/core';
import type { HandlerControl } from '@tollgate/events';
import { retryContended } from '@tollgate/mongo';
import { type CountedRequests, denialsByBucket, withDenials } from '../domain/denial-bucket';
import type { DenialStore } from '../domain/ports';
import { createBatchCommit } from './batch-commit';

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
    async commit(denials) {
      await keepDenials(denialStore, denials);
      return () => 'done';
    },
  });
  return (denials, control) => batches.add(denials, control);
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
