import { AppError } from '@tollgate/core';
import type { Role } from './role';

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
