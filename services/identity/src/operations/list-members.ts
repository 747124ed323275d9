import type { Actor } from '../domain/actor';
import { type Page, type PageRequest, pageOf, windowOf } from '../domain/pagination';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

export interface ListMembersInput {
  readonly actor: Actor;
  readonly page: PageRequest;
}

/** The people of the actor's own account. */
export function createListMembers(deps: Pick<Dependencies, 'users'>) {
  return async ({ actor, page }: ListMembersInput): Promise<Page<User>> => {
    const window = windowOf(page);
    const found = await deps.users.list({ accountId: actor.accountId, window });
    return pageOf(found, window);
  };
}
