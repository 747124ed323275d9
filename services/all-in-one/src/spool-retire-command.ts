import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, EXIT, hostConfigSchema } from '@tollgate/lifecycle';
import type { CommandOutcome } from './audit-command';

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
