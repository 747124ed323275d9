import {
  AppError,
  type BudgetPeriod,
  eachLimit,
  fromIsoTime,
  type Idempotency,
  invalid,
  isId,
  withoutUndefined,
} from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import {
  fromProtoName,
  fromProtoOptionalTime,
  fromProtoPeriod,
  fromProtoText,
  toProtoPeriod,
} from '@tollgate/rpc';
import type { AccountLimits, AccountStatus, AccountTerms } from '../domain/account';
import { type Actor, ROLES, type Role } from '../domain/actor';
import type { AuditLogEntry, AuditLogFilter } from '../domain/audit-log';
import type { KeySettingsInput } from '../domain/key-settings';
import type { KeyUse } from '../operations/key-verification';

/** A gateway that names no actor has authenticated nobody. */
export function fromProtoActor(actor: identityV1.Actor__Output | null): Actor {
  if (actor === null || actor.accountId === '') {
    throw new AppError('UNAUTHORIZED', { internalMessage: 'the call names no actor' });
  }
  return {
    accountId: actor.accountId,
    userId: actor.userId,
    keyId: fromProtoText(actor.keyId),
    operator: actor.operator,
    // Without a role only the least is allowed.
    role: fromProtoRole(actor.role) ?? 'member',
    scopes: actor.scopes,
    expiresAt: actor.expiresAt === '' ? undefined : (fromIsoTime(actor.expiresAt) ?? 0),
  };
}

/** Undefined when the client left the choice to us; a number from a newer peer is refused. */
export function fromProtoRole(role: identityV1.Role__Output): Role | undefined {
  if (role === 'ROLE_UNSPECIFIED') return undefined;
  const found = fromProtoName(ROLES, 'ROLE', role);
  if (found === undefined) throw invalid('role', 'role must be owner, admin or member.');
  return found;
}

/**
 * Identity's requests have the key and the digest in a message, those of the other services as
 * members of their own (`fromProtoIdempotency` of packages/rpc). Both are released, so both stay.
 */
export function fromProtoIdempotencyMessage(
  idempotency: identityV1.Idempotency__Output | null,
): Idempotency {
  return { key: idempotency?.key ?? '', bodyDigest: idempotency?.bodyDigest ?? '' };
}

/** The terms of an account that are to change; undefined when none of them is named. */
export function fromProtoTerms({
  limits,
  models,
  discount,
}: Pick<identityV1.UpdateAccountRequest__Output, 'limits' | 'models'> & {
  readonly discount?: number | undefined;
}): Partial<AccountTerms> | undefined {
  if (limits === null && models === null && discount === undefined) return undefined;
  return {
    ...(limits === null ? {} : { limits: fromProtoAccountLimits(limits) }),
    ...(models === null ? {} : { models: models.values }),
    ...(discount === undefined ? {} : { discount }),
  };
}

function fromProtoAccountLimits(limits: identityV1.AccountLimits__Output): AccountLimits {
  const orNull = (limit: number | undefined) => (limit !== undefined && limit < 0 ? null : limit);
  return withoutUndefined(eachLimit((name) => orNull(limits[name])));
}

/** By what lists are narrowed: every status that an account can have, and undefined for any. */
export const ACCOUNT_STATUSES: Readonly<
  Record<identityV1.AccountStatus__Output, AccountStatus | undefined>
> = {
  ACCOUNT_STATUS_UNSPECIFIED: undefined,
  ACCOUNT_STATUS_ACTIVE: 'active',
  ACCOUNT_STATUS_SUSPENDED: 'suspended',
  ACCOUNT_STATUS_ERASING: 'erasing',
  ACCOUNT_STATUS_ERASED: 'erased',
};

/** The status that an operator sets: an erasure is no such status. */
export function fromProtoStatus(
  status: identityV1.AccountStatus__Output | undefined,
): AccountStatus | undefined {
  switch (status) {
    case undefined:
      return undefined;
    case 'ACCOUNT_STATUS_ACTIVE':
      return 'active';
    case 'ACCOUNT_STATUS_SUSPENDED':
      return 'suspended';
    default:
      throw invalid('status', 'status must be active or suspended.');
  }
}

export function fromProtoSettings(
  settings: identityV1.ApiKeySettings__Output | null,
): KeySettingsInput {
  if (settings === null) return {};
  const { budgetPeriod, maxBudget } = settings;
  return {
    name: settings.name,
    scopes: settings.scopes?.values,
    models: settings.models?.values,
    pools: settings.pools?.values,
    allowedIps: settings.allowedIps?.values,
    expiresAt: settings.expiresAt,
    maxBudget: maxBudget === undefined ? undefined : BigInt(maxBudget),
    budgetPeriod: budgetPeriod === undefined ? undefined : toPeriod(budgetPeriod),
    ...eachLimit((name) => settings[name]),
    disabled: settings.disabled,
    metadataJson: settings.metadataJson,
  };
}

/** The period; a number from a newer peer is refused. */
function toPeriod(period: identityV1.BudgetPeriod__Output): BudgetPeriod {
  const known = fromProtoPeriod(period);
  if (toProtoPeriod(known) === period) return known;
  throw invalid('budget_period', 'budget_period must be day, week or month.');
}

/** A time that is none counts as long ago: it moves no last use. */
export function fromProtoKeyUse({ keyId, lastUsedAt }: identityV1.KeyUse__Output): KeyUse {
  return { keyId, atMs: fromIsoTime(lastUsedAt) ?? 0 };
}

export function fromProtoAuditEntry(entry: identityV1.AuditEntry__Output | null): AuditLogEntry {
  if (entry === null || !isId('auditEntry', entry.id)) throw invalid('entry', 'entry has no id.');
  const { at, outcome, requestJson: request, beforeJson: before, afterJson: after } = entry;
  return {
    id: entry.id,
    atMs: fromIsoTime(at) ?? 0,
    operation: entry.operation,
    actorAccountId: entry.actorAccountId,
    actorUserId: entry.actorUserId,
    actorKeyId: entry.actorKeyId,
    operator: entry.operator,
    accountId: entry.accountId,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    remoteAddress: entry.remoteAddress,
    requestId: entry.requestId,
    outcome: outcome === 'AUDIT_OUTCOME_SUCCEEDED' ? 'succeeded' : 'unknown',
    errorCode: entry.errorCode,
    request,
    before,
    after,
  };
}

export function fromProtoAuditFilter(
  request: identityV1.ListAuditEntriesRequest__Output,
): AuditLogFilter {
  const { byActor, accountId, operation, resourceId, start, end } = request;
  return {
    byActor: fromProtoText(byActor),
    accountId: fromProtoText(accountId),
    operation: fromProtoText(operation),
    resourceId: fromProtoText(resourceId),
    startAtMs: fromProtoOptionalTime(start, 'start'),
    endAtMs: fromProtoOptionalTime(end, 'end'),
  };
}
