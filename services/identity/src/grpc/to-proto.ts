import { isId } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { toProtoPeriod, toProtoTime } from '@tollgate/rpc';
import type { Account, AccountLimits, AccountStatus, AccountTerms } from '../domain/account';
import type { Role } from '../domain/actor';
import type { ApiKeyView, KeyStatus } from '../domain/api-key';
import type { AuditLogEntry } from '../domain/audit-log';
import type { Principal } from '../domain/principal';
import type { User, UserStatus } from '../domain/user';
import type { KeyRefusedError } from '../operations/key-verification';
import type { RevocationFrame } from '../operations/revocations';
import type { SessionGrant } from '../operations/sessions';

const ROLES = {
  owner: 'ROLE_OWNER',
  admin: 'ROLE_ADMIN',
  member: 'ROLE_MEMBER',
  operator: 'ROLE_OPERATOR',
} as const satisfies Readonly<Record<Role, identityV1.Role>>;

const ACCOUNT_STATUS = {
  active: 'ACCOUNT_STATUS_ACTIVE',
  suspended: 'ACCOUNT_STATUS_SUSPENDED',
  erasing: 'ACCOUNT_STATUS_ERASING',
  erased: 'ACCOUNT_STATUS_ERASED',
} as const satisfies Readonly<Record<AccountStatus, identityV1.AccountStatus>>;

const USER_STATUS = {
  active: 'USER_STATUS_ACTIVE',
  disabled: 'USER_STATUS_DISABLED',
} as const satisfies Readonly<Record<UserStatus, identityV1.UserStatus>>;

const KEY_STATUS = {
  active: 'API_KEY_STATUS_ACTIVE',
  disabled: 'API_KEY_STATUS_DISABLED',
  expired: 'API_KEY_STATUS_EXPIRED',
} as const satisfies Readonly<Record<KeyStatus, identityV1.ApiKeyStatus>>;

/** The limits and the budget that keys and principals share; absent ones stay absent. */
function toProtoLimits(limits: ApiKeyView | Principal) {
  const { requestsPerMinute, requestsPerDay, concurrentRequests, maxBudget } = limits;
  return {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(requestsPerDay === undefined ? {} : { requestsPerDay }),
    ...(concurrentRequests === undefined ? {} : { concurrentRequests }),
    ...(maxBudget === undefined ? {} : { maxBudget: maxBudget.toString() }),
    budgetPeriod: toProtoPeriod(limits.budgetPeriod),
  };
}

export function toProtoPrincipal(principal: Principal): identityV1.Principal {
  return {
    accountId: principal.accountId,
    accountName: principal.accountName,
    accountStatus: ACCOUNT_STATUS[principal.accountStatus],
    plan: principal.plan,
    keyId: principal.keyId,
    keyName: principal.keyName,
    userId: principal.userId,
    operator: principal.operator,
    role: ROLES[principal.role],
    scopes: [...principal.scopes],
    models: [...principal.models],
    pools: [...principal.pools],
    grantedGroups: [...principal.grantedGroups],
    accountTerms: toProtoTerms(principal.accountTerms),
    allowedIps: [...principal.allowedIps],
    expiresAt: toProtoTime(principal.expiresAt),
    ...toProtoLimits(principal),
  };
}

export function toProtoKey(key: ApiKeyView): identityV1.ApiKey {
  return {
    id: key.id,
    accountId: key.accountId,
    name: key.name,
    preview: key.preview,
    status: KEY_STATUS[key.status],
    scopes: [...key.scopes],
    models: [...key.models],
    pools: [...key.pools],
    allowedIps: [...key.allowedIps],
    expiresAt: toProtoTime(key.expiresAt),
    ...toProtoLimits(key),
    createdBy: key.createdBy,
    createdAt: toProtoTime(key.createdAt),
    lastUsedAt: toProtoTime(key.lastUsedAt),
    rotationCount: key.rotationCount,
    lastRotatedAt: toProtoTime(key.lastRotatedAt),
    previousExpiresAt: toProtoTime(key.previousExpiresAt),
    metadataJson: JSON.stringify(key.metadata),
    disabledByOperator: key.disabledByOperator,
  };
}

export function toProtoRefusedKey({ fault, key }: KeyRefusedError): identityV1.RefusedKey {
  if (key === undefined) return { fault };
  return { fault, accountId: key.accountId, keyId: key.id, preview: key.preview };
}

export function toProtoAccount(account: Account): identityV1.Account {
  const { id, name, plan, status, groups, createdAt, updatedAt } = account;
  return {
    id,
    name,
    plan,
    status: ACCOUNT_STATUS[status],
    groups: [...groups],
    terms: toProtoTerms(account.terms),
    createdAt: toProtoTime(createdAt),
    updatedAt: toProtoTime(updatedAt),
  };
}

function toProtoTerms({ limits, models, discount }: AccountTerms): identityV1.AccountTerms {
  return { limits: toProtoAccountLimits(limits), models: [...models], discount };
}

const UNLIMITED = -1;

function toProtoAccountLimits(limits: AccountLimits): identityV1.AccountLimits {
  const { requestsPerMinute, requestsPerDay, concurrentRequests } = limits;
  return {
    ...(requestsPerMinute === undefined
      ? {}
      : { requestsPerMinute: requestsPerMinute ?? UNLIMITED }),
    ...(requestsPerDay === undefined ? {} : { requestsPerDay: requestsPerDay ?? UNLIMITED }),
    ...(concurrentRequests === undefined
      ? {}
      : { concurrentRequests: concurrentRequests ?? UNLIMITED }),
  };
}

export function toProtoUser(user: User): identityV1.User {
  const { id, email, displayName, role, status, accountId, createdAt } = user;
  return {
    id,
    email,
    displayName,
    role: ROLES[role],
    status: USER_STATUS[status],
    accountId,
    createdAt: toProtoTime(createdAt),
    mustChangePassword: user.mustChangePassword === true,
  };
}

export function toProtoSession(session: SessionGrant): identityV1.Session {
  return {
    accessToken: session.accessToken,
    expiresInSeconds: session.expiresInS,
    refreshToken: session.refreshToken,
    user: toProtoUser(session.user),
    account: toProtoAccount(session.account),
  };
}

export function toProtoFrame(frame: RevocationFrame): identityV1.WatchRevocationsResponse {
  return {
    revision: frame.revision.toString(),
    changes: frame.changes.map(toProtoChange),
    reset: frame.reset,
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
