import { toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import type { Principal } from '../auth/principal';

/** The roles of an account's people, as identity names them. */
export const PROTO_ROLES = {
  owner: 'ROLE_OWNER',
  admin: 'ROLE_ADMIN',
  member: 'ROLE_MEMBER',
} as const;

/** The principal as identity takes it. */
export function toActor(principal: Principal): identityV1.Actor {
  const { expiresAtMs } = principal;
  return {
    accountId: principal.accountId,
    userId: principal.userId,
    keyId: principal.keyId,
    operator: principal.operator,
    role: principal.operator ? 'ROLE_OPERATOR' : PROTO_ROLES[principal.role],
    scopes: [...principal.scopes],
    expiresAt: expiresAtMs === undefined ? '' : toIsoTime(expiresAtMs),
  };
}

/** Who asks, as records keep it: the person, or the API key where no person is known. */
export function toActorId({ keyId, userId }: Pick<Principal, 'keyId' | 'userId'>): string {
  return userId === '' ? keyId : userId;
}
