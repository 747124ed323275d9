import { AppError, eachLimit, LIMIT_NAMES, SCOPES, type Scope } from '@tollgate/core';
import type { Actor, Role } from './actor';
import { coversCidr, fieldNameOf, type KeySettings, UNRESTRICTED } from './key-settings';

/**
 * What a key may do: the part of its settings that one key can have more of than another, and the
 * role that it acts with, which is its creator's. Absent restrictions and empty lists mean
 * "everything".
 */
export type Rights = Omit<KeySettings, 'name' | 'metadata'> & { readonly role: Role };

/** Who makes, changes or shows keys, with the rights that it may hand on. */
export interface Grantor {
  readonly rights: Rights;
  /** The key that acts; undefined when a person does, with an access token. */
  readonly keyId: string | undefined;
}

type Right = keyof Rights;

/**
 * The rights of which the first has more than the second: the one comparison by which every
 * endpoint decides what may be given, changed and shown.
 */
export function widerRights(first: Rights, second: Rights): readonly Right[] {
  const rights = Object.keys(COVERED) as Right[];
  return rights.filter((right) => !COVERED[right](first, second));
}

/** Whether the second has all that the first has, for each right. */
const COVERED: Readonly<Record<Right, (first: Rights, second: Rights) => boolean>> = {
  role: (first, second) => rankOf(first.role) <= rankOf(second.role),
  scopes: (first, second) => first.scopes.every((scope) => second.scopes.includes(scope)),
  models: (first, second) => isPart(first.models, second.models),
  pools: (first, second) => isPart(first.pools, second.pools),
  allowedIps: (first, second) => isPart(first.allowedIps, second.allowedIps, coversCidr),
  expiresAt: (first, second) => isWithin(first.expiresAt, second.expiresAt),
  maxBudget: (first, second) => isWithin(first.maxBudget, second.maxBudget),
  // A new period begins with nothing spent: no period is less than another.
  budgetPeriod: (first, second) =>
    second.maxBudget === undefined || first.budgetPeriod === second.budgetPeriod,
  ...eachLimit((name) => (first: Rights, second: Rights) => isWithin(first[name], second[name])),
  disabled: (first, second) => first.disabled || !second.disabled,
};

/** Limits on what a key uses: a second key with the same ones could use as much again. */
const USAGE_LIMITS = ['maxBudget', ...LIMIT_NAMES] as const;

/** The rights that a person may hand on: everything that the role allows. */
export function rightsOfPerson({ operator, role }: Actor): Rights {
  return {
    ...UNRESTRICTED,
    role,
    scopes: operator ? SCOPES : SCOPES.filter((scope) => scope !== 'admin'),
  };
}

/** The rights that a key may hand on: no scope that its bearer was not admitted with. */
export function rightsOfKey(settings: KeySettings, actor: Actor): Rights {
  const { operator, role } = actor;
  const isHeld = (scope: Scope) => actor.scopes.includes(scope) && (operator || scope !== 'admin');
  // A secret that was replaced works for a while: it must not make itself one that stays.
  const ends = [settings.expiresAt, actor.expiresAt].filter((at) => at !== undefined);
  const expiresAt = ends.length === 0 ? undefined : Math.min(...ends);
  return { ...settings, role, scopes: settings.scopes.filter(isHeld), expiresAt };
}

/** Refuses to make a key that may do more than its grantor, or use as much once more. */
export function requireCreatable({ rights }: Grantor, settings: KeySettings): void {
  forbidRights(widerRights({ ...settings, role: rights.role }, rights), 'give');
  forbidRights(
    USAGE_LIMITS.filter((right) => rights[right] !== undefined),
    'double',
  );
}

/**
 * Refuses to widen a key that may then do more than the grantor: to lift a restriction, or to switch
 * the key on, gives its bearer all that it has. What the key already had may stay, whoever narrows it
 * or edits its name; a restricted key widens nothing.
 */
export function requireChangeable({ rights }: Grantor, present: Rights, next: Rights): void {
  const widened = widerRights(next, present);
  if (widened.length === 0) return;
  if (isRestricted(rights)) forbidRights(widened, 'widen');
  const lacking = widerRights(next, rights);
  forbidRights(
    widened.filter((right) => lacking.includes(right)),
    'give',
  );
  forbidRights(lacking, 'release');
}

/** Refuses to let a restricted key change or end another that may do more than it. */
export function requireGovernable(
  { rights, keyId }: Grantor,
  governed: KeySettings,
  governedId: string,
): void {
  if (keyId === undefined || keyId === governedId || !isRestricted(rights)) return;
  forbidRights(widerRights({ ...governed, role: rights.role }, rights), 'govern');
}

/** Refuses to show a secret of a key that may do more than the grantor, or use as much again. */
export function requireShowable({ rights, keyId }: Grantor, shown: Rights, shownId: string): void {
  forbidRights(widerRights(shown, rights), 'show');
  // A key's usage is counted by its id, which stays when it rotates itself.
  if (keyId === shownId) return;
  forbidRights(
    USAGE_LIMITS.filter((right) => rights[right] !== undefined),
    'double',
  );
}

/** The rights of a new key before its settings: the restrictions of the key that makes it. */
export function inheritedSettings(defaults: KeySettings, { rights }: Grantor): KeySettings {
  const { models, pools, allowedIps, expiresAt } = rights;
  const scopes = defaults.scopes.filter((scope) => rights.scopes.includes(scope));
  return { ...defaults, scopes, models, pools, allowedIps, expiresAt };
}

/** Whether something besides its role and scopes narrows it, such as models or a budget. */
function isRestricted(rights: Rights): boolean {
  const { role, scopes } = rights;
  return widerRights({ ...UNRESTRICTED, role, scopes }, rights).length > 0;
}

const RANKS: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2, operator: 3 };

function rankOf(role: Role): number {
  return RANKS[role];
}

/** Lists of what is allowed: an empty one allows everything. */
function isPart(
  first: readonly string[],
  second: readonly string[],
  covers: (whole: string, part: string) => boolean = (whole, part) => whole === part,
): boolean {
  if (second.length === 0) return true;
  if (first.length === 0) return false;
  return first.every((part) => second.some((whole) => covers(whole, part)));
}

function isWithin<Bound extends number | bigint>(
  first: Bound | undefined,
  second: Bound | undefined,
): boolean {
  if (second === undefined) return true;
  return first !== undefined && first <= second;
}

const REASONS = {
  give: 'You cannot give a key what you do not have',
  widen: 'A restricted key can only narrow what a key may do',
  release: 'You can only narrow a key that may do more than you',
  govern: 'A restricted key can neither change nor delete a key that may do more',
  show: 'You cannot see a secret of a key that may do more than you',
  double:
    'A key with a budget or limits can neither make keys nor see their secrets: it could use as much again',
} as const;

function forbidRights(rights: readonly Right[], reason: keyof typeof REASONS): void {
  const [right] = rights;
  if (right === undefined) return;
  const field = right === 'role' ? 'role' : fieldNameOf(right);
  const why = right === 'role' ? 'the role of whoever made it is above yours' : field;
  throw new AppError('FORBIDDEN', {
    param: field,
    publicMessage: `${REASONS[reason]}: ${why}.`,
  });
}
