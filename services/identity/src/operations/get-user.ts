import { AppError, isId } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

export interface UserWithAccount {
  readonly user: User;
  readonly account: Account;
}

export function createGetUser(deps: Pick<Dependencies, 'accounts' | 'users'>) {
  return async (userId: string): Promise<UserWithAccount> => {
    const user = isId('user', userId) ? await deps.users.find(userId) : undefined;
    const account = user && (await deps.accounts.find(user.accountId));
    if (user === undefined || account === undefined) throw new AppError('NOT_FOUND');
    return { user, account };
  };
}
