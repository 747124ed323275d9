import { AppError } from '@tollgate/core';
import type { Actor } from './actor';
import { invalid } from './invalid';

/** What a key may be used for. `admin` opens the operator's endpoints and is for operators only. */
export const SCOPES = [
  'completions',
  'models',
  'keys',
  'billing',
  'stats',
  'webhooks',
  'admin',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a new key gets when its creator names no scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

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

/**
 * The scopes that the actor may hand on: its own when it acts by key, everything its role allows
 * when a person acts with an access token.
 */
export function grantableScopes(actor: Actor): readonly Scope[] {
  const held = actor.keyId === undefined ? SCOPES : SCOPES.filter((s) => actor.scopes.includes(s));
  return actor.operator ? held : held.filter((scope) => scope !== 'admin');
}

/** Refuses when a scope is not the actor's to give. */
export function requireGrantable(actor: Actor, scopes: readonly Scope[]): void {
  const grantable = grantableScopes(actor);
  const excess = scopes.find((scope) => !grantable.includes(scope));
  if (excess === undefined) return;
  throw new AppError('FORBIDDEN', {
    param: 'scopes',
    publicMessage: `You cannot give a key the scope ${excess} because you do not have it.`,
  });
}
