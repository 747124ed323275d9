import { setTimeout as delay } from 'node:timers/promises';
import { REPOSITORY, STORE_MAIN } from '../../support/repository';
import { startProcess } from '../../support/running-process';
import { type StoreTap, startStoreTap } from '../../support/store-tap';
import { makeDirectory } from '../../support/temporary-directory';
import { offerEvenly, openManyAccounts } from '../load/many-accounts';
import { offer } from '../load/wrk';
import { stop as stopProcess } from '../processes';
import { formatTable } from '../report/table';
import { startTollgateInOne } from '../systems/tollgate-in-one';
import { type Scenario, type TestBed, WHOLE } from '../test-bed';

const HOT_SECONDS = 10;
const HOT_CONNECTIONS = 16;
const EVERY_SECONDS = 30;
const IDLE_SECONDS = 10;
const QUIET_SECONDS_MAX = 300;
const QUIET_FACTOR = 1.5;
/** What is still on its way to the ledger and the statistics when the last answer is out. */
const SETTLING_MS = 10_000;

/** What one population cost the store. */
interface StoreCost {
  readonly population: string;
  readonly requests: number;
  /** From the first request until all are settled. */
  readonly seconds: number;
  /** By `service command`. */
  readonly commands: ReadonlyMap<string, number>;
}

/** What the store is asked. */
interface StoreReport {
  /** Commands a second of all services when nobody asks anything. */
  readonly idlePerSecond: number;
  readonly costs: readonly StoreCost[];
}

/** Counts the commands at the store's wire, for one busy account and for many quiet ones. */
export const store: Scenario = {
  about: 'commands to the store for a request, of one busy account and of many quiet ones',
  async run(testBed) {
    const how =
      'Commands of all services at the wire of their store, background work included, without those ' +
      'that only keep a connection; one process. Targets for 1,000 requests: at most 15 of one busy ' +
      'account, at most 4,000 of many quiet ones.';
    const table = formatCosts(await measure(testBed));
    return { title: 'Store commands', markdown: `${how}\n\n${table}` };
  },
};

async function measure({ vendorUrl, options, progress }: TestBed): Promise<StoreReport> {
  const directory = makeDirectory();
  const cleanups: (() => unknown)[] = [() => directory.remove()];
  try {
    const { port, stop } = await startStore(directory.path);
    cleanups.push(stop);
    const tap = await startStoreTap(port);
    cleanups.push(() => tap.close());
    const uri = `mongodb://127.0.0.1:${tap.port}/tollgate?directConnection=true`;
    const system = await startTollgateInOne(vendorUrl, {
      MONGODB_URI: uri,
      TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '100000',
    });
    cleanups.push(() => system.stop());
    const { accounts, longSeconds: seconds } = options;
    const idlePerSecond = await measureIdle(tap, progress);
    const hot = await countDuring(tap, 'one hot account', async () => {
      const load = { ...system, body: WHOLE, connections: HOT_CONNECTIONS, seconds: HOT_SECONDS };
      return (await offer(load)).requests;
    });
    progress(`opening ${accounts} accounts`);
    const keys = await openManyAccounts(
      system.operator,
      { accounts, keys: accounts },
      {
        environment: { ...system.environment, MONGODB_URI: uri },
        directory: directory.path,
      },
    );
    await untilQuiet(tap, idlePerSecond);
    progress(`${accounts} accounts ask every ${EVERY_SECONDS} s for ${seconds} s`);
    const load = { url: system.url, keys, body: WHOLE, everySeconds: EVERY_SECONDS };
    // The first requests of a key fill caches and tell its pace, once in its life.
    await offerEvenly({ ...load, seconds: 2 * EVERY_SECONDS });
    const name = `${accounts} accounts, a request every ${EVERY_SECONDS} s each`;
    const many = await countDuring(tap, name, () => offerEvenly({ ...load, seconds }));
    return { idlePerSecond, costs: [hot, many] };
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Commands in all and beyond those of an idle installation, and which they are. */
function formatCosts({ idlePerSecond, costs }: StoreReport): string {
  const rows = costs.map(({ population, requests, seconds, commands }) => {
    const per1000 = (times: number) => ((times * 1000) / requests).toFixed(1);
    const total = [...commands.values()].reduce((sum, times) => sum + times, 0);
    const largest = [...commands].sort(([, a], [, b]) => b - a);
    const parts = largest.map(([name, times]) => `${name} ${per1000(times)}`);
    const beyondIdle = per1000(total - idlePerSecond * seconds);
    return [population, String(requests), beyondIdle, per1000(total), parts.join(', ')];
  });
  const heads = ['population', 'requests', 'commands per 1,000', 'with idle ones', 'of them'];
  return `${formatTable(heads, rows)}\n\nIdle: ${idlePerSecond.toFixed(1)} commands a second.`;
}

async function startStore(directory: string) {
  const args = ['--host', '127.0.0.1', '--port', '0', '--data', directory];
  const running = startProcess(process.execPath, [STORE_MAIN, ...args], {
    directory: REPOSITORY,
    environment: {},
  });
  const [, port] = await running.waitForOutput(/"listening":"mongodb:\/\/[^"]*:(\d+)/, 60_000);
  return { port: Number(port), stop: () => stopProcess(running) };
}

/** Commands a second once the start is over. */
async function measureIdle(tap: StoreTap, progress: (text: string) => void): Promise<number> {
  await delay(SETTLING_MS);
  const before = totalOf(tap);
  await delay(IDLE_SECONDS * 1000);
  const idlePerSecond = (totalOf(tap) - before) / IDLE_SECONDS;
  progress(`idle: ${idlePerSecond.toFixed(1)} commands a second`);
  return idlePerSecond;
}

/** Waits until what was announced of the new accounts is known everywhere. */
async function untilQuiet(tap: StoreTap, idlePerSecond: number): Promise<void> {
  for (let waited = 0; waited < QUIET_SECONDS_MAX; waited += IDLE_SECONDS) {
    const before = totalOf(tap);
    await delay(IDLE_SECONDS * 1000);
    const perSecond = (totalOf(tap) - before) / IDLE_SECONDS;
    if (perSecond <= idlePerSecond * QUIET_FACTOR) return;
  }
  throw new Error('the store is still busy with the new accounts');
}

const totalOf = (tap: StoreTap) => [...tap.counts().values()].reduce((sum, one) => sum + one, 0);

async function countDuring(
  tap: StoreTap,
  population: string,
  load: () => Promise<number>,
): Promise<StoreCost> {
  const before = tap.counts();
  const startMs = performance.now();
  const requests = await load();
  await delay(SETTLING_MS);
  const seconds = (performance.now() - startMs) / 1000;
  const commands = new Map<string, number>();
  for (const [name, count] of tap.counts()) {
    const more = count - (before.get(name) ?? 0);
    if (more > 0) commands.set(name, more);
  }
  return { population, requests, seconds, commands };
}
