import type { Actor } from '../domain/actor';
import { type ApiKeyView, viewOf } from '../domain/api-key';
import { type Page, type PageRequest, pageOf, windowOf } from '../domain/pagination';
import type { Dependencies } from './dependencies';

export interface ListApiKeysInput {
  readonly actor: Actor;
  readonly page: PageRequest;
}

/** Members get the keys they made, everybody else all keys of the account. */
export function createListApiKeys(deps: Pick<Dependencies, 'clock' | 'keys'>) {
  return async ({ actor, page }: ListApiKeysInput): Promise<Page<ApiKeyView>> => {
    const window = windowOf(page);
    const own = actor.role === 'member' ? { createdBy: actor.userId } : {};
    const found = await deps.keys.list({ accountId: actor.accountId, window, ...own });
    const now = deps.clock.now();
    return pageOf(
      found.map((key) => viewOf(key, now)),
      window,
    );
  };
}
