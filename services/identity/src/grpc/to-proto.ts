import { eachLimit, isId } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { type Sent, toProtoLimit, toProtoName, toProtoPeriod, toProtoTime } from '@tollgate/rpc';
import type { Account, AccountLimits, AccountTerms } from '../domain/account';
import type { ApiKeyView } from '../domain/api-key';
import type { AuditLogEntry } from '../domain/audit-log';
import type { PrincipalDelta } from '../domain/ports';
import type { Principal } from '../domain/principal';
import type { User } from '../domain/user';
import type { KeyRefusedError } from '../operations/key-verification';
import type { SessionGrant } from '../operations/sessions';

export function toProtoPrincipal(principal: Principal): Sent<identityV1.Principal> {
  return {
    ...principal,
    accountStatus: toProtoName('ACCOUNT_STATUS', principal.accountStatus),
    role: toProtoName('ROLE', principal.role),
    accountTerms: toProtoTerms(principal.accountTerms),
    expiresAt: toProtoTime(principal.expiresAt),
    maxBudget: principal.maxBudget?.toString(),
    budgetPeriod: toProtoPeriod(principal.budgetPeriod),
  };
}

export function toProtoKey({ metadata, disabled, ...key }: ApiKeyView): Sent<identityV1.ApiKey> {
  return {
    ...key,
    status: toProtoName('API_KEY_STATUS', key.status),
    expiresAt: toProtoTime(key.expiresAt),
    maxBudget: key.maxBudget?.toString(),
    budgetPeriod: toProtoPeriod(key.budgetPeriod),
    createdAt: toProtoTime(key.createdAt),
    lastUsedAt: toProtoTime(key.lastUsedAt),
    lastRotatedAt: toProtoTime(key.lastRotatedAt),
    previousExpiresAt: toProtoTime(key.previousExpiresAt),
    metadataJson: JSON.stringify(metadata),
  };
}

export function toProtoRefusedKey({ fault, key }: KeyRefusedError): identityV1.RefusedKey {
  if (key === undefined) return { fault };
  return { fault, accountId: key.accountId, keyId: key.id, preview: key.preview };
}

export function toProtoAccount(account: Account): Sent<identityV1.Account> {
  const { id, name, plan, status, groups, createdAt, updatedAt } = account;
  return {
    id,
    name,
    plan,
    status: toProtoName('ACCOUNT_STATUS', status),
    groups,
    terms: toProtoTerms(account.terms),
    createdAt: toProtoTime(createdAt),
    updatedAt: toProtoTime(updatedAt),
  };
}

function toProtoTerms({ limits, models, discount }: AccountTerms): Sent<identityV1.AccountTerms> {
  return { limits: toProtoAccountLimits(limits), models, discount };
}

function toProtoAccountLimits(limits: AccountLimits): Sent<identityV1.AccountLimits> {
  return eachLimit((name) => toProtoLimit(limits[name]));
}

export function toProtoUser(user: User): identityV1.User {
  const { id, email, displayName, role, status, accountId, createdAt } = user;
  return {
    id,
    email,
    displayName,
    role: toProtoName('ROLE', role),
    status: toProtoName('USER_STATUS', status),
    accountId,
    createdAt: toProtoTime(createdAt),
    mustChangePassword: user.mustChangePassword === true,
  };
}

export function toProtoSession(session: SessionGrant): Sent<identityV1.Session> {
  return {
    accessToken: session.accessToken,
    expiresInSeconds: session.expiresInS,
    refreshToken: session.refreshToken,
    user: toProtoUser(session.user),
    account: toProtoAccount(session.account),
  };
}

export function toProtoDelta(delta: PrincipalDelta): identityV1.WatchRevocationsResponse {
  return {
    revision: delta.revision.toString(),
    changes: delta.changes.map(toProtoChange),
    reset: delta.reset,
  };
}

/** The log holds ids; their prefix says of what. */
function toProtoChange(id: string): identityV1.RevokedPrincipal {
  if (isId('account', id)) return { accountId: id };
  return isId('user', id) ? { userId: id } : { keyId: id };
}

export function toProtoAuditEntry(entry: AuditLogEntry): identityV1.AuditEntry {
  const { atMs, outcome, request, before, after, ...rest } = entry;
  return {
    ...rest,
    at: toProtoTime(atMs),
    outcome: outcome === 'succeeded' ? 'AUDIT_OUTCOME_SUCCEEDED' : 'AUDIT_OUTCOME_UNSPECIFIED',
    requestJson: request,
    beforeJson: before,
    afterJson: after,
  };
}
