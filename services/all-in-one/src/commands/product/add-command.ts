import type { Environment } from '@tollgate/config';
import { PAGE_SIZE_MAX } from '@tollgate/core';
import type { Command } from 'commander';
import type { AskOptions, CommandDependencies } from '../command';
import { answerOutcome, type CommandOutcome, failureOutcome } from '../outcome';
import { createProduct, type Product, productAddressOf } from '../product-client';
import type { Table } from '../table';

export const URL_HELP = 'public address of the product';
export const NAMED_ACCOUNT = 'its id, its name, or the email or id of one of its users';
export const ANSWER_AS_JSON = 'the answer as JSON';
export const LIMIT_HELP = `so many of the newest, up to ${PAGE_SIZE_MAX}`;

/** A command that lists is given the members that a line of its table has. */
export type AddCommand = (command: Command, run: Run, columns?: readonly string[]) => void;
type Run = (
  product: Product,
  args: readonly string[],
  options: Readonly<Record<string, string>>,
) => Promise<unknown>;

/**
 * How a command is added that asks the running product for one thing: it gets the options that all of
 * these have, is run, and what it is answered is printed.
 */
export function createAddCommand({
  terminalWidth: width,
  environment,
  finish,
}: CommandDependencies): AddCommand {
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

/**
 * Runs a command that talks to the running product with the operator key in TOLLGATE_API_KEY. Exit
 * code 0 means that it was done; what was answered is printed for people, or as JSON.
 */
export async function askProduct(
  { url, json }: AskOptions,
  environment: Environment,
  command: (product: Product) => Promise<unknown>,
  table?: Table,
): Promise<CommandOutcome> {
  try {
    return answerOutcome(await command(createProduct(url, environment)), json, table);
  } catch (error) {
    return failureOutcome(error, json);
  }
}
