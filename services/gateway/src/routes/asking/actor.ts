import { toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { toProtoName } from '@tollgate/rpc';
import type { Principal } from '../../auth/principal';

/** The principal as identity takes it. */
export function toActor(principal: Principal): identityV1.Actor {
  const { expiresAtMs } = principal;
  return {
    accountId: principal.accountId,
    userId: principal.userId,
    keyId: principal.keyId,
    operator: principal.operator,
    role: principal.operator ? 'ROLE_OPERATOR' : toProtoName('ROLE', principal.role),
    scopes: [...principal.scopes],
    expiresAt: expiresAtMs === undefined ? '' : toIsoTime(expiresAtMs),
  };
}

/** Who asks, as records keep it: the person, or the API key where no person is known. */
export function toActorId({ keyId, userId }: Pick<Principal, 'keyId' | 'userId'>): string {
  return userId === '' ? keyId : userId;
}
