import { statSync } from 'node:fs';
import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, EXIT, hostConfigSchema } from '@tollgate/lifecycle';
import type { CommandOutcome } from './audit';

export interface OrphanedSpoolRequest {
  /** The spool's own directory, which no process may be using. */
  readonly directory: string;
  /** Gives up after this time. */
  readonly timeoutMs: number;
}

/**
 * Settles the usage records of a completion instance that is gone for good, with the billing that
 * the environment names. Exit code 0 means that the directory may be deleted.
 */
export async function settleOrphanedSpool(
  { directory, timeoutMs }: OrphanedSpoolRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  // An empty spool would be made in a mistyped directory, and reported as settled.
  if (!isDirectory(directory)) throw new Error(`${directory} is not a directory`);
  const { completionConfigSchema, settleOrphanedSpoolDirectory } =
    require('@tollgate/completion') as typeof import('@tollgate/completion');
  const config = parseConfig(completionConfigSchema, environment);
  const host = createHost('spool-drain', parseConfig(hostConfigSchema, environment));
  // Waiting for billing alone would not keep the process alive.
  const alive = setInterval(() => {}, timeoutMs);
  try {
    const { settled, left } = await settleOrphanedSpoolDirectory(
      directory,
      config,
      host,
      timeoutMs,
    );
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

export interface SpoolRetireRequest {
  /** As completion told it at every start. */
  readonly spoolId: string;
  readonly timeoutMs: number;
}

const SPOOL_ID = /^spl_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Gives up the leases of a spool whose disk is destroyed, with the billing of the environment. */
export async function retireLostSpool(
  { spoolId, timeoutMs }: SpoolRetireRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  if (!SPOOL_ID.test(spoolId)) throw new Error(`${spoolId} is not the id of a spool`);
  const { completionConfigSchema, retireSpool } =
    require('@tollgate/completion') as typeof import('@tollgate/completion');
  const config = parseConfig(completionConfigSchema, environment);
  const host = createHost('spool-retire', parseConfig(hostConfigSchema, environment));
  const retired = await retireSpool(spoolId, config, host, timeoutMs);
  return { exitCode: EXIT.clean, message: `${retired} leases of ${spoolId} were given up\n` };
}
