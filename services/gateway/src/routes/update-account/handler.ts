import type { identityV1 } from '@tollgate/protos';
import type { IdentityClient } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { toActor } from '../resources/actor';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { updateAccountSchema } from './schema';

const STATUSES = {
  active: 'ACCOUNT_STATUS_ACTIVE',
  suspended: 'ACCOUNT_STATUS_SUSPENDED',
} as const;

export function createUpdateAccount(identity: IdentityClient): Operation {
  return operation(updateAccountSchema, async ({ principal, params, body, context }) => {
    const request: identityV1.UpdateAccountRequest = {
      actor: toActor(principal),
      accountId: params.id,
    };
    if (body.name !== undefined) request.name = body.name;
    const groups = body.overrides?.groups;
    if (groups !== undefined) request.groups = { values: groups };
    if (body.status !== undefined) request.status = STATUSES[body.status];
    const { account } = await identity.updateAccount(request, context.rpc);
    return { data: toAccount(owed(account)) };
  });
}
