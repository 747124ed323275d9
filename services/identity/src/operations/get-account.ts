import { AppError, isId } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { Dependencies } from './dependencies';

export function createGetAccount(deps: Pick<Dependencies, 'accounts'>) {
  return async (accountId: string): Promise<Account> => {
    const account = isId('account', accountId) ? await deps.accounts.find(accountId) : undefined;
    if (account === undefined) throw new AppError('NOT_FOUND');
    return account;
  };
}
