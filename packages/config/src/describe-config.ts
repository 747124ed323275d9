import type { ConfigKey, ConfigKind } from './config-key';
import type { ConfigSchema } from './define-config';
import { type Environment, findText } from './environment';

/** One row of the generated reference. */
export interface ConfigKeyDescription {
  readonly name: string;
  readonly kind: ConfigKind;
  readonly description: string;
  readonly unit: string | undefined;
  readonly bounds: string | undefined;
  /** As an operator would write it; undefined when there is none. */
  readonly default: string | undefined;
  readonly required: boolean;
  readonly secret: boolean;
  readonly alternatives: readonly string[];
}

/** A key's present value as an operator may see it. */
export interface PrintedValue {
  readonly name: string;
  /** Masked when secret; undefined when absent or not valid. */
  readonly value: string | undefined;
  /** The variable that gave it, `default`, or `unset`. */
  readonly source: string;
}

/** The schema's keys in the order of their declaration. */
export function describeConfig<T>(schema: ConfigSchema<T>): readonly ConfigKeyDescription[] {
  return keysOf(schema).map((key) => ({
    name: key.name,
    kind: key.kind,
    description: key.description,
    unit: key.unit,
    bounds: key.bounds,
    default: key.defaultValue === undefined ? undefined : key.print(key.defaultValue),
    required: key.required,
    secret: key.secret,
    alternatives: key.alternatives,
  }));
}

/** The text of `--print-config`: every key, where its value comes from, secrets masked. */
export function printConfig<T>(
  schema: ConfigSchema<T>,
  environment: Environment,
): readonly PrintedValue[] {
  return keysOf(schema).map((key) => {
    const found = findText(key, environment, []);
    if (found !== undefined) {
      const result = key.read(found.text);
      const value = result.ok ? key.print(result.value) : undefined;
      return { name: key.name, value, source: found.source };
    }
    if (key.defaultValue === undefined) {
      return { name: key.name, value: undefined, source: 'unset' };
    }
    return { name: key.name, value: key.print(key.defaultValue), source: 'default' };
  });
}

/** Every variable that the schema may read, `_FILE` forms and alternatives included. */
export function variableNames<T>(schema: ConfigSchema<T>): readonly string[] {
  return keysOf(schema).flatMap((key) => {
    const names = [key.name, ...key.alternatives];
    return key.secret ? names.flatMap((name) => [name, `${name}_FILE`]) : names;
  });
}

function keysOf<T>(schema: ConfigSchema<T>): readonly ConfigKey<unknown>[] {
  return Object.values<ConfigKey<unknown>>(schema.keys);
}
