import { runClient } from '../load/client';
import { warmUp } from '../load/warm-up';
import { offer } from '../load/wrk';
import { residentBytes } from '../processes';
import { count, formatTable } from '../report/table';
import { type Scenario, STREAMED, WHOLE } from '../test-bed';

const SAMPLE_MS = 500;
/** Heaps grow to their working size first. */
const SETTLING_SHARE = 0.4;
const CAPACITY_SHARE = 0.4;

interface Sample {
  readonly seconds: number;
  readonly bytes: number;
}

/** Whether memory grows under a steady load. */
export const soak: Scenario = {
  about: 'memory of each process under a steady load, its slope and the slope’s error',
  async run(testBed) {
    const { longSeconds, seconds, warmUpSeconds } = testBed.options;
    const system = await testBed.contenders.separate.start();
    try {
      await warmUp(system, warmUpSeconds);
      const { url, headers } = system;
      const full = await offer({ url, headers, body: WHOLE, connections: 16, seconds });
      const perSecond = full.perSecond * CAPACITY_SHARE;
      const samples = new Map(system.processes.map(({ name }) => [name, [] as Sample[]]));
      const beganMs = performance.now();
      const timer = setInterval(() => {
        const passed = (performance.now() - beganMs) / 1000;
        for (const { name, process } of system.processes) {
          samples.get(name)?.push({ seconds: passed, bytes: residentBytes(process.pid) });
        }
      }, SAMPLE_MS);
      const result = await runClient({
        url,
        headers,
        bodies: [WHOLE, WHOLE, WHOLE, STREAMED],
        connections: 256,
        perSecond,
        seconds: longSeconds,
        expected: [200],
      }).finally(() => clearInterval(timer));
      const how =
        `${count(perSecond)} requests/s for ${longSeconds} s, a quarter of them streams; ` +
        `${count(result.latency.count)} of ${count(result.requests)} served. Slopes are of the last ` +
        `${Math.round((1 - SETTLING_SHARE) * 100)} % by least squares, with two standard errors.`;
      return { title: 'Memory under a steady load', markdown: `${how}\n\n${formatSoak(samples)}` };
    } finally {
      await system.stop();
    }
  },
};

function formatSoak(samples: ReadonlyMap<string, readonly Sample[]>): string {
  const rows = [...samples].map(([name, all]) => {
    const settled = all.slice(Math.floor(all.length * SETTLING_SHARE));
    const { slope, error } = fitLine(settled);
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    const perMinute = `${megabytes(slope * 60)} ± ${megabytes(2 * error * 60)}`;
    const verdict = slope > 2 * error ? '**grows**' : 'flat within its error';
    const peak = Math.max(...all.map(({ bytes }) => bytes));
    return [name, megabytes(all[0]?.bytes ?? Number.NaN), megabytes(peak), perMinute, verdict];
  });
  return formatTable(['process', 'MB at first', 'peak MB', 'MB a minute', ''], rows);
}

/** Slope in bytes a second with its standard error. */
function fitLine(samples: readonly Sample[]): { readonly slope: number; readonly error: number } {
  const mean = (read: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length;
  const [meanX, meanY] = [mean(({ seconds }) => seconds), mean(({ bytes }) => bytes)];
  const spread = mean(({ seconds }) => (seconds - meanX) ** 2) * samples.length;
  const slope =
    samples.reduce((sum, { seconds, bytes }) => sum + (seconds - meanX) * (bytes - meanY), 0) /
    spread;
  const rest = samples.reduce(
    (sum, { seconds, bytes }) => sum + (bytes - meanY - slope * (seconds - meanX)) ** 2,
    0,
  );
  return { slope, error: Math.sqrt(rest / Math.max(1, samples.length - 2) / spread) };
}
