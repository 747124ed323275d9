import {
  AppError,
  createId,
  DEFAULT_GROUP,
  GROUP_NAME,
  ID_PREFIXES,
  invalid,
  type LimitName,
  OWN_GROUP,
  PLAN_BOUNDS,
  PLAN_ID,
} from '@tollgate/core';
import type { AccountEvent, ChangeSource } from './events';

/**
 * ```
 *  active ⇄ suspended
 *     └───┬────┘
 *      erasing ⇄ erased
 * ```
 *
 * From `erasing` on nobody signs in and no key works; `erased` is an account of which nothing
 * personal is left. An erased one is gone through again when that is asked for again; neither
 * becomes active.
 */
export type AccountStatus = 'active' | 'suspended' | 'erasing' | 'erased';

/** Terms that an operator agreed with the account in place of its plan's. */
export interface AccountTerms {
  readonly limits: AccountLimits;
  /** Models that the account may use; empty means those of its plan. */
  readonly models: readonly string[];
  /** Taken off the unit prices, hundredths of a percent; below 0 a mark-up. */
  readonly discount: number;
}

/** A limit that is absent is the plan's, null is unlimited. */
export type AccountLimits = { readonly [Name in LimitName]?: number | null };

/** Of an account with which nothing was agreed: all is its plan's. */
const NO_OWN_TERMS: AccountTerms = { limits: {}, models: [], discount: 0 };

/** A customer: what keys, users and money belong to. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Plan id; billing knows what the plan contains. */
  readonly plan: string;
  readonly status: AccountStatus;
  /** Channel groups that the operator granted, besides the ones that are open to all. */
  readonly groups: readonly string[];
  readonly terms: AccountTerms;
  /** The name under which legacy keys were imported; unique when present. */
  readonly importRef: string | undefined;
  /** Milliseconds since the epoch, both: answers kept for a repetition have them by these names. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts changes; a write names the revision it read. */
  readonly rev: number;
  /** Events that are durable here and not yet relayed. */
  readonly outbox: readonly AccountEvent[];
}

/** The plan of accounts that nobody chose one for. */
export const DEFAULT_PLAN = 'free';

export function newAccount(
  { id, name, plan }: Pick<Account, 'id' | 'name' | 'plan'>,
  now: number,
): Account {
  const created: AccountEvent = {
    id: createId('event'),
    at: now,
    kind: 'account.created',
    plan,
    previousPlan: plan,
    actorUserId: '',
  };
  return {
    id,
    name,
    plan,
    status: 'active',
    groups: [],
    terms: NO_OWN_TERMS,
    importRef: undefined,
    createdAt: now,
    updatedAt: now,
    rev: 1,
    outbox: [created],
  };
}

/** The owner's id follows from the account's, so that an interrupted request finds both again. */
export function ownerIdOf(accountId: string): string {
  return `${ID_PREFIXES.user}_${accountId.slice(ID_PREFIXES.account.length + 1)}`;
}

/** Groups that need no grant: the own one, and the one that is open to all. */
const OPEN_GROUPS = [OWN_GROUP, DEFAULT_GROUP] as const;

/** By what names are looked for: case does not matter. */
export function nameKeyOf(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** Checks the shape of a plan id only: billing has the table of plans. */
export function parsePlan(text: string): string {
  if (!PLAN_ID.test(text)) throw invalid('plan', 'plan must be the id of a plan.');
  return text;
}

/** Channel groups as granted: sorted, without repetitions. */
export function parseGroups(names: readonly string[]): readonly string[] {
  const groups = [...new Set(names)].sort();
  const areNames = groups.every((name) => GROUP_NAME.test(name) && name !== OWN_GROUP);
  const groupsMax = PLAN_BOUNDS.grantedGroupsMax;
  if (groups.length > groupsMax || !areNames) {
    throw invalid('overrides.groups', `groups must be a list of at most ${groupsMax} names.`);
  }
  return groups;
}

/** A mark-up of 900 %: ten times the price. */
const DISCOUNT_MIN = -90_000;
const DISCOUNT_MAX = 10_000;

/** The terms after a change of some of them; throws VALIDATION_ERROR. */
export function changeTerms(terms: AccountTerms, change: Partial<AccountTerms>): AccountTerms {
  const next = { ...terms, ...change };
  const { limits, discount } = next;
  const { listLengthMax: modelsMax, listEntryLengthMax, limitMax } = PLAN_BOUNDS;
  const models = [...new Set(next.models)].sort();
  const areNames = models.every((name) => name.length > 0 && name.length <= listEntryLengthMax);
  if (models.length > modelsMax || !areNames) {
    throw invalid('overrides.models', `models must be a list of at most ${modelsMax} names.`);
  }
  const numbers = Object.values(limits).filter((limit) => typeof limit === 'number');
  if (!numbers.every((limit) => Number.isInteger(limit) && limit >= 0 && limit <= limitMax)) {
    throw invalid('overrides.limits', `limits must be whole numbers from 0 to ${limitMax}.`);
  }
  const isShare = Number.isInteger(discount);
  if (!isShare || discount < DISCOUNT_MIN || discount > DISCOUNT_MAX) {
    throw invalid('overrides.discount', 'discount must be a percentage from -900 to 100.');
  }
  return { limits, models, discount };
}

/** A channel group that the account was not granted is refused as if it did not exist. */
export function requireGranted(account: Account | undefined, groups: readonly string[]): void {
  const granted = new Set<string>([...OPEN_GROUPS, ...(account?.groups ?? [])]);
  if (groups.every((group) => granted.has(group))) return;
  throw new AppError('NOT_FOUND', {
    param: 'pools',
    publicMessage: 'pools names a channel group that does not exist.',
  });
}

/** What stands where a name was that a person chose. */
export const ERASED_NAME = 'erased';

/** True from `erasing` on. */
export function hasErasureBegun({ status }: Pick<Account, 'status'>): boolean {
  return status === 'erasing' || status === 'erased';
}

/** Refuses with CONFLICT any change of an account whose erasure has begun. */
export function requireNotErased(account: Account): void {
  if (!hasErasureBegun(account)) return;
  throw new AppError('CONFLICT', {
    publicMessage:
      'This account was erased. Only its numbers are left, and nothing brings it back.',
  });
}

/** The account without what is personal in its own record; its people and keys follow. */
export function beginErasure(account: Account, source: ChangeSource): Account {
  const kept = { groups: [], terms: NO_OWN_TERMS, importRef: undefined, name: ERASED_NAME };
  return withEvent(account, { ...kept, status: 'erasing' }, 'account.erased', source);
}

/** Nothing personal was found any more. */
export function endErasure(account: Account, source: ChangeSource): Account {
  return withEvent(account, { status: 'erased' }, 'account.erased', source);
}

/** The account after a change; undefined when nothing would change. */
export function changeAccount(
  account: Account,
  change: Partial<Pick<Account, 'name' | 'plan' | 'status' | 'groups' | 'terms'>>,
  source: ChangeSource,
): Account | undefined {
  requireNotErased(account);
  const next = { ...account, ...change };
  const planChanged = next.plan !== account.plan;
  const sameGroups = next.groups.join() === account.groups.join();
  const sameTerms = JSON.stringify(next.terms) === JSON.stringify(account.terms);
  const sameNameAndStatus = next.name === account.name && next.status === account.status;
  const sameRest = sameNameAndStatus && sameGroups && sameTerms;
  if (!planChanged && sameRest) return undefined;
  return withEvent(account, change, planChanged ? 'plan.changed' : 'account.updated', source);
}

/** Later than the change before, whichever replica's clock is behind: listeners go by it. */
function withEvent(
  account: Account,
  change: Partial<Account>,
  kind: AccountEvent['kind'],
  { id, atMs, actor }: ChangeSource,
): Account {
  const next = { ...account, ...change };
  const at = Math.max(atMs, account.updatedAt + 1);
  const by = { id, at, actorUserId: actor?.userId ?? '' };
  const event = { ...by, kind, plan: next.plan, previousPlan: account.plan };
  return { ...next, updatedAt: at, rev: account.rev + 1, outbox: [...account.outbox, event] };
}
