import { addEncounters } from './encounters';
import { NO_PLANT, type Plant } from './plant';
import { PLANTS } from './planted-bugs';
import { runSchedule } from './run-schedule';

const USAGE = `--seed N       replays one schedule and tells everything that happens in it
--seeds N      runs so many schedules (1000)
--from N       the first of them (1)
--plant NAME   with a planted bug, which the check must find
`;

interface Arguments {
  readonly from: number;
  readonly count: number;
  readonly traces: boolean;
  readonly plant: string | undefined;
}

function readArguments(args: readonly string[]): Arguments | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index += 2) {
    const [name, value] = [args[index], args[index + 1]];
    if (name === undefined || value === undefined) return undefined;
    if (!['--seed', '--seeds', '--from', '--plant'].includes(name)) return undefined;
    values.set(name, value);
  }
  const seed = values.get('--seed');
  const from = Number(seed ?? values.get('--from') ?? 1);
  const count = seed === undefined ? Number(values.get('--seeds') ?? 1_000) : 1;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) return undefined;
  return { from, count, traces: seed !== undefined, plant: values.get('--plant') };
}

/** A new plant for every schedule: some remember what they did. */
function plantMaker(name: string | undefined): (() => Plant) | undefined {
  return name === undefined ? () => NO_PLANT : PLANTS[name];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Answers the exit code: 0 when every rule held. */
async function main(args: readonly string[]): Promise<number> {
  const read = readArguments(args);
  const createPlant = plantMaker(read?.plant);
  if (read === undefined || createPlant === undefined) {
    say(`${USAGE}\nPlants:\n  ${Object.keys(PLANTS).join('\n  ')}`);
    return 2;
  }
  const met = new Map<string, number>();
  let steps = 0;
  let failed = 0;
  for (let seed = read.from; seed < read.from + read.count; seed += 1) {
    const plant = createPlant();
    const direct = plant.direct ?? ((profile) => profile);
    const result = await runSchedule(seed, {
      ...{ plant, direct },
      ...(read.traces ? { trace: say } : {}),
    });
    steps += result.steps;
    addEncounters(met, result.encounters);
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
