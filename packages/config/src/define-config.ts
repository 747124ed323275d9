import type { Setting, ValueOf } from './setting';

/** The settings of one service under the member names its code uses. */
export interface ConfigSchema<T> {
  readonly settings: { readonly [M in keyof T]: Setting<T[M]> };
  /** Rules between values; one sentence for each violation. */
  readonly check: ((config: T) => readonly string[]) | undefined;
}

/** The parsed object's type. */
export type ConfigOf<S> = S extends ConfigSchema<infer T> ? T : never;

type Settings = Readonly<Record<string, Setting<unknown>>>;
type ValuesOf<S extends Settings> = { readonly [M in keyof S]: ValueOf<S[M]> };

/** Declares a configuration. Two members may not read the same variable. */
export function defineConfig<const S extends Settings>(
  settings: S,
  check?: (config: ValuesOf<S>) => readonly string[],
): ConfigSchema<ValuesOf<S>> {
  const names = Object.values(settings).map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${repeated} is declared twice in one configuration`);
  return Object.freeze({ settings: settings as ConfigSchema<ValuesOf<S>>['settings'], check });
}
