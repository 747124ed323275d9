import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createMeter } from '../../support/process-meter';
import { makeDirectory } from '../../support/temporary-directory';
import { offerStreams } from '../load/client';
import { readTicks } from '../load/ticks';
import { readVendor, untilVendorIsQuiet } from '../load/vendor';
import { warmUp } from '../load/warm-up';
import { type LoadResult, offer } from '../load/wrk';
import { cpuByProcess, cpuSince } from '../processes';
import { formatSpeed } from '../report/speed';
import { plotSpeed } from '../report/speed-plot';
import { caseName, type SpeedCase, type SpeedResult, type Trial } from '../report/speed-result';
import { median } from '../report/table';
import { formatTicks } from '../report/ticks';
import type { BenchSystem, Contender } from '../systems/system';
import { type Scenario, STREAMED, type TestBed, WHOLE } from '../test-bed';

const CONNECTIONS = [1, 16, 128];
const CASES: readonly SpeedCase[] = (['whole', 'stream'] as const).flatMap((kind) =>
  CONNECTIONS.map((connections) => ({ kind, connections })),
);

/** The main table: what a request costs, by process, beside others in the same run. */
export const speed: Scenario = {
  about: 'CPU, throughput and times of whole answers and streams, beside R, P and the bare hop',
  async run(testBed) {
    const result = await measureSpeed(testBed);
    const { rounds, seconds, seed, warmUpSeconds } = testBed.options;
    const how =
      `Medians (lowest to highest) of ${rounds} trials of ${seconds} s, each system started anew for ` +
      `each and warmed up until a request becomes no cheaper, for ${warmUpSeconds} s at most, in an order drawn ` +
      `with the seed ${seed}.`;
    return {
      title: 'What a request costs',
      markdown: `${how}\n\n${formatSpeed(result)}\n\n${await measureTicks(testBed)}`,
      plot: {
        name: 'speed',
        alt: 'CPU time of a request by system and process',
        svg: plotSpeed(result),
      },
    };
  },
};

async function measureSpeed(testBed: TestBed): Promise<SpeedResult> {
  const { options, progress, random } = testBed;
  const contenders = Object.values(testBed.contenders);
  const found = { trials: [] as Trial[], failures: [] as string[], syncUs: [] as number[] };
  for (let round = 0; round < options.rounds; round += 1) {
    found.syncUs.push(measureSyncUs());
    // The machine drifts; nobody is always first.
    for (const contender of random.shuffle(contenders)) {
      progress(`round ${round + 1} of ${options.rounds}: ${contender.name}`);
      await measureContender(contender, testBed, found);
    }
  }
  return { cases: CASES, ...found };
}

/** In a start of its own: whoever is looked into costs more. */
async function measureTicks({ contenders, options, progress }: TestBed): Promise<string> {
  const meter = createMeter();
  try {
    const system = await contenders.separate.start(meter.environment);
    try {
      await warmUp(system, options.warmUpSeconds);
      await readTicks(system, meter);
      const { url, headers } = system;
      progress('longest ticks');
      await offer({ url, headers, body: WHOLE, connections: 16, seconds: options.seconds });
      const ticks = await readTicks(system, meter);
      const how =
        'The longest tick of each event loop, whole, c=16, the wait for the core included:';
      return `${how}\n\n${formatTicks([{ name: 'Tollgate', ticks }])}`;
    } finally {
      await system.stop();
    }
  } catch (error) {
    return `The ticks of the event loops could not be measured: ${firstLineOf(error)}`;
  } finally {
    meter.remove();
  }
}

async function measureContender(
  contender: Contender,
  testBed: TestBed,
  found: { readonly trials: Trial[]; readonly failures: string[] },
): Promise<void> {
  const { vendorAlone } = testBed.contenders;
  // Without anything between them one caller tells the times that others add to.
  const cases = contender === vendorAlone ? CASES.filter((one) => one.connections === 1) : CASES;
  const system = await contender.start().catch((error: unknown) => {
    found.failures.push(`${contender.name} was not started: ${firstLineOf(error)}`);
  });
  if (system === undefined) return;
  try {
    await warmUp(system, contender === vendorAlone ? 1 : testBed.options.warmUpSeconds);
    for (const of of testBed.random.shuffle(cases)) {
      try {
        const trial = await measureTrial(system, of, testBed);
        found.trials.push({ contender: contender.name, of, ...trial });
        const perSecond = Math.round(trial.perSecond);
        const cpuUs = Math.round([...trial.cpuUs.values()].reduce((sum, us) => sum + us, 0));
        testBed.progress(`  ${caseName(of)}: ${perSecond} requests/s, ${cpuUs} µs CPU`);
      } catch (error) {
        const failure = `${contender.name}, ${caseName(of)}: ${firstLineOf(error)}`;
        found.failures.push(failure);
        testBed.progress(`  failed: ${failure}`);
      }
    }
  } finally {
    await system.stop();
  }
}

function firstLineOf(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}

async function measureTrial(
  system: BenchSystem,
  { kind, connections }: SpeedCase,
  { options, vendorUrl }: TestBed,
): Promise<LoadResult & { readonly cpuUs: ReadonlyMap<string, number> }> {
  const { url, headers } = system;
  const load = { url, headers, connections, seconds: options.seconds };
  const hitsBefore = await untilVendorIsQuiet(vendorUrl);
  const cpuBefore = cpuByProcess(system);
  const result =
    kind === 'whole'
      ? await offer({ ...load, body: WHOLE })
      : await offerStreams({ ...load, body: STREAMED });
  const cpu = cpuSince(system, cpuBefore);
  const hits = (await readVendor(vendorUrl)).hits - hitsBefore;
  // What runs when the time is over reached the vendor and is not counted by the client.
  if (hits < result.requests || hits > result.requests + connections) {
    throw new Error(`${result.requests} answers are of ${hits} requests to the vendor`);
  }
  const cpuUs = new Map([...cpu].map(([name, us]) => [name, us / result.requests]));
  return { ...result, cpuUs };
}

const SYNCED_BYTES = Buffer.alloc(300, 'r');
const SYNCS = 300;

/** Median microseconds of one fdatasync after a small write into space that the file has already. */
function measureSyncUs(): number {
  const directory = makeDirectory();
  const file = openSync(join(directory.path, 'spool'), 'w');
  writeSync(file, Buffer.alloc(SYNCS * SYNCED_BYTES.length));
  fdatasyncSync(file);
  const times: number[] = [];
  for (let index = 0; index < SYNCS; index += 1) {
    writeSync(file, SYNCED_BYTES, 0, SYNCED_BYTES.length, index * SYNCED_BYTES.length);
    const beganMs = performance.now();
    fdatasyncSync(file);
    times.push((performance.now() - beganMs) * 1000);
  }
  closeSync(file);
  directory.remove();
  return median(times);
}
