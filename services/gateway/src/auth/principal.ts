import type { Budget } from '@tollgate/core';
import { hasLimit, type RequestLimits } from '../limits/limiter';

/** A user's role in the account, weakest first. */
const ACCOUNT_ROLES = ['member', 'admin', 'owner'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** Says whether a remote address is allowed; built once per cached principal. */
export type AddressCheck = (address: string) => boolean;

/** Terms that an operator agreed with the account, in place of its plan's. */
export interface AccountTerms {
  /** Undefined when all limits are the plan's; a field of it that is undefined is unlimited. */
  readonly limits: Partial<Record<keyof RequestLimits, number | undefined>> | undefined;
  /** Models that the account may use; empty means those of the plan. */
  readonly models: readonly string[];
  /** Taken off the unit prices, hundredths of a percent; below 0 a mark-up. */
  readonly discount: number;
}

/** The limits of an account: its own go before those of its plan. */
export function limitsOf(
  { limits: own }: Pick<AccountTerms, 'limits'>,
  ofPlan: RequestLimits,
): RequestLimits {
  return own === undefined ? ofPlan : { ...ofPlan, ...own };
}

/** Who is calling, and everything that is needed to admit the request without asking again. */
export interface Principal {
  /** How that was proved: an API key, or an access token of a signed-in user. */
  readonly kind: 'api_key' | 'user';
  readonly accountId: string;
  readonly accountName: string;
  /** Empty for users. */
  readonly keyId: string;
  readonly userId: string;
  readonly plan: string;
  readonly suspended: boolean;
  /** Signed in with a first password: it opens nothing but its own change. */
  readonly mustChangePassword?: boolean;
  readonly operator: boolean;
  readonly role: AccountRole;
  readonly scopes: ReadonlySet<string>;
  /** Empty means every model. */
  readonly models: readonly string[];
  readonly pools: readonly string[];
  /** Channel groups that were granted to the account; a key's pools narrow them. */
  readonly grantedGroups: readonly string[];
  readonly terms: AccountTerms;
  /** Absent when any address is allowed. */
  readonly allowsAddress: AddressCheck | undefined;
  /** Wall time after which the presented secret is refused. */
  readonly expiresAtMs: number | undefined;
  /** The key's own limits, beside the plan's. */
  readonly limits: RequestLimits;
  readonly budget: Budget | undefined;
}

/** True when `role` has at least the rights of `needed`. */
export function hasRole(role: AccountRole, needed: AccountRole): boolean {
  return ACCOUNT_ROLES.indexOf(role) >= ACCOUNT_ROLES.indexOf(needed);
}

/** Operators act as such by their own token, or by a key that was given the `admin` scope. */
export function actsAsOperator({
  operator,
  kind,
  scopes,
}: Pick<Principal, 'operator' | 'kind' | 'scopes'>): boolean {
  return operator && (kind === 'user' || scopes.has('admin'));
}

/** The channel groups that the account may name: its own and those of its plan. */
export function groupsOf(
  { grantedGroups }: Pick<Principal, 'grantedGroups'>,
  plan: { readonly groups: readonly string[] },
): string[] {
  return [...new Set([...grantedGroups, ...plan.groups])];
}

/** Those of them that may be named: a key's pools narrow them. */
export function usableGroups(
  principal: Pick<Principal, 'grantedGroups' | 'pools'>,
  plan: { readonly groups: readonly string[] },
): string[] {
  const { pools } = principal;
  return groupsOf(principal, plan).filter((group) => pools.length === 0 || pools.includes(group));
}

/** A key with a budget or limits of its own: whoever made it trusts it with less than the account. */
export function isLimitedKey({ kind, budget, limits }: Principal): boolean {
  return kind === 'api_key' && (budget !== undefined || hasLimit(limits));
}
