import { isDeepStrictEqual } from 'node:util';
import type { ConfigKeyDescription } from '@tollgate/config';

/** A variable with everyone who reads it. */
export interface ConfigVariable extends ConfigKeyDescription {
  /** In the order of the schemas that were given. */
  readonly readers: readonly string[];
}

/** The variables that one reader declares. */
export interface ReaderKeys {
  readonly reader: string;
  readonly keys: readonly ConfigKeyDescription[];
}

/**
 * One entry for each variable. Throws when two readers disagree about what a variable may hold: a
 * page could only be right about one of them.
 */
export function mergeReaders(all: readonly ReaderKeys[]): readonly ConfigVariable[] {
  const merged = new Map<string, ConfigVariable>();
  for (const { reader, keys } of all) {
    for (const key of keys) {
      const known = merged.get(key.name);
      if (known !== undefined && !isSameValue(known, key)) {
        throw new Error(`${key.name}: ${reader} and ${known.readers.join(', ')} disagree about it`);
      }
      const readers = [...(known?.readers ?? []), reader];
      merged.set(key.name, { ...(known ?? key), readers });
    }
  }
  return [...merged.values()];
}

/** The sentence may differ, because each reader may use the value for something of its own. */
function isSameValue(a: ConfigKeyDescription, b: ConfigKeyDescription): boolean {
  const value = ({ kind, unit, bounds, required, secret, ...rest }: ConfigKeyDescription) => [
    kind,
    unit,
    bounds,
    rest.default,
    required,
    secret,
    rest.alternatives,
  ];
  return isDeepStrictEqual(value(a), value(b));
}
