import type { IdentityClient } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { toActor } from '../resources/actor';
import { toPage } from '../resources/page';
import { type Operation, operation } from '../route';
import { listAccountsSchema } from './schema';

export function createListAccounts(identity: IdentityClient): Operation {
  return operation(listAccountsSchema, async ({ principal, query, context }) => {
    const { limit, cursor = '' } = query;
    const actor = toActor(principal);
    const answer = await identity.listAccounts({ actor, limit, cursor }, context.rpc);
    return { data: toPage(answer.accounts.map(toAccount), answer.nextCursor) };
  });
}
