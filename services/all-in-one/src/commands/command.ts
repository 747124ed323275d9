import type { Environment } from '@tollgate/config';
import type { CommandOutcome } from './outcome';

/** What a command that does one thing and ends needs besides its arguments. */
export interface CommandDependencies {
  readonly environment: Environment;
  /** Characters in a line of the terminal; undefined where standard output is none. */
  readonly terminalWidth: number | undefined;
  /** Told on the way, for people. */
  progress(sentence: string): void;
  finish(outcome: CommandOutcome): void;
}

/** How a command reaches the running product, and how it prints what it is answered. */
export interface AskOptions {
  /** The product's public address, without a path. */
  readonly url: string;
  readonly json: boolean;
}

export const OUTCOME_AS_JSON = 'what was done as one JSON object';
