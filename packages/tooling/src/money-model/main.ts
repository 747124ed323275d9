import { addEncounters } from './encounters';
import { PLANTS } from './planted-bugs';
import { runSchedule } from './run-schedule';

/** `--seed 17` replays one schedule; `--seeds 1000` runs so many, from the first or `--from`. */
async function main(args: readonly string[]): Promise<void> {
  const numberAfter = (name: string) => {
    const index = args.indexOf(name);
    return index < 0 ? undefined : Number(args[index + 1]);
  };
  const only = numberAfter('--seed');
  const from = only ?? numberAfter('--from') ?? 1;
  const count = only === undefined ? (numberAfter('--seeds') ?? 1_000) : 1;
  let steps = 0;
  const met = new Map<string, number>();
  let failed = 0;
  const plantName = args[args.indexOf('--plant') + 1] ?? '';
  const createPlant = args.includes('--plant') ? PLANTS[plantName] : undefined;
  if (args.includes('--plant') && createPlant === undefined) {
    throw new Error(`no such plant; there are: ${Object.keys(PLANTS).join(', ')}`);
  }
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runSchedule(seed, {
      ...(only === undefined ? {} : { trace }),
      ...(createPlant === undefined ? {} : { plant: createPlant() }),
    });
    steps += result.steps;
    addEncounters(met, result.encounters);
    if (result.violations.length === 0) continue;
    failed += 1;
    process.stdout.write(`seed ${seed}:\n  ${result.violations.join('\n  ')}\n`);
  }
  const names = [...met.keys()].sort();
  for (const name of names) process.stdout.write(`${met.get(name)} ${name}\n`);
  process.stdout.write(`${count} schedules, ${failed} failed; ${steps} steps\n`);
  if (failed > 0) process.exitCode = 1;
}

function trace(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main(process.argv.slice(2));
