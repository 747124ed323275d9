import { AppError, fromIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import type { AccountRole, AddressCheck, KeyBudget, Principal } from '../domain/principal';

type Role = identityV1.Role__Output;

/** The account role behind identity's; operators have every right anyway. */
function fromRole(role: Role): AccountRole {
  switch (role) {
    case 'ROLE_OWNER':
    case 'ROLE_OPERATOR':
      return 'owner';
    case 'ROLE_ADMIN':
      return 'admin';
    default:
      return 'member';
  }
}

/** A key's principal as identity sends it; `toAddressCheck` builds the list of allowed addresses. */
export function fromPrincipal(
  source: identityV1.Principal__Output,
  toAddressCheck: (entries: readonly string[]) => AddressCheck,
): Principal {
  const { requestsPerMinute, requestsPerDay, concurrentRequests, maxBudget } = source;
  return {
    kind: 'api_key',
    accountId: source.accountId,
    accountName: source.accountName,
    keyId: source.keyId,
    userId: source.userId,
    plan: source.plan,
    suspended: source.accountStatus !== 'ACCOUNT_STATUS_ACTIVE',
    operator: source.operator,
    role: fromRole(source.role),
    scopes: new Set(source.scopes),
    models: source.models,
    pools: source.pools,
    grantedGroups: source.grantedGroups,
    allowsAddress: source.allowedIps.length === 0 ? undefined : toAddressCheck(source.allowedIps),
    expiresAtMs: source.expiresAt === '' ? undefined : (fromIsoTime(source.expiresAt) ?? 0),
    limits: { requestsPerMinute, requestsPerDay, concurrentRequests },
    budget: maxBudget === undefined ? undefined : fromBudget(maxBudget, source.budgetPeriod),
  };
}

function fromBudget(limit: string, period: identityV1.BudgetPeriod__Output): KeyBudget {
  const periods: Readonly<Record<string, KeyBudget['period']>> = {
    BUDGET_PERIOD_DAY: 'day',
    BUDGET_PERIOD_WEEK: 'week',
    BUDGET_PERIOD_MONTH: 'month',
  };
  return { limitNano: BigInt(limit), period: periods[period] ?? 'never' };
}

/** A signed-in user's principal. Throws UNAUTHORIZED for users who may not sign in any more. */
export function fromUser(answer: identityV1.GetUserResponse__Output): Principal {
  const { user, account } = answer;
  if (user === null || account === null || user.status !== 'USER_STATUS_ACTIVE') {
    throw new AppError('UNAUTHORIZED');
  }
  return {
    kind: 'user',
    accountId: account.id,
    accountName: account.name,
    keyId: '',
    userId: user.id,
    plan: account.plan,
    suspended: account.status !== 'ACCOUNT_STATUS_ACTIVE',
    operator: user.role === 'ROLE_OPERATOR',
    role: fromRole(user.role),
    scopes: new Set(),
    models: [],
    pools: [],
    grantedGroups: account.groups,
    allowsAddress: undefined,
    expiresAtMs: undefined,
    limits: {},
    budget: undefined,
  };
}
