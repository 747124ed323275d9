import { readFileSync } from 'node:fs';
import type { Setting } from './setting';

/** Variables by name. An empty value counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of the process's environment; nothing else in the product reads it. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}

/** Where a setting's text was found. */
export interface FoundText {
  readonly text: string;
  /** The variable that gave it, with `_FILE` when it came from a file. */
  readonly source: string;
}

/**
 * Finds a setting's text under its name, its `_FILE` name when it is a secret, or an alternative name.
 * A problem is pushed when a file cannot be read or both forms are set.
 */
export function findText<T>(
  setting: Setting<T>,
  environment: Environment,
  problems: string[],
): FoundText | undefined {
  for (const name of [setting.name, ...setting.alternatives]) {
    const direct = environment[name];
    const hasDirect = direct !== undefined && direct !== '' && !isServiceLinkValue(name, direct);
    const fileName = setting.secret ? `${name}_FILE` : undefined;
    const path = fileName === undefined ? undefined : environment[fileName];
    if (hasDirect && path !== undefined && path !== '') {
      problems.push(`${name} and ${fileName} are both set; keep one`);
      return undefined;
    }
    if (hasDirect) return { text: direct, source: name };
    if (fileName !== undefined && path !== undefined && path !== '') {
      return readSecretFile(fileName, path, problems);
    }
  }
  return undefined;
}

function readSecretFile(source: string, path: string, problems: string[]): FoundText | undefined {
  try {
    // Editors and `echo` leave a newline at the end that is not part of the secret.
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (text !== '') return { text, source };
    problems.push(`${source} names an empty file: ${path}`);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    problems.push(`${source} names a file that cannot be read (${reason}): ${path}`);
  }
  return undefined;
}

/** Kubernetes sets `<SERVICE>_PORT=tcp://10.0.0.1:80` for each Service of the namespace. */
export function isServiceLinkValue(name: string, value: string): boolean {
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}
