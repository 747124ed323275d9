import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The repository that this file is part of. */
export const REPOSITORY = join(__dirname, '../../../..');

/** How a tool ended. */
export interface ToolRun {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a program of the workspace's own toolchain; throws when it cannot be started at all. */
export function runTool(program: string, args: readonly string[], directory: string): ToolRun {
  const run = spawnSync(program, args, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error !== undefined) throw run.error;
  return { exitCode: run.status ?? 1, output: `${run.stdout}${run.stderr}` };
}
