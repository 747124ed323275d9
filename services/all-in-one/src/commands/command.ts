import type { Environment } from '@tollgate/config';

/** What a command that does one thing and ends needs besides its arguments. */
export interface CommandDependencies {
  readonly environment: Environment;
  /** Characters in a line of the terminal; undefined where standard output is none. */
  readonly terminalWidth: number | undefined;
  /** Told on the way, for people. */
  progress(sentence: string): void;
  finish(outcome: CommandOutcome): void;
}

/** The text to print and the exit code: 0 only when it was done and all is well. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly message: string;
}

/** What a command found out, as one JSON object or as a text for people. */
export function toOutcome(
  exitCode: number,
  found: object,
  { json, text }: { readonly json: boolean; readonly text: string },
): CommandOutcome {
  return { exitCode, message: `${json ? JSON.stringify(found) : text}\n` };
}

export const OUTCOME_AS_JSON = 'what was done as one JSON object';
