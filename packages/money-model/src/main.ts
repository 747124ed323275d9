import { PLANTED_BUGS } from './check-seeds';
import { addCoverage } from './coverage';
import { NO_PLANTED_BUG, type PlantedBug } from './planted-bug';
import { runSchedule } from './run-schedule';

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

function readArguments(args: readonly string[]): Arguments | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index += 2) {
    const [name, value] = [args[index], args[index + 1]];
    if (name === undefined || value === undefined) return undefined;
    if (!['--seed', '--seeds', '--from', '--bug'].includes(name)) return undefined;
    values.set(name, value);
  }
  const seed = values.get('--seed');
  const from = Number(seed ?? values.get('--from') ?? 1);
  const count = seed === undefined ? Number(values.get('--seeds') ?? 1_000) : 1;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) return undefined;
  return { from, count, traces: seed !== undefined, bug: values.get('--bug') };
}

/** A new bug for every schedule: some remember what they did. */
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
  const met = new Map<string, number>();
  let steps = 0;
  let failed = 0;
  for (let seed = read.from; seed < read.from + read.count; seed += 1) {
    const trace = read.traces ? { trace: say } : {};
    const result = await runSchedule(seed, { bug: createBug(), ...trace });
    steps += result.steps;
    addCoverage(met, result.coverage);
    if (result.violations.length === 0) continue;
    failed += 1;
    say(`seed ${seed}:\n  ${result.violations.join('\n  ')}`);
  }
  for (const name of [...met.keys()].sort()) say(`${met.get(name)} ${name}`);
  say(`${read.count} schedules, ${failed} failed; ${steps} steps`);
  return failed === 0 ? 0 : 1;
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
