import { AppError, ID_PREFIXES } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';
import { insertUser, type PreparedUser } from './make-user';

/** A new account and the person who owns it. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly owner: PreparedUser;
  readonly ownerRole: 'owner' | 'operator';
  readonly emailProven: boolean;
}

/** The owner's id follows from the account's, so that an interrupted request finds both again. */
export function ownerIdOf(accountId: string): string {
  return `${ID_PREFIXES.user}_${accountId.slice(ID_PREFIXES.account.length + 1)}`;
}

/** A fresh record of an account. */
export function newAccount(
  { id, name, plan }: Pick<Account, 'id' | 'name' | 'plan'>,
  now: number,
): Account {
  return {
    id,
    name,
    plan,
    status: 'active',
    groups: [],
    importRef: undefined,
    createdAt: now,
    updatedAt: now,
    rev: 1,
    outbox: [],
  };
}

/** Stores the account, then its owner; without the owner the account is taken back. */
export async function makeAccount(
  deps: Pick<Dependencies, 'clock' | 'accounts' | 'users'>,
  wanted: NewAccount,
): Promise<{ readonly account: Account; readonly owner: User }> {
  const account = newAccount(wanted, deps.clock.now());
  // `exists` can only be an interrupted attempt under the same id: it is finished here.
  await deps.accounts.insert(account);
  try {
    const owner = await insertUser(deps, wanted.owner, {
      id: ownerIdOf(account.id),
      accountId: account.id,
      role: wanted.ownerRole,
      emailProven: wanted.emailProven,
    });
    return { account, owner };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    const finished = await deps.users.find(ownerIdOf(account.id));
    if (finished !== undefined) return { account, owner: finished };
    await deps.accounts.remove(account.id);
    throw error;
  }
}
