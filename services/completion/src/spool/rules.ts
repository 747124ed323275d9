import { planRecovery } from './recovery';

/** The choices that decide whether money is right; the model check replaces them one by one. */
export interface SpoolRules {
  /** The number that follows `highest` in a lease. */
  nextNumber(highest: number): number;
  planRecovery: typeof planRecovery;
}

/** The rules as they must be. */
export const spoolRules: SpoolRules = { nextNumber: (highest) => highest + 1, planRecovery };
