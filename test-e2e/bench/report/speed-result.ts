import type { LoadResult } from '../load/wrk';
import type { SystemName } from '../systems/system';
import { EVENTS_OF_STREAM } from '../test-bed';

/** What is asked of a system, and how many ask at once. */
export interface SpeedCase {
  readonly kind: 'whole' | 'stream';
  readonly connections: number;
}

/** One measurement of one system. */
export interface Trial extends LoadResult {
  readonly contender: SystemName;
  readonly of: SpeedCase;
  /** Microseconds a request, by process. */
  readonly cpuUs: ReadonlyMap<string, number>;
}

/** Everything that one run measured. */
export interface SpeedResult {
  readonly cases: readonly SpeedCase[];
  readonly trials: readonly Trial[];
  /** What could not be measured, and why. */
  readonly failures: readonly string[];
  /** Median of one fdatasync of a small record, once in each round. */
  readonly syncUs: readonly number[];
}

export const caseName = ({ kind, connections }: SpeedCase): string =>
  `${kind === 'whole' ? 'whole' : `${EVENTS_OF_STREAM} events`}, c=${connections}`;
