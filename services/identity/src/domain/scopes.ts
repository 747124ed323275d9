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
