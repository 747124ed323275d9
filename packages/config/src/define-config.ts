import type { ConfigKey, ValueOfKey } from './config-key';

/** The keys of one service under the member names its code uses. */
export interface ConfigSchema<T> {
  readonly keys: { readonly [M in keyof T]: ConfigKey<T[M]> };
  /** Rules between values; one sentence for each violation. */
  readonly check: ((config: T) => readonly string[]) | undefined;
}

/** The parsed object's type. */
export type ConfigOf<S> = S extends ConfigSchema<infer T> ? T : never;

type Keys = Readonly<Record<string, ConfigKey<unknown>>>;
type ConfigFor<K extends Keys> = { readonly [M in keyof K]: ValueOfKey<K[M]> };

/** Declares a configuration. Two members may not read the same variable. */
export function defineConfig<const K extends Keys>(
  keys: K,
  check?: (config: ConfigFor<K>) => readonly string[],
): ConfigSchema<ConfigFor<K>> {
  const names = Object.values(keys).map((key) => key.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${repeated} is declared twice in one configuration`);
  return Object.freeze({ keys: keys as ConfigSchema<ConfigFor<K>>['keys'], check });
}
