import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True when the program can be started by its name. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program to its end and gives what it printed; rejects with the tail of its complaints. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: { readonly timeoutMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const env = { ...process.env, ...options.env };
  const settings = { timeout: options.timeoutMs, env, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} failed: ${error.message}\n${tail(stdout + stderr)}`));
    });
  });
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n');
}
