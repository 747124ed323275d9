import type { ConfigSchema } from './define-config';
import { type Environment, findText } from './environment';
import type { Setting } from './setting';

/** One row of the generated reference. */
export interface SettingDescription
  extends Omit<Setting<unknown>, 'defaultValue' | 'read' | 'print'> {
  /** As an operator would write it; undefined when there is none. */
  readonly default: string | undefined;
}

/** A setting's present value as an operator may see it. */
export interface PrintedValue {
  readonly name: string;
  /** Masked when secret; undefined when absent or not valid. */
  readonly value: string | undefined;
  /** The variable that gave it, `default`, or `unset`. */
  readonly source: string;
}

/** The schema's settings in the order of their declaration. */
export function describeConfig<T>(
  schema: Pick<ConfigSchema<T>, 'settings'>,
): readonly SettingDescription[] {
  return settingsOf(schema).map((setting) => ({
    name: setting.name,
    kind: setting.kind,
    description: setting.description,
    unit: setting.unit,
    accepts: setting.accepts,
    default: setting.defaultValue === undefined ? undefined : setting.print(setting.defaultValue),
    required: setting.required,
    secret: setting.secret,
    alternatives: setting.alternatives,
  }));
}

/** The rows of `--print-config`: every setting, where its value comes from, secrets masked. */
export function printConfig<T>(
  schema: ConfigSchema<T>,
  environment: Environment,
): readonly PrintedValue[] {
  return settingsOf(schema).map((setting) => {
    const found = findText(setting, environment, []);
    if (found !== undefined) {
      const result = setting.read(found.text, found.source);
      const value = result.ok ? setting.print(result.value) : undefined;
      return { name: setting.name, value, source: found.source };
    }
    if (setting.defaultValue === undefined) {
      return { name: setting.name, value: undefined, source: 'unset' };
    }
    return { name: setting.name, value: setting.print(setting.defaultValue), source: 'default' };
  });
}

/** Every variable that the schema may read, `_FILE` forms and alternatives included. */
export function variableNames<T>(schema: ConfigSchema<T>): readonly string[] {
  return settingsOf(schema).flatMap((setting) => {
    const names = [setting.name, ...setting.alternatives];
    return setting.secret ? names.flatMap((name) => [name, `${name}_FILE`]) : names;
  });
}

function settingsOf<T>({
  settings,
}: Pick<ConfigSchema<T>, 'settings'>): readonly Setting<unknown>[] {
  return Object.values<Setting<unknown>>(settings);
}
