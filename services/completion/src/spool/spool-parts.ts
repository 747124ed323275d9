import type { Clock, Logger } from '@tollgate/core';
import type { Disk } from './disk';
import { planRecovery } from './recovery';

/** Bounds of a spool. */
export interface SpoolLimits {
  /** A segment that reached this size is followed by a new one. */
  readonly segmentBytesMax: number;
  /** What the whole spool may take on disk. */
  readonly totalBytesMax: number;
}

/** The choices that decide whether money is right; the model check replaces them one by one. */
export interface SpoolRules {
  /** The number that follows `highest` in a lease. */
  nextNumber(highest: number): number;
  planRecovery: typeof planRecovery;
}

/** The rules as they must be. */
export const spoolRules: SpoolRules = { nextNumber: (highest) => highest + 1, planRecovery };

/** What a spool is made of. */
export interface SpoolParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: SpoolLimits;
  readonly rules?: SpoolRules;
}
