import type { IdentityClient } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { getAccountSchema } from './schema';

export function createGetAccount(identity: IdentityClient): Operation {
  return operation(getAccountSchema, async ({ params, context }) => {
    const { account } = await identity.getAccount({ accountId: params.id }, context.rpc);
    return { data: toAccount(owed(account)) };
  });
}
