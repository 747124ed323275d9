import { parseArgs } from 'node:util';
import { checkSeeds, missingCoverage, PLANTED_BUGS } from './check/check-seeds';
import { NO_PLANTED_BUG, type PlantedBug } from './check/planted-bug';

const USAGE = `--seed N       replays one schedule and tells everything that happens in it
--seeds N      runs so many schedules (1000)
--from N       the first of them (1)
--bug NAME     with a planted bug, which the check must find
`;

interface Arguments {
  readonly from: number;
  readonly count: number;
  readonly traces: boolean;
  readonly bug: string | undefined;
}

/** Undefined when they cannot be understood. */
function readArguments(args: readonly string[]): Arguments | undefined {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { seed: text, seeds: text, from: text, bug: text },
    });
    const from = Number(values.seed ?? values.from ?? 1);
    const count = values.seed === undefined ? Number(values.seeds ?? 1_000) : 1;
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) return undefined;
    return { from, count, traces: values.seed !== undefined, bug: values.bug };
  } catch {
    return undefined;
  }
}

/** What makes the bug of the name, or nothing wrong; undefined for a name that no bug has. */
function bugMaker(name: string | undefined): (() => PlantedBug) | undefined {
  return name === undefined ? () => NO_PLANTED_BUG : PLANTED_BUGS[name];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Answers the exit code: 0 when every rule held. */
async function main(args: readonly string[]): Promise<number> {
  const read = readArguments(args);
  const createBug = bugMaker(read?.bug);
  if (read === undefined || createBug === undefined) {
    say(`${USAGE}\nPlanted bugs:\n  ${Object.keys(PLANTED_BUGS).join('\n  ')}`);
    return 2;
  }
  const { from, count, traces } = read;
  const trace = traces ? { trace: say } : {};
  const { failures, coverage, steps } = await checkSeeds(from, from + count - 1, {
    ...trace,
    createBug,
    failuresMax: Number.POSITIVE_INFINITY,
    onFailure: say,
  });
  for (const name of [...coverage.keys()].sort()) say(`${coverage.get(name)} ${name}`);
  const missing = traces ? [] : missingCoverage(coverage);
  if (missing.length > 0) say(`never met: ${missing.join(', ')}`);
  say(`${count} schedules, ${failures.length} failed; ${steps} steps`);
  return failures.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
