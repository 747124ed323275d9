import type { Clock } from '@tollgate/core';
import { createQuarantineTimes } from '@tollgate/jobs';

/** After a failure that may pass, the work on other accounts comes first for so long, milliseconds. */
const POSTPONED_MS = 60_000;

/** Accounts whose work a job postpones after a failure that may pass; they are not in quarantine. */
export interface PostponedAccounts {
  has(accountId: string): boolean;
  add(accountId: string): void;
}

export function createPostponedAccounts(clock: Clock): PostponedAccounts {
  const times = createQuarantineTimes(clock, POSTPONED_MS);
  return { has: (accountId) => !times.isDue(accountId), add: times.add };
}
