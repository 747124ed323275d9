import type { z } from 'zod';
import type { ConfigKey, ConfigKind, KeyOptions } from './config-key';

/** Members that a builder adds to the options that all keys have. */
export interface KeyShape<T> {
  readonly kind: ConfigKind;
  readonly schema: z.ZodType<T>;
  readonly bounds?: string | undefined;
  readonly secret?: boolean;
  readonly print?: (value: T) => string;
}

const UNITS_BY_SUFFIX: readonly (readonly [suffix: string, unit: string])[] = [
  ['_MS', 'milliseconds'],
  ['_SECONDS', 'seconds'],
  ['_BYTES', 'bytes'],
  ['_DAYS', 'days'],
];

export const MASK = '***';

/** Puts a zod schema for the text behind the key's own small interface, so that zod stays here. */
export function createKey<T>(
  name: string,
  options: KeyOptions<T>,
  shape: KeyShape<T>,
): ConfigKey<T> {
  const secret = shape.secret ?? false;
  const print = shape.print ?? (secret ? () => MASK : String);
  return {
    name,
    kind: shape.kind,
    description: options.description,
    unit: options.unit ?? UNITS_BY_SUFFIX.find(([suffix]) => name.endsWith(suffix))?.[1],
    bounds: shape.bounds,
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
}
