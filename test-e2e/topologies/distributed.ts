import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { inspect } from 'node:util';
import { findAll, runMongoCommand } from '../engines/mongodb-wire';
import { createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { createKafka } from '../support/kafka-client';
import { findQuietPort } from '../support/network/free-port';
import { PRODUCT_MAIN, REPOSITORY } from '../support/repository';
import { type RunningProcess, STARTED, startProcess } from '../support/running-process';
import { REPLICATED, type Replicas } from './instances';
import type { RunningTollgate } from './running-tollgate';
import { type Engines, requireEngine, type SeparateTollgate, startSeparate } from './separate';

const START_TIMEOUT_MS = 120_000;

/** What the first start of one process makes by itself, so that suites find the same. */
const FIRST_START = {
  TOLLGATE_INIT_CREDIT: '10.00',
  TOLLGATE_INIT_PLAN: 'professional',
  TOLLGATE_INIT_CHANNEL_MODELS: 'sim-small:0.10:0.40,sim-large:2.50:10.00',
  TOLLGATE_BIND: '127.0.0.1',
  TOLLGATE_PUBLIC_URL: 'bound',
};

const SCOPES = ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks', 'admin'];

/** The suites of this run are about separate services; jest.config.cjs says so. */
export function isDistributed(): boolean {
  return (globalThis as { readonly isDistributed?: boolean }).isDistributed === true;
}

/** Separate services, as a suite sees them and as they are. */
export interface DistributedTollgate {
  readonly tollgate: RunningTollgate;
  readonly separate: SeparateTollgate;
  /** Answers every exit code. */
  stopAll(): Promise<Readonly<Record<string, number | string>>>;
}

/**
 * Every service and the console as processes of their own, in a database of their own on the
 * engines that the run names, with the first key made as the first start of one process makes it.
 */
export async function startDistributed(
  environment: Readonly<Record<string, string>>,
  replicas: Replicas = process.env.TOLLGATE_E2E_REPLICATED === 'true' ? REPLICATED : {},
): Promise<DistributedTollgate> {
  const engines = enginesOfRun();
  await forgetEvents(engines.kafkaBrokers);
  const consoleServer = await startConsole();
  const overrides: Record<string, string> = {};
  // The suite may change its environment between two starts.
  const readEnvironment = () =>
    Object.assign(overrides, FIRST_START, environment, {
      CONSOLE_ADDRESS: consoleServer.url,
      LOG_LEVEL: 'info',
    });
  let started: SeparateTollgate | undefined;
  const stopAll = async () => {
    consoleServer.process.signal('SIGTERM');
    return { console: await consoleServer.process.exited, ...(await started?.stop()) };
  };
  try {
    const separate = await startSeparate(engines, readEnvironment(), { replicas });
    started = separate;
    await untilAllReady(separate);
    const storedTexts = () => readStore(engines);
    const parts = { separate, stopAll, readEnvironment, storedTexts };
    return { tollgate: await toTollgate(parts), separate, stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

type EnginesOfRun = Engines & Required<Pick<Engines, 'database' | 'mongodbUrl'>>;

function enginesOfRun(): EnginesOfRun {
  return {
    kafkaBrokers: requireEngine('TOLLGATE_TEST_KAFKA'),
    redisUrl: requireEngine('TOLLGATE_TEST_REDIS'),
    mongodbUrl: requireEngine('TOLLGATE_TEST_MONGODB'),
    database: `tollgate-${randomBytes(6).toString('hex')}`,
  };
}

/**
 * The installation before may have ended before everybody had read what it said, and nobody can use
 * it any more: its accounts are in a database of its own.
 */
async function forgetEvents(brokers: string): Promise<void> {
  const admin = createKafka(brokers).admin();
  await admin.connect();
  try {
    const listOurs = async () =>
      (await admin.listTopics()).filter((name) => name.startsWith('tollgate.'));
    const topics = await listOurs();
    if (topics.length > 0) await admin.deleteTopics({ topics });
    await eventually(listOurs, ({ length }) => length === 0);
  } finally {
    await admin.disconnect();
  }
}

async function startConsole(): Promise<{ readonly url: string; readonly process: RunningProcess }> {
  const port = await findQuietPort();
  const running = startProcess(process.execPath, [PRODUCT_MAIN], {
    directory: REPOSITORY,
    environment: {
      TARGET: 'console',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_SHUTDOWN_WAIT_MS: '0',
      TOLLGATE_CONSOLE_BIND: '127.0.0.1',
      TOLLGATE_CONSOLE_PORT: String(port),
    },
  });
  await running.waitForOutput(STARTED, START_TIMEOUT_MS);
  return { url: `http://127.0.0.1:${port}`, process: running };
}

const untilAllReady = (separate: SeparateTollgate) =>
  Promise.all(separate.instances.map((name) => separate.untilReady(name)));

/** All documents of the installation's database. */
async function readStore({ mongodbUrl, database }: EnginesOfRun): Promise<readonly string[]> {
  const port = Number(new URL(mongodbUrl).port);
  const { cursor } = await runMongoCommand(port, database, {
    listCollections: 1,
    nameOnly: true,
    cursor: { batchSize: 1000 },
  });
  const { firstBatch } = cursor as { readonly firstBatch: readonly { readonly name: string }[] };
  const texts: string[] = [];
  for (const { name } of firstBatch) {
    const documents = await findAll(port, database, { find: name });
    texts.push(...documents.map((document) => `${name}: ${inspect(document, WHOLE)}`));
  }
  return texts;
}

const WHOLE = { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Infinity };

interface Parts {
  readonly separate: SeparateTollgate;
  stopAll: DistributedTollgate['stopAll'];
  readEnvironment(): void;
  storedTexts: RunningTollgate['storedTexts'];
}

async function toTollgate({
  separate,
  stopAll,
  readEnvironment,
  storedTexts,
}: Parts): Promise<RunningTollgate> {
  const { operatorEmail, operatorPassword } = separate;
  // A suite with two gateways asks each of them by itself.
  const [baseUrl = ''] = separate.gatewayUrls;
  const apiKey = await makeFirstKey(baseUrl, operatorEmail, operatorPassword);
  const again = async (signal: NodeJS.Signals) => {
    for (const name of [...separate.processes].reverse()) {
      separate.process(name).signal(signal);
      await separate.process(name).exited;
    }
    readEnvironment();
    for (const name of separate.processes) await separate.start(name);
    await untilAllReady(separate);
  };
  return {
    baseUrl,
    apiKey,
    operatorEmail,
    operatorPassword,
    api: createApi(baseUrl, apiKey),
    dataDirectory: dirname(separate.dataDirectory('gateway')),
    storedTexts,
    get process() {
      return withAllOutput(separate);
    },
    killAndRestart: () => again('SIGKILL'),
    restart: () => again('SIGTERM'),
    async stop() {
      const codes = Object.entries(await stopAll());
      const bad = codes.find(([, code]) => code !== 0);
      return bad === undefined ? 0 : bad.join(' ended with ');
    },
  };
}

/** The first start of separate services makes no key, because nobody reads what it prints. */
async function makeFirstKey(baseUrl: string, email: string, password: string): Promise<string> {
  const login = await createApi(baseUrl, undefined).post('/v1/users/login', { email, password });
  const session = createApi(baseUrl, String(login.access_token));
  const { key } = await session.post('/v1/keys', { name: 'first key', scopes: SCOPES });
  const api = createApi(baseUrl, String(key));
  await eventually(
    () => api.get('/v1/billing/balance'),
    (balance) => toNano(balance.total_credits) > 0n,
    START_TIMEOUT_MS,
  );
  return String(key);
}

function withAllOutput(separate: SeparateTollgate): RunningProcess {
  const gateway = separate.process('gateway');
  const others = separate.processes.filter((name) => name !== 'gateway');
  // The gateway's first: what is looked for there is found there.
  const output = () => ['gateway' as const, ...others].map(separate.output).join('');
  return {
    ...gateway,
    output,
    async waitForOutput(pattern, timeoutMs) {
      const find = async () => pattern.exec(output());
      const found = await eventually(find, (match) => match !== null, timeoutMs);
      if (found === null) throw new Error(`${pattern} was found and is gone`);
      return found;
    },
  };
}
