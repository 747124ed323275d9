import type { Command } from 'commander';
import { type AskOptions, askProduct, type Product, productAddressOf } from './ask-product';
import type { CommandDependencies } from './outcome';

export const URL_HELP = 'public address of the product';
export const ANSWER_AS_JSON = 'the answer as JSON';

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
