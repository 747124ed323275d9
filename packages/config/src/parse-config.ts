import type { ConfigSchema } from './define-config';
import { type Environment, findText } from './environment';
import type { Setting } from './setting';

/** Everything that is wrong, and the configuration when nothing is. */
export type ConfigVerdict<T> =
  | { readonly ok: true; readonly config: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The frozen configuration; throws a ConfigError that lists every problem. */
export function parseConfig<T>(schema: ConfigSchema<T>, environment: Environment): T {
  const verdict = checkConfig(schema, environment);
  if (!verdict.ok) throw new ConfigError(verdict.problems);
  return verdict.config;
}

/** As parseConfig, for callers that gather the problems of several configurations. */
export function checkConfig<T>(
  schema: ConfigSchema<T>,
  environment: Environment,
): ConfigVerdict<T> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [member, setting] of Object.entries<Setting<unknown>>(schema.settings)) {
    values[member] = readValue(setting, environment, problems);
  }
  if (problems.length > 0) return { ok: false, problems };
  const config = deepFreeze(values) as T;
  const violations = schema.check?.(config) ?? [];
  return violations.length > 0 ? { ok: false, problems: violations } : { ok: true, config };
}

function readValue(
  setting: Setting<unknown>,
  environment: Environment,
  problems: string[],
): unknown {
  const problemsBefore = problems.length;
  const found = findText(setting, environment, problems);
  if (found === undefined) {
    if (setting.required && problems.length === problemsBefore) {
      const file = setting.secret ? ` (or ${setting.name}_FILE)` : '';
      problems.push(`${setting.name}${file} is required: ${setting.description}`);
    }
    return setting.defaultValue;
  }
  const result = setting.read(found.text, found.source);
  if (result.ok) return result.value;
  const shown = setting.secret ? '' : `, but is ${JSON.stringify(found.text.slice(0, 100))}`;
  problems.push(`${found.source} ${result.problem}${shown}`);
  return undefined;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Bytes cannot be frozen by the language.
  if (ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** The configuration cannot be used; the message lists every problem, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`configuration: ${count}\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
