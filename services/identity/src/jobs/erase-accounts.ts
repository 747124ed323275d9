import { forEachFound, isolateOne, type PageStart } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import { createFinishErasure, type FinishErasureDependencies } from '../operations/finish-erasure';

/** Accounts that are read at once, and of those the ones that are worked with side by side. */
const PAGE = 100;
const ACCOUNTS_AT_ONCE = 4;

/**
 * Goes on with every account that is being erased; one that fails keeps back no other. Only the
 * leader runs it; a round answers NOTHING_FOUND when no account is being erased.
 */
export function createEraseAccounts(deps: FinishErasureDependencies) {
  const { accounts, logger } = deps;
  const finishErasure = createFinishErasure(deps);
  return async (signal: AbortSignal): Promise<unknown> => {
    const listErasing = ({ after, limit }: PageStart<Account>) =>
      accounts.listErasing({ after: after?.id, limit });
    const bounds = { pageSize: PAGE, atOnceMax: ACCOUNTS_AT_ONCE, signal };
    return forEachFound(listErasing, bounds, (account) =>
      isolateOne(
        () => finishErasure(account, signal),
        (error) => {
          const { id: accountId } = account;
          logger.error({ accountId, error }, 'an account cannot be erased; others are');
        },
      ),
    );
  };
}
