import { AppError, BEARER_FAULTS, fromIsoTime, LIMIT_NAMES, parseNano } from '@tollgate/core';
import type { billingV1, identityV1 } from '@tollgate/protos';
import { fromProtoPeriod, UNLIMITED } from '@tollgate/rpc';
import { createAddressCheck } from '../auth/address-list';
import { type BearerFaultDetails, publicPartOf } from '../auth/bearer';
import type { AccountRole, AccountTerms, Principal } from '../auth/principal';
import { limitsFrom } from '../limits/limiter';
import type { AccountPlan } from '../limits/plan-table';

/** Every plan, by its id. */
export function fromPlans(
  answer: billingV1.ListPlansResponse__Output,
): ReadonlyMap<string, AccountPlan> {
  return new Map(
    answer.plans.map((plan) => [
      plan.id,
      {
        limits: limitsFrom(plan),
        groups: plan.groups,
        models: plan.models,
        keepAnswers: plan.keepAnswers ?? true,
      },
    ]),
  );
}

const NO_TERMS: AccountTerms = { limits: undefined, models: [], discount: 0 };

/** Limits, models and discount of an account. */
export function fromTerms(terms: identityV1.AccountTerms__Output | null): AccountTerms {
  if (terms === null) return NO_TERMS;
  const { models, discount } = terms;
  const own = LIMIT_NAMES.flatMap((name) => {
    const limit = terms.limits?.[name];
    return limit === undefined ? [] : [[name, limit <= UNLIMITED ? undefined : limit] as const];
  });
  return { limits: own.length === 0 ? undefined : Object.fromEntries(own), models, discount };
}

/** Why identity refuses a key; a reason of another version is none. */
export function fromRefusedKey(
  { fault, accountId, keyId, preview }: identityV1.RefusedKey__Output,
  apiKey: string,
): BearerFaultDetails {
  return {
    fault: BEARER_FAULTS.find((known) => known === fault) ?? 'unknown',
    presented: preview === '' ? publicPartOf(apiKey) : preview,
    accountId,
    keyId,
  };
}

/** A key's principal as identity sends it. */
export function fromPrincipal(source: identityV1.Principal__Output): Principal {
  return {
    kind: 'api_key',
    accountId: source.accountId,
    accountName: source.accountName,
    keyId: source.keyId,
    userId: source.userId,
    plan: source.plan,
    suspended: source.accountStatus !== 'ACCOUNT_STATUS_ACTIVE',
    operator: source.operator,
    role: toAccountRole(source.role),
    scopes: new Set(source.scopes),
    ...fromKeySettings(source),
    grantedGroups: source.grantedGroups,
    terms: fromTerms(source.accountTerms),
    allowsAddress:
      source.allowedIps.length === 0 ? undefined : createAddressCheck(source.allowedIps),
    expiresAtMs: source.expiresAt === '' ? undefined : (fromIsoTime(source.expiresAt) ?? 0),
    limits: limitsFrom(source),
  };
}

type KeySettings = Pick<
  identityV1.ApiKey__Output,
  'models' | 'pools' | 'maxBudget' | 'budgetPeriod'
>;

/** What a key narrows; without one nothing is. */
function fromKeySettings(
  key: KeySettings | undefined,
): Pick<Principal, 'budget' | 'models' | 'pools'> {
  if (key === undefined) return { models: [], pools: [], budget: undefined };
  const { budgetPeriod, maxBudget, models, pools } = key;
  if (maxBudget === undefined) return { models, pools, budget: undefined };
  const budget = { limit: parseNano(maxBudget), period: fromProtoPeriod(budgetPeriod) };
  return { models, pools, budget };
}

/** What may be used under the account: all that it was granted, or what a key of it leaves of that. */
export function fromAccountAndKey(account: identityV1.Account__Output, key?: KeySettings) {
  return {
    accountId: account.id,
    grantedGroups: account.groups,
    terms: fromTerms(account.terms),
    ...fromKeySettings(key),
  };
}

/** A signed-in user's principal. Throws UNAUTHORIZED for users who may not sign in any more. */
export function fromUser(answer: identityV1.GetUserResponse__Output): Principal {
  const { user, account } = answer;
  if (user === null || account === null || user.status !== 'USER_STATUS_ACTIVE') {
    throw new AppError('UNAUTHORIZED');
  }
  return {
    ...fromAccountAndKey(account),
    kind: 'user',
    accountName: account.name,
    keyId: '',
    userId: user.id,
    plan: account.plan,
    suspended: account.status !== 'ACCOUNT_STATUS_ACTIVE',
    mustChangePassword: user.mustChangePassword,
    operator: user.role === 'ROLE_OPERATOR',
    role: toAccountRole(user.role),
    scopes: new Set(),
    allowsAddress: undefined,
    expiresAtMs: undefined,
    limits: {},
  };
}

type Role = identityV1.Role__Output;

/** The account role behind identity's; operators have every right anyway. */
export function toAccountRole(role: Role): AccountRole {
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
