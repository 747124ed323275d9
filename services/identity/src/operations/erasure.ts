import { AppError, createId, type Idempotency } from '@tollgate/core';
import { type Account, beginErasure, hasErasureBegun } from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import { changeRecord, changeUser } from './changes';
import type { Dependencies } from './dependencies';
import { findById } from './lookups';

/** How an operator erases an account; a job removes what is kept of its people. */
export function createErasureOperations(deps: Dependencies) {
  return {
    eraseAccount: (input: EraseAccountInput) => eraseAccount(deps, input),
  };
}

export interface EraseAccountInput {
  readonly actor: Actor;
  readonly accountId: string;
  readonly idempotency: Idempotency;
}

/**
 * When this resolves, no key and no session of the account is let in any more, and every service
 * will be told. An account that is being erased is answered as it is; one that was erased is told of
 * again, for what a service had missed.
 */
async function eraseAccount(
  deps: Dependencies,
  { actor, accountId, idempotency }: EraseAccountInput,
): Promise<{ readonly account: Account; readonly replayed: boolean }> {
  requireOperator(actor);
  if (accountId === actor.accountId) {
    throw new AppError('CONFLICT', {
      publicMessage: 'You cannot erase your own account: an operator of another account can.',
    });
  }
  const load = () => findById('account', deps.accounts, accountId);
  const { answer: account, replayed } = await deps.runIdempotently<Account>({
    scope: actor.accountId,
    operation: `erase-account ${accountId}`,
    idempotency,
    newEffectId: () => createId('event'),
    async effect(eventId) {
      const present = await load();
      if (present === undefined) throw new AppError('NOT_FOUND');
      if (!hasErasureBegun(present)) await disableOperators(deps, accountId);
      const erased = await changeRecord({
        load,
        change: (found) =>
          found.status === 'erasing'
            ? found
            : beginErasure(found, { id: eventId, atMs: deps.clock.now(), actor }),
        write: deps.accounts.update,
      });
      await deps.relay.relayAccount(erased);
      return erased;
    },
    async findEffect() {
      const found = await load();
      // One that was erased may be so since long before this request: it is told of again.
      return found?.status === 'erasing' ? found : undefined;
    },
  });
  return { account, replayed };
}

/**
 * Operators of two accounts that are erased at the same time may each be the other's last one: so
 * they step down first, one after another, and the last one of the platform is refused.
 */
async function disableOperators(
  deps: Pick<Dependencies, 'users' | 'usersPerAccountMax' | 'principalLog'>,
  accountId: string,
): Promise<void> {
  const own = await deps.users.listOperatorsOf(accountId, deps.usersPerAccountMax);
  if (own.length === 0) return;
  // Asked for all at first, so that a refusal has disabled nobody.
  const all = await deps.users.listOperators(own.length + 1);
  if (all.every((operator) => operator.accountId === accountId)) throw lastOperator();
  for (const { id } of own) {
    await changeUser(deps, id, (user) => ({ ...user, status: 'disabled' }), 'operator');
  }
}

function lastOperator(): AppError {
  return new AppError('CONFLICT', {
    publicMessage:
      'This account has the only operator who can sign in. Make another one in another account ' +
      'first, with POST /v1/admin/users.',
  });
}
