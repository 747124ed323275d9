import type { Clock, Logger } from '@tollgate/core';
import type { LeaseRules } from '../domain/lease';
import type { BillingPort, UsageSpool } from '../domain/ports';

/** Bounds of the leases that one process holds. */
export interface LeaseLimits {
  /** Requests of one account that may wait for credit. */
  readonly waitersMax: number;
  /** An idle lease of an account with little left is given back after this time. */
  readonly idlePoorMs: number;
  /** The same for an account with plenty left; an idle lease is not renewed, so never longer. */
  readonly idleRichMs: number;
  /** A lease is closed at once when the account's last request came only after this time. */
  readonly slowPaceMs: number;
  /** How long a refusal is remembered, at most 1,000. */
  readonly refusalMs: number;
  /** How often leases are looked after. */
  readonly tickMs: number;
}

/** How a recall ended, in the words of the contract. */
export type RecallDisposition = 'closing' | 'busy' | 'unknown_closed' | 'not_holder';

/** What a manager is made of. */
export interface LeaseManagerParts {
  readonly billing: BillingPort;
  readonly spool: UsageSpool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: LeaseLimits;
  /** A text that was never used for a lease before. */
  readonly createNonce: () => string;
  readonly rules?: LeaseRules;
}
