import { statSync } from 'node:fs';
import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, EXIT, hostConfigSchema } from '@tollgate/lifecycle';

export interface SpoolDrainRequest {
  /** The spool's own directory, which no process may be using. */
  readonly directory: string;
  /** Gives up after this time. */
  readonly timeoutMs: number;
}

/** What happened, for the person who asked, and the exit code that says the same. */
export interface SpoolDrainOutcome {
  readonly exitCode: number;
  readonly message: string;
}

/**
 * Settles the usage records of a completion instance that is gone for good, with the billing that
 * the environment names. Exit code 0 means that the directory may be deleted.
 */
export async function drainOrphanedSpool(
  { directory, timeoutMs }: SpoolDrainRequest,
  environment: Environment,
): Promise<SpoolDrainOutcome> {
  // An empty spool would be made in a mistyped directory, and reported as settled.
  if (!isDirectory(directory)) throw new Error(`${directory} is not a directory`);
  const { completionConfigSchema, drainSpoolDirectory } =
    require('@tollgate/completion') as typeof import('@tollgate/completion');
  const config = parseConfig(completionConfigSchema, environment);
  const host = createHost('spool-drain', parseConfig(hostConfigSchema, environment));
  // Waiting for billing alone would not keep the process alive.
  const alive = setInterval(() => {}, timeoutMs);
  try {
    const { settled, left } = await drainSpoolDirectory(directory, config, host, timeoutMs);
    if (left === 0) {
      const message = `${settled} records settled, none left: ${directory} may be deleted\n`;
      return { exitCode: EXIT.clean, message };
    }
    const message = `${settled} records settled, ${left} left: keep ${directory} and try again\n`;
    return { exitCode: EXIT.unfinished, message };
  } finally {
    clearInterval(alive);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
