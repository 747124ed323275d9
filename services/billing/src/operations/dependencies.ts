import type { Clock, Logger } from '@tollgate/core';
import type { IdempotentResult, IdempotentWork } from '@tollgate/mongo';
import type { AccountBounds } from '../domain/account-bounds';
import type { AccountRules } from '../domain/account-rules';
import type { AccountStore } from '../domain/ports';
import type { BillingMetrics } from '../metrics';
import type { AccountWriter } from './account-writer';
import type { Quarantine } from './quarantine';

/** The time, and who is told of what is done. */
export interface BillingHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: BillingMetrics;
}

/** What nearly all work on accounts is made of; a part of it is named by `Pick`. */
export interface AccountParts extends BillingHost {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly bounds: AccountBounds;
  readonly quarantine: Quarantine;
}

/** Recognises requests that are repeated with their key. */
export type IdempotentRunner = <Answer extends object>(
  work: IdempotentWork<Answer>,
) => Promise<IdempotentResult<Answer>>;
