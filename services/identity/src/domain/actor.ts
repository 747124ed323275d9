import { AppError, invalid, SCOPES, type Scope } from '@tollgate/core';

/** `operator` is the platform role; in the own account it counts as owner. */
export const ROLES = ['owner', 'admin', 'member', 'operator'] as const;

export type Role = (typeof ROLES)[number];

/** The scopes of a new key whose creator names none. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** Who acts, as the gateway authenticated it. */
export interface Actor {
  readonly accountId: string;
  readonly userId: string;
  /** Set when the actor presented an API key, absent for an access token. */
  readonly keyId: string | undefined;
  readonly operator: boolean;
  readonly role: Role;
  readonly scopes: readonly string[];
  /** When the secret that was presented stops working; a replaced one does so before its key. */
  readonly expiresAt?: number | undefined;
}

/** Refuses everybody but operators; an operator's key needs the `admin` scope as well. */
export function requireOperator(actor: Actor): void {
  const byKeyWithoutScope = actor.keyId !== undefined && !actor.scopes.includes('admin');
  if (!actor.operator || byKeyWithoutScope) throw new AppError('FORBIDDEN');
}

/** Refuses members: only owners, admins and operators manage the people of an account. */
export function requireManager(actor: Actor): void {
  if (actor.role === 'member') throw new AppError('FORBIDDEN');
}

/** Reads scope names in the order of the table, without repetitions. */
export function parseScopes(names: readonly string[]): readonly Scope[] {
  const wanted = new Set<string>(names);
  for (const name of wanted) {
    if (!SCOPES.some((scope) => scope === name)) {
      throw invalid('scopes', `scopes must be among ${SCOPES.join(', ')}.`);
    }
  }
  if (wanted.size === 0) throw invalid('scopes', 'scopes must name at least one scope.');
  return SCOPES.filter((scope) => wanted.has(scope));
}
