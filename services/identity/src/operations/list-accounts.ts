import type { Account } from '../domain/account';
import { type Actor, requireOperator } from '../domain/actor';
import { type Page, type PageRequest, pageOf, windowOf } from '../domain/pagination';
import type { Dependencies } from './dependencies';

export interface ListAccountsInput {
  readonly actor: Actor;
  readonly page: PageRequest;
}

export function createListAccounts(deps: Pick<Dependencies, 'accounts'>) {
  return async ({ actor, page }: ListAccountsInput): Promise<Page<Account>> => {
    requireOperator(actor);
    const window = windowOf(page);
    return pageOf(await deps.accounts.list(window), window);
  };
}
