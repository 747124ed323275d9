import { ConfigError, type Environment, type PrintedValue } from '@tollgate/config';
import { nearestName } from '@tollgate/core';
import { EXIT } from '@tollgate/lifecycle';
import { Command, CommanderError } from 'commander';
import { loadStoreThread } from '../start/embedded-store';
import { bringsStore, planProcess, printPlan } from '../start/plan';
import { startProcess } from '../start/start-process';
import { TARGET_NAMES, TARGETS } from '../start/targets';
import type { CommandDependencies } from './command';
import { addProductCommands } from './product/product-commands';
import { addStoreCommands } from './stores/store-commands';

/** Where the command line writes, and how it ends. */
export interface CliStreams {
  out(text: string): void;
  error(text: string): void;
  /** Characters in a line of the terminal that `out` writes to; undefined where it is none. */
  readonly terminalWidth?: number | undefined;
}

interface CliFlags {
  readonly validate?: boolean;
  readonly printConfig?: boolean;
  readonly listTargets?: boolean;
  readonly json?: boolean;
}

/**
 * Runs the command line. The answer is the exit code, or undefined when services were started and
 * the process ends by a signal.
 */
export async function runCli(
  args: readonly string[],
  environment: Environment,
  streams: CliStreams,
): Promise<number | undefined> {
  let exitCode: number | undefined = EXIT.clean;
  const command = createCommand(streams).action(async (flags: CliFlags) => {
    const [unknown] = command.args;
    if (unknown !== undefined) throw new Error(describeUnknown(unknown, command));
    exitCode = await run(flags, environment, streams);
  });
  for (const [name, flag] of [
    ['validate', 'validate'],
    ['print-config', 'printConfig'],
  ] as const) {
    const doing = command.command(name).description(`the same as --${name}`);
    doing.option('--json', 'as one JSON object', false).action(async ({ json }: CliFlags) => {
      exitCode = await run({ [flag]: true, json: json === true }, environment, streams);
    });
  }
  const deps: CommandDependencies = {
    environment,
    terminalWidth: streams.terminalWidth,
    progress: (sentence) => streams.error(`${sentence}\n`),
    finish(outcome) {
      streams.out(outcome.message);
      exitCode = outcome.exitCode;
    },
  };
  addStoreCommands(command, deps);
  addProductCommands(command, deps);
  // What is left over is an unknown command, of which the action above says which one was meant. Only
  // now: the commands above copy what the program allows, and each refuses what it would not look at.
  command.allowExcessArguments(true);
  try {
    await command.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === EXIT.clean) return EXIT.clean;
    if (args.includes('--json')) streams.out(toJson({ error: reasonOf(error) }));
    // What is wrong with the arguments has been written already.
    else if (!(error instanceof CommanderError)) streams.error(`${reasonOf(error)}\n`);
    return EXIT.failed;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof CommanderError)) return error.message;
  if (error.code === 'commander.help') return 'a command is missing (--help lists them)';
  return error.message.replace(/^error: /, '');
}

function describeUnknown(name: string, { commands }: Command): string {
  const meant = nearestName(
    name,
    commands.map((each) => each.name()),
  );
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `unknown command ${name}${hint} (--help lists them)`;
}

function createCommand({ out, error }: CliStreams): Command {
  return (
    new Command('tollgate')
      .description(
        'A chat-completion service in front of language-model vendors: one key, one bill. ' +
          'Without an option it starts the services that TARGET names: by default all of them, ' +
          'with everything they need. All settings are environment variables.',
      )
      .option('--validate', 'check the environment, report every problem, start nothing')
      .option('--print-config', 'show every setting, its value and source, secrets masked')
      .option('--list-targets', 'list the services that TARGET may name')
      .option('--json', 'what these three print as one JSON object')
      // Without it, a --json behind a command would be taken for this one.
      .enablePositionalOptions()
      .helpCommand('help [command]', 'what a command does and takes')
      .configureOutput({ writeOut: out, writeErr: error })
      .exitOverride()
  );
}

async function run(
  flags: CliFlags,
  environment: Environment,
  { out, error }: CliStreams,
): Promise<number | undefined> {
  if (flags.listTargets) {
    out(flags.json ? toJson({ targets: ['all', ...TARGET_NAMES] }) : formatTargets());
    return EXIT.clean;
  }
  if (flags.printConfig) {
    const values = printPlan(environment);
    out(flags.json ? toJson({ settings: values }) : values.map(formatValue).join(''));
    return EXIT.clean;
  }
  // The store's thread loads its code while this one loads the services.
  const thread = flags.validate || !bringsStore(environment) ? undefined : loadStoreThread();
  const verdict = planProcess(environment);
  if (flags.validate) {
    const unknown = verdict.ok ? verdict.plan.unknownNames : verdict.unknownNames;
    const problems = verdict.ok ? unknown : [...verdict.problems, ...unknown];
    const valid = problems.length === 0;
    if (flags.json) out(toJson({ valid, problems }));
    else if (valid) out('the configuration is valid\n');
    else error(`${new ConfigError(problems).message}\n`);
    return valid ? EXIT.clean : EXIT.failed;
  }
  if (!verdict.ok) {
    error(`${new ConfigError(verdict.problems).message}\n`);
    return EXIT.failed;
  }
  await startProcess(verdict.plan, environment, thread);
  return undefined;
}

function toJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function formatTargets(): string {
  const width = Math.max(...TARGET_NAMES.map((name) => name.length));
  const rows = TARGET_NAMES.map((name) => `${name.padEnd(width)}  ${TARGETS[name].description}\n`);
  return `${'all'.padEnd(width)}  everything below in one process, with all it needs\n${rows.join('')}`;
}

function formatValue({ name, value, source }: PrintedValue): string {
  return `${name}=${value ?? ''}  # ${source}\n`;
}
