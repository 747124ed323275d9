import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { createKey, signIn } from '../support/accounts';
import type { Api } from '../support/api';
import { eventually } from '../support/eventually';
import { createMeter, type Meter, type ProcessCounts } from '../support/process-meter';
import { REPOSITORY, STORE_MAIN } from '../support/repository';
import { startProcess } from '../support/running-process';
import { type StoreTap, startStoreTap } from '../support/store-tap';
import { makeDirectory } from '../support/temporary-directory';
import { SERVICES } from '../topologies/instances';
import { requireEngine, type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(300_000);

const FIGURES = join(REPOSITORY, 'test-e2e/engine-suites/cost-of-a-request/figures.json');
/** A figure may grow by so much before somebody has to say why. */
const GROWTH_MAX = 1.1;
/** What is shared with others may disturb a round: the least of some counts. */
const ROUNDS_MAX = 5;
const ALONE = 40;
const TOGETHER = 200;
const CONNECTIONS = 50;
const WARM_UP = 300;
const SETTLING_MS = 90_000;
const SAMPLED = ['gateway', 'completion', 'billing'] as const;
const READS = new Set(['find', 'getMore', 'aggregate', 'count', 'distinct']);

/** One figure a request, with why it is what it is. */
type Figures = Readonly<Record<string, { readonly value: number; readonly because: string }>>;

const directory = makeDirectory();
const meter: Meter = createMeter();
const kafkaBrokers = requireEngine('TOLLGATE_TEST_KAFKA');
const redisUrl = requireEngine('TOLLGATE_TEST_REDIS');
let store: ReturnType<typeof startProcess>;
let tap: StoreTap;
let tollgate: SeparateTollgate;
let operator: Api;
let pool: Pool;
let key = '';

beforeAll(async () => {
  const args = ['--host', '127.0.0.1', '--port', '0', '--data', directory.path];
  store = startProcess(process.execPath, [STORE_MAIN, ...args], {
    directory: REPOSITORY,
    environment: {},
  });
  const [, port] = await store.waitForOutput(/"listening":"mongodb:\/\/[^"]*:(\d+)/, 60_000);
  tap = await startStoreTap(Number(port));
  const mongodbUrl = `mongodb://127.0.0.1:${tap.port}/?directConnection=true`;
  tollgate = await startSeparate({ kafkaBrokers, redisUrl, mongodbUrl }, meter.environment);
  const { baseUrl, operatorEmail, operatorPassword } = tollgate;
  operator = (await signIn(baseUrl, operatorEmail, operatorPassword)).api;
  key = (await createKey(operator)).secret;
  pool = new Pool(baseUrl, { connections: CONNECTIONS });
  await complete(WARM_UP, CONNECTIONS);
});

afterAll(async () => {
  await pool?.close();
  const codes = await tollgate?.stop();
  tap?.close();
  store?.signal('SIGTERM');
  await store?.exited;
  meter.remove();
  directory.remove();
  expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
});

const body = JSON.stringify({
  model: 'sim-small',
  messages: [{ role: 'user', content: 'Say something of middling length, please.' }],
  max_tokens: 20,
});
let completed = 0;

/** So many whole answers, that many at a time. A crowded machine refuses some, which ask again. */
async function complete(requests: number, atOnce: number): Promise<void> {
  let left = requests;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const path = '/v1/chat/completions';
      const answer = await pool.request({ method: 'POST', path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode === 503) left += 1;
      else if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  completed += requests;
}

/** Until the last request is in the ledger and in the statistics. */
async function untilSettled(): Promise<void> {
  await eventually(
    () => operator.get('/v1/stats'),
    (state) => (state.totals as { readonly requests: number }).requests >= completed,
    SETTLING_MS,
  );
}

const pidOf = (name: (typeof SERVICES)[number]) => tollgate.process(name).pid;

async function countsOfAll(): Promise<ReadonlyMap<string, ProcessCounts>> {
  const counts = new Map<string, ProcessCounts>();
  for (const name of SERVICES) counts.set(name, await meter.counts(pidOf(name)));
  return counts;
}

/** What has grown between two looks, by process and kind. */
function difference(
  before: ReadonlyMap<string, ProcessCounts>,
  after: ReadonlyMap<string, ProcessCounts>,
) {
  const of = (name: string, read: (counts: ProcessCounts) => number): number => {
    const [first, second] = [before.get(name), after.get(name)];
    if (first === undefined || second === undefined) throw new Error(`${name} is not counted`);
    return read(second) - read(first);
  };
  return {
    syncs: (name: string) => of(name, ({ syncs }) => syncs),
    writes: (name: string, kind: string) => of(name, ({ writes }) => writes[kind] ?? 0),
  };
}

async function measureAlone(): Promise<Readonly<Record<string, number>>> {
  const before = await countsOfAll();
  await complete(ALONE, 1);
  const { syncs, writes } = difference(before, await countsOfAll());
  const redisPort = new URL(redisUrl).port;
  return {
    'alone: syncs of completion': syncs('completion') / ALONE,
    'alone: messages from the gateway': writes('gateway', 'calls') / ALONE,
    'alone: messages to the gateway': writes('completion', 'answers') / ALONE,
    'alone: writes to Redis': writes('gateway', redisPort) / ALONE,
  };
}

async function measureTogether(): Promise<Readonly<Record<string, number>>> {
  await untilSettled();
  const storeBefore = tap.counts();
  const before = await countsOfAll();
  await complete(TOGETHER, CONNECTIONS);
  const reads = storeCommands(storeBefore, true);
  await untilSettled();
  const { syncs, writes } = difference(before, await countsOfAll());
  const produce = `${kafkaBrokers.split(':')[1]} produce`;
  const produced = SERVICES.reduce((sum, name) => sum + writes(name, produce), 0);
  return {
    'together: syncs of completion': syncs('completion') / TOGETHER,
    'together: calls from completion': writes('completion', 'calls') / TOGETHER,
    'together: produce requests': produced / TOGETHER,
    'together: reads of the store until the last answer': reads / TOGETHER,
    'together: writes to the store until all is settled':
      storeCommands(storeBefore, false) / TOGETHER,
  };
}

function storeCommands(before: ReadonlyMap<string, number>, isRead: boolean): number {
  let found = 0;
  for (const [name, count] of tap.counts()) {
    const command = name.split(' ')[1] ?? '';
    if (READS.has(command) === isRead) found += count - (before.get(name) ?? 0);
  }
  return found;
}

async function measureBytes(): Promise<Readonly<Record<string, number>>> {
  for (const name of SAMPLED) await meter.sample(pidOf(name));
  await complete(TOGETHER, CONNECTIONS);
  const found: Record<string, number> = {};
  for (const name of SAMPLED) {
    // The gateway serves the questions that wait for the settlement.
    if (name !== 'gateway') await untilSettled();
    found[`bytes allocated by ${name}`] = (await meter.sampledBytes(pidOf(name))) / TOGETHER;
  }
  return found;
}

test('a request costs no more syncs, messages, commands and bytes than it did', async () => {
  const figures = JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures;
  const least: Record<string, number> = {};
  const grown = () =>
    Object.entries(least).filter(
      ([name, value]) => !(value <= (figures[name]?.value ?? 0) * GROWTH_MAX),
    );
  for (let round = 0; round === 0 || (grown().length > 0 && round < ROUNDS_MAX); round += 1) {
    const found = {
      ...(await measureAlone()),
      ...(await measureTogether()),
      ...(await measureBytes()),
    };
    for (const [name, value] of Object.entries(found)) {
      least[name] = Math.min(value, least[name] ?? Number.POSITIVE_INFINITY);
    }
  }
  // Whoever makes a request dearer writes the new figure into the file, and why.
  expect(Object.fromEntries(grown())).toEqual({});
  expect(Object.keys(figures).sort()).toEqual(Object.keys(least).sort());
});
