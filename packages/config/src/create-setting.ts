import type { z } from 'zod';
import type { ConfigKind, Setting, SettingOptions } from './setting';

/** Members that a builder adds to the options that all settings have. */
export interface SettingShape<T> {
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

/** Puts a zod schema for the text behind the setting's own small interface, so that zod stays here. */
export function createSetting<T>(
  name: string,
  options: SettingOptions<T>,
  shape: SettingShape<T>,
): Setting<T> {
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
