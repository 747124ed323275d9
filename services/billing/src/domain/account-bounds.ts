import { DAY_MS } from '@tollgate/core';
import type { Thresholds } from './account';

/** Every bound and time span that the account functions know, and what plans say to them. */
export interface AccountBounds {
  /** How long a lease lives without a renewal, milliseconds. */
  readonly leaseTtlMs: number;
  /** The holder reserves nothing more this long before the end, for clocks and slow answers. */
  readonly leaseMarginMs: number;
  /** A lease covers this much of the account's recent spend, milliseconds. */
  readonly leaseSpendMs: number;
  /**
   * Recent spend may make a lease larger than its request's worst case, but not larger than the
   * available credit divided by this.
   */
  readonly leaseShareDivisor: bigint;
  /** Length of one of the two windows that measure recent spend, milliseconds. */
  readonly spendWindowMs: number;
  /** Open leases of one account; with the swept ones there may be four times as many. */
  readonly leasesMax: number;
  /** How many leases are asked for at once when the account is at `leasesMax`. */
  readonly recallsMax: number;
  /** Ledger entries and notices that wait for the ledger and the outbox. */
  readonly journalMax: number;
  /** Keys with a budget, and keys of which it is counted what they were charged. */
  readonly budgetsMax: number;
  /** Retired leases that are remembered; the oldest is forgotten first. */
  readonly retiredMax: number;
  /** A swept lease whose holder is silent for so long is retired, milliseconds. */
  readonly retireAfterMs: number;
  /** At which balances owners of the plan are notified; undefined when it says nothing. */
  readonly thresholdsOfPlan: (plan: string) => Thresholds | undefined;
}

/** What holds unless a setting says otherwise; those of `config.ts` have their defaults from here. */
export const DEFAULT_ACCOUNT_BOUNDS: AccountBounds = {
  leaseTtlMs: 15_000,
  leaseMarginMs: 3_000,
  leaseSpendMs: 2_000,
  leaseShareDivisor: 8n,
  spendWindowMs: 10_000,
  leasesMax: 256,
  recallsMax: 32,
  journalMax: 1_000,
  budgetsMax: 1_000,
  retiredMax: 1_000,
  retireAfterMs: 30 * DAY_MS,
  thresholdsOfPlan: () => undefined,
};
