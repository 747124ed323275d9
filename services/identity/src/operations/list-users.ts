import { type Actor, requireOperator } from '../domain/actor';
import { type Page, type PageRequest, pageOf, windowOf } from '../domain/pagination';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

export interface ListUsersInput {
  readonly actor: Actor;
  /** Empty lists the users of every account. */
  readonly accountId: string;
  readonly page: PageRequest;
}

export function createListUsers(deps: Pick<Dependencies, 'users'>) {
  return async ({ actor, accountId, page }: ListUsersInput): Promise<Page<User>> => {
    requireOperator(actor);
    const window = windowOf(page);
    const filter = accountId === '' ? { window } : { window, accountId };
    return pageOf(await deps.users.list(filter), window);
  };
}
