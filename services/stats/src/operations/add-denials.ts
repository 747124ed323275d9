import type { Clock } from '@tollgate/core';
import type { Denials, FigureStore } from '../domain/ports';
import { type CallControl, createBatchCommit } from './batch-commit';

/** Keeps denials, each once however often it comes; resolves when all of them are kept. */
export type AddDenials = (denials: readonly Denials[], control: CallControl) => Promise<void>;

/** Denials of calls that come close together are kept together. */
export function createAddDenials(options: {
  readonly figures: Pick<FigureStore, 'addDenials'>;
  readonly clock: Clock;
  /** Least time between two batches that are not full, milliseconds. */
  readonly lingerMs: number;
  /** From so many waiting denials on they are kept at once. */
  readonly batchDenialsMax: number;
}): AddDenials {
  const { figures, clock, lingerMs, batchDenialsMax: itemsMax } = options;
  const batches = createBatchCommit<Denials>({
    ...{ clock, lingerMs, itemsMax },
    async commit(denials) {
      await figures.addDenials(denials);
      return () => 'done';
    },
  });
  return (denials, control) => batches.add(denials, control);
}
