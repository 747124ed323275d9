import { hashText } from '@tollgate/core';
import type { RequestLimiter } from './limiter';
import type { SharedCounters } from './shared-counters';
import { SharedLimiter, type SharedLimiterOptions } from './shared-limiter';

/** A limiter that all gateways share, in partitions that fail each by itself. */
export interface PartitionedLimiter extends RequestLimiter {
  /** Resolves after the first heartbeat of each partition, well or not. */
  start(): Promise<void>;
}

/**
 * Counts each account, and what is asked for together with it, in one of the partitions. A server of
 * a cluster that is away then concerns the accounts of its partitions and nobody else. The bound of
 * subjects is of all partitions together.
 */
export function createPartitionedLimiter(
  counters: readonly SharedCounters[],
  options: Omit<SharedLimiterOptions, 'counters'>,
): PartitionedLimiter {
  const { logger } = options;
  const subjectsMax = Math.ceil(options.subjectsMax / counters.length);
  const partitions = counters.map((own, partition) => {
    const child = logger.child({ partition });
    return new SharedLimiter({ ...options, counters: own, subjectsMax, logger: child });
  });
  const partitionOf = (id: string): SharedLimiter => {
    const partition = partitions[hashText(id) % partitions.length];
    if (partition === undefined) throw new Error('a limiter needs a partition');
    return partition;
  };
  return {
    // The first subject is the account: its keys are never asked for without it.
    acquire: (subjects) => partitionOf(subjects[0]?.id ?? '').acquire(subjects),
    async start() {
      await Promise.all(partitions.map((partition) => partition.start()));
    },
    async close() {
      await Promise.all(partitions.map((partition) => partition.close()));
    },
  };
}
