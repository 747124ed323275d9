import { toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import type { Principal } from '../../domain/principal';

const ROLES = {
  owner: 'ROLE_OWNER',
  admin: 'ROLE_ADMIN',
  member: 'ROLE_MEMBER',
} as const;

/** Who acts, as identity wants to hear it. */
export function toActor(principal: Principal): identityV1.Actor {
  const { expiresAtMs } = principal;
  return {
    accountId: principal.accountId,
    userId: principal.userId,
    keyId: principal.keyId,
    operator: principal.operator,
    role: principal.operator ? 'ROLE_OPERATOR' : ROLES[principal.role],
    scopes: [...principal.scopes],
    expiresAt: expiresAtMs === undefined ? '' : toIsoTime(expiresAtMs),
  };
}
