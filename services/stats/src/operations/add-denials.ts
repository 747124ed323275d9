import { AppError, type Clock } from '@tollgate/core';
import type { HandlerControl } from '@tollgate/events';
import { retryContended } from '@tollgate/mongo';
import { type Denials, denialsByBucket, withDenials } from '../domain/denial-bucket';
import type { FigureStore } from '../domain/ports';
import { createBatchCommit } from './batch-commit';

/** Keeps denials, each once however often it comes; resolves when all of them are kept. */
export type AddDenials = (denials: readonly Denials[], control: HandlerControl) => Promise<void>;

type DenialBucketStore = Pick<FigureStore, 'findDenialBuckets' | 'replaceDenialBuckets'>;

/** Denials of calls that come close together are kept together. */
export function createAddDenials(options: {
  readonly figures: DenialBucketStore;
  readonly clock: Clock;
  /** Least time between two batches that are not full, milliseconds. */
  readonly lingerMs: number;
  /** From so many waiting denials on they are kept at once. */
  readonly batchDenialsMax: number;
}): AddDenials {
  const { figures, clock, lingerMs, batchDenialsMax: itemsMax } = options;
  const batches = createBatchCommit<Denials>({
    clock,
    lingerMs,
    itemsMax,
    async commit(denials) {
      await keepDenials(figures, denials);
      return () => 'done';
    },
  });
  return (denials, control) => batches.add(denials, control);
}

/** Adds each to its buckets, of which some may hold it already: two commands, however many. */
export function keepDenials(
  figures: DenialBucketStore,
  denials: readonly Denials[],
): Promise<true> {
  const wanted = denialsByBucket(denials);
  const add = async () => {
    const stored = await figures.findDenialBuckets(wanted.map(({ empty }) => empty.id));
    const changed = wanted.flatMap(({ empty, denials: added }) => {
      const bucket = stored.get(empty.id) ?? empty;
      const filled = withDenials(bucket, added);
      return filled === bucket ? [] : [filled];
    });
    if (changed.length === 0) return true;
    return (await figures.replaceDenialBuckets(changed)) ? true : undefined;
  };
  const internalMessage = 'buckets of denials are contended';
  return retryContended<true>(add, {
    failure: () => new AppError('SERVICE_UNAVAILABLE', { internalMessage }),
  });
}
