import { AppError } from '@tollgate/core';
import { forEachConcurrently, type PageStart, pagesOf } from '@tollgate/jobs';
import type { Account, Lease } from '../domain/account';
import { isLost } from '../domain/lease-lifecycle';
import type { AccountParts } from './dependencies';

/** Gives up the chosen leases of an account; answers their numbers. */
async function retire(
  { accounts, rules, bounds, clock, metrics }: AccountParts,
  accountId: string,
  isChosen: (lease: Lease) => boolean,
): Promise<readonly number[]> {
  const { outcome } = await accounts.run(accountId, {
    apply: (account) => rules.retireLeases(account, isChosen, clock.now(), bounds),
  });
  metrics.retired.inc(undefined, outcome.length);
  return outcome;
}

const RETIRE_PAGE = 200;
const RETIRED_AT_ONCE = 16;
const NAMED_MAX = 20;

/**
 * Gives up every lease of a spool that is known to be destroyed; answers how many there were. An
 * account that fails by itself is quarantined and passed; rejects in the end, naming such accounts.
 * Doing it again gives up what is left.
 */
export function createRetireLeases(deps: AccountParts) {
  const { store, quarantine } = deps;
  return async (holder: string): Promise<number> => {
    let retired = 0;
    const failed: string[] = [];
    const retireOrPass = async (accountId: string): Promise<void> => {
      const isDone = await quarantine.attempt({ kind: 'retire', accountId }, async () => {
        const numbers = await retire(deps, accountId, (lease) => lease.holder === holder);
        retired += numbers.length;
      });
      if (!isDone) failed.push(accountId);
    };
    const list = (page: PageStart<string>) => store.listHeldBy(holder, page);
    for await (const page of pagesOf(list, RETIRE_PAGE)) {
      await forEachConcurrently(page, { atOnceMax: RETIRED_AT_ONCE }, retireOrPass);
    }
    if (failed.length > 0) throw partlyRetired(retired, failed);
    return retired;
  };
}

function partlyRetired(retired: number, failed: readonly string[]): AppError {
  const names = failed.slice(0, NAMED_MAX).join(', ');
  return new AppError('INTERNAL_ERROR', {
    publicMessage:
      `${retired} leases were given up. ` +
      `${failed.length} accounts failed by themselves: ${names}.`,
  });
}

/** Gives up the leases of an account whose holders were silent for good, and says so to people. */
export function createRetireLost(deps: AccountParts): (account: Account) => Promise<void> {
  const { bounds, clock, logger } = deps;
  return async ({ id: accountId, leases }) => {
    const now = clock.now();
    const isGone = (lease: Lease) => isLost(lease, now, bounds);
    if (![...leases.values()].some(isGone)) return;
    logger.error(
      { accountId, leases: await retire(deps, accountId, isGone) },
      'retired leases whose spool was silent for too long; what it still sends is absorbed',
    );
  };
}
