import { statSync } from 'node:fs';
import { type Environment, parseConfig } from '@tollgate/config';
import { isId } from '@tollgate/core';
import { EXIT } from '@tollgate/lifecycle';
import { type CommandOutcome, toOutcome } from '../outcome';
import { createCommandHost } from './command-host';

export interface OrphanedSpoolRequest {
  /** The spool's own directory, which no process may be using. */
  readonly directory: string;
  /** Gives up after this time. */
  readonly timeoutMs: number;
  readonly json: boolean;
}

/**
 * Settles the usage records of a completion instance that is gone for good, with the billing that
 * the environment names. Exit code 0 means that the directory may be deleted.
 */
export async function runSpoolDrain(
  { directory, timeoutMs, json }: OrphanedSpoolRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  // An empty spool would be made in a mistyped directory, and reported as settled.
  if (!isDirectory(directory)) throw new Error(`${directory} is not a directory`);
  const { completionConfigSchema, settleOrphanedSpoolDirectory } =
    require('@tollgate/completion') as typeof import('@tollgate/completion');
  const config = parseConfig(completionConfigSchema, environment);
  const host = createCommandHost('spool-drain', environment);
  // Waiting for billing alone would not keep the process alive.
  const alive = setInterval(() => {}, timeoutMs);
  try {
    const drained = await settleOrphanedSpoolDirectory(directory, config, host, timeoutMs);
    return drainOutcome(directory, drained, json);
  } finally {
    clearInterval(alive);
  }
}

/** What became of the records, and what to do next. */
export function drainOutcome(
  directory: string,
  { left, neverGranted, settled }: Readonly<Record<'left' | 'neverGranted' | 'settled', number>>,
  json: boolean,
): CommandOutcome {
  const { exitCode, advice } = afterDrain(directory, left, neverGranted);
  const found = { directory, settled, left, never_granted: neverGranted };
  const text = `${settled} records settled, ${left === 0 ? 'none' : left} left: ${advice}`;
  return toOutcome(exitCode, found, { json, text });
}

function afterDrain(directory: string, left: number, neverGranted: number) {
  if (left === 0) return { exitCode: EXIT.clean, advice: `${directory} may be deleted` };
  const never = `${neverGranted} of leases that billing never granted`;
  // A script that runs it again while work is unfinished would never end with these.
  if (left === neverGranted) {
    const advice = `${never}: look for their dead letters before you delete ${directory}`;
    return { exitCode: EXIT.failed, advice };
  }
  const ofThose = neverGranted === 0 ? '' : ` (${never})`;
  return { exitCode: EXIT.unfinished, advice: `keep ${directory} and try again${ofThose}` };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export interface SpoolRetireRequest {
  /** As completion told it at every start. */
  readonly spoolId: string;
  readonly timeoutMs: number;
  readonly json: boolean;
}

/** Gives up the leases of a spool whose disk is destroyed, with the billing of the environment. */
export async function retireLostSpool(
  { spoolId, timeoutMs, json }: SpoolRetireRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  if (!isId('spool', spoolId)) throw new Error(`${spoolId} is not the id of a spool`);
  const { completionConfigSchema, retireSpool } =
    require('@tollgate/completion') as typeof import('@tollgate/completion');
  const config = parseConfig(completionConfigSchema, environment);
  const host = createCommandHost('spool-retire', environment);
  const retired = await retireSpool(spoolId, config, host, timeoutMs);
  const text = `${retired} leases of ${spoolId} were given up`;
  return toOutcome(EXIT.clean, { spool_id: spoolId, retired }, { json, text });
}
