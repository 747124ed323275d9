import type { Environment } from '@tollgate/config';
import { PAGE_SIZE_MAX } from '@tollgate/core';
import { type Command, InvalidArgumentError } from 'commander';
import { type AskOptions, askProduct, type Product, productAddressOf } from './ask-product';
import type { CommandOutcome } from './outcome';

export const URL_HELP = 'public address of the product';
export const NAMED_ACCOUNT = 'its id, its name, or the email or id of one of its users';
export const ANSWER_AS_JSON = 'the answer as JSON';
export const LIMIT_HELP = `so many of the newest, up to ${PAGE_SIZE_MAX}`;

/** What a command that does one thing and ends needs besides its arguments. */
export interface CommandDependencies {
  readonly environment: Environment;
  /** Characters in a line of the terminal; undefined where standard output is none. */
  readonly terminalWidth: number | undefined;
  /** Told on the way, for people. */
  progress(sentence: string): void;
  finish(outcome: CommandOutcome): void;
}

/** A command that lists is given the members that a line of its table has. */
export type Define = (command: Command, run: Run, columns?: readonly string[]) => void;
type Run = (
  product: Product,
  args: readonly string[],
  options: Readonly<Record<string, string>>,
) => Promise<unknown>;

/**
 * Adds what every command has that asks the running product for one thing, and runs it. Those of
 * declare-commands.ts take stores, spools and files as well, each in its own way.
 */
export function definer({
  terminalWidth: width,
  environment,
  finish,
}: CommandDependencies): Define {
  return (command, run, columns) => {
    command
      .option('--url <url>', URL_HELP, productAddressOf(environment))
      .option('--json', ANSWER_AS_JSON, false)
      .action(async () => {
        const options = command.opts<AskOptions & Record<string, string>>();
        const table = columns && { columns, width };
        const ask = (product: Product) => run(product, command.args, options);
        finish(await askProduct(options, environment, ask, table));
      });
  };
}

/** Of --limit: as many as one page of the API holds. */
export function readLimit(text: string): string {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= PAGE_SIZE_MAX) return text;
  const sentence = `It must be a whole number from 1 to ${PAGE_SIZE_MAX}.`;
  throw Object.assign(new InvalidArgumentError(sentence), { exitCode: 2 });
}
