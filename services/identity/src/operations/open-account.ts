import { isCode } from '@tollgate/core';
import { type Account, newAccount, ownerIdOf } from '../domain/account';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';
import { insertUser, type PreparedUser } from './new-user';

/** A new account and the user who owns it. */
export interface AccountOpening {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly owner: PreparedUser;
  readonly ownerRole: 'owner' | 'operator';
  readonly emailProven: boolean;
}

/**
 * Stores the account, then its owner, and relays its event; without the owner the account is removed
 * again.
 */
export async function openAccount(
  deps: Pick<Dependencies, 'clock' | 'accounts' | 'users' | 'relay'>,
  opening: AccountOpening,
): Promise<{ readonly account: Account; readonly owner: User }> {
  const { accounts, relay } = deps;
  const fresh = newAccount(opening, deps.clock.now());
  // False can only be an interrupted attempt under the same id: it is finished here.
  const isMade = await accounts.insert(fresh);
  const account = isMade ? fresh : ((await accounts.find(fresh.id)) ?? fresh);
  const owner = await insertOwner(deps, account.id, opening);
  await relay.relayAccount(account);
  return { account, owner };
}

async function insertOwner(
  deps: Pick<Dependencies, 'clock' | 'accounts' | 'users'>,
  accountId: string,
  { owner, ownerRole: role, emailProven }: AccountOpening,
): Promise<User> {
  const id = ownerIdOf(accountId);
  try {
    return await insertUser(deps, owner, { id, accountId, role, emailProven });
  } catch (error) {
    if (!isCode(error, 'CONFLICT')) throw error;
    const finished = await deps.users.find(id);
    if (finished !== undefined) return finished;
    await deps.accounts.remove(accountId);
    throw error;
  }
}
