import type { z } from 'zod';

/** The type of a setting's value, as the generated reference names it. */
export type ConfigKind =
  | 'text'
  | 'secret'
  | 'integer'
  | 'amount'
  | 'flag'
  | 'choice'
  | 'list'
  | 'url'
  | 'port';

/** A value, or the sentence that tells the operator what is wrong with the text. */
export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** One environment variable: its documentation, and how its text becomes a value. */
export interface Setting<T> {
  /** The variable's name in the environment. */
  readonly name: string;
  readonly kind: ConfigKind;
  /** One sentence. */
  readonly description: string;
  /** `milliseconds`, `bytes`, ...; undefined when the value has none. */
  readonly unit: string | undefined;
  /** The accepted values, in words; undefined when anything is. */
  readonly accepts: string | undefined;
  /** Secrets are never printed, and may come from the file named by `<NAME>_FILE`. */
  readonly secret: boolean;
  /** Absent is an error when neither a default nor `optional` is given. */
  readonly required: boolean;
  readonly defaultValue: T | undefined;
  /** Other variables that are read when the first is absent, in this order. */
  readonly alternatives: readonly string[];
  /** Reads the text, which is never empty, of the variable that gave it. */
  read(text: string, variable: string): ReadResult<T>;
  /** The value as an operator may see it: secrets masked. */
  print(value: T): string;
}

/** A value with the name of the variable that gave it, for people who are told to check it. */
export interface GivenValue<T> {
  readonly value: T;
  /** With `_FILE` when it came from a file. */
  readonly variable: string;
}

/** The fields that every builder accepts. */
export interface SettingOptions<T> {
  /** One sentence. */
  readonly description: string;
  readonly default?: T;
  /** Absent is allowed and reads as undefined. */
  readonly optional?: boolean;
  /** The unit, where the variable's name does not end in one (`_MS`, `_BYTES`). */
  readonly unit?: string;
  readonly alternatives?: readonly string[];
}

/** The value's type: undefined is possible only for settings declared `optional: true`. */
export type DeclaredValue<T, O> = O extends { readonly optional: true } ? T | undefined : T;

/** The value's type of a setting. */
export type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** Members that a builder adds to the options that all settings have. */
export interface SettingShape<T> {
  readonly kind: ConfigKind;
  readonly schema: z.ZodType<T>;
  readonly accepts?: string | undefined;
  readonly secret?: boolean;
  readonly print?: (value: T) => string;
}

/** By the end of a variable's name, which may have `_MAX` behind it. */
const UNITS_BY_SUFFIX: readonly (readonly [suffix: string, unit: string])[] = [
  ['_MS', 'milliseconds'],
  ['_SECONDS', 'seconds'],
  ['_BYTES', 'bytes'],
  ['_DAYS', 'days'],
];

export const MASK = '***';

/** Puts a zod schema for the text behind the setting's own small interface, so that zod stays here. */
export function createSetting<T, const O extends SettingOptions<T>>(
  name: string,
  options: O,
  shape: SettingShape<T>,
): Setting<DeclaredValue<T, O>> {
  const secret = shape.secret ?? false;
  const quantity = name.replace(/_MAX$/, '');
  const print = shape.print ?? (secret ? () => MASK : String);
  const setting: Setting<T> = {
    name,
    kind: shape.kind,
    description: options.description,
    unit: options.unit ?? UNITS_BY_SUFFIX.find(([suffix]) => quantity.endsWith(suffix))?.[1],
    accepts: shape.accepts,
    secret,
    required: options.default === undefined && options.optional !== true,
    defaultValue: options.default,
    alternatives: options.alternatives ?? [],
    read(text) {
      const result = shape.schema.safeParse(text);
      if (result.success) return { ok: true, value: result.data };
      return { ok: false, problem: result.error.issues[0]?.message ?? 'is not valid' };
    },
    print,
  };
  // What the options say of undefined the compiler cannot follow from here.
  return setting as Setting<DeclaredValue<T, O>>;
}
