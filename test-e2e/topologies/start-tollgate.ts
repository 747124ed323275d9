import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createApi } from '../support/api';
import { PRODUCT_MAIN, REPOSITORY } from '../support/repository';
import { type RunningProcess, startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { isDistributed, startDistributed } from './distributed';
import type { RunningTollgate } from './running-tollgate';

export type { RunningTollgate };

const START_TIMEOUT_MS = 100_000;

/** What only the first start's card shows. */
interface Secrets {
  readonly apiKey: string;
  readonly operatorEmail: string;
  readonly operatorPassword: string;
}

/**
 * Starts from the built tree, on free ports, with data in a directory of its own: one process with
 * everything in it, as `npm start` runs it, or separate services when the run is about those.
 */
export async function startTollgate(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningTollgate> {
  if (isDistributed()) return (await startDistributed(environment)).tollgate;
  const directory = makeDirectory();
  const dataDirectory = join(directory.path, 'data');
  const start = () => launch(dataDirectory, environment);

  let running = await start();
  const secrets = await readSecrets(running.process);
  return {
    ...secrets,
    dataDirectory,
    storedTexts: async () => readStore(join(dataDirectory, 'store.sqlite')),
    get baseUrl() {
      return running.baseUrl;
    },
    get process() {
      return running.process;
    },
    get api() {
      return createApi(running.baseUrl, secrets.apiKey);
    },
    async killAndRestart() {
      running.process.signal('SIGKILL');
      await running.process.exited;
      running = await start();
    },
    async restart() {
      running.process.signal('SIGTERM');
      await running.process.exited;
      running = await start();
    },
    async stop() {
      running.process.signal('SIGTERM');
      const code = await running.process.exited;
      directory.remove();
      return code;
    },
  };
}

async function launch(dataDirectory: string, environment: Readonly<Record<string, string>>) {
  const running = startMain(dataDirectory, environment);
  const [, baseUrl = ''] = await running.waitForOutput(/API +(http\S+)\/v1/, START_TIMEOUT_MS);
  return { process: running, baseUrl };
}

/** The process alone, which nobody waits for; with arguments it runs a command. */
export function startMain(
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): RunningProcess {
  return startProcess(process.execPath, [PRODUCT_MAIN, ...args], {
    directory: REPOSITORY,
    environment: {
      TOLLGATE_HTTP_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_SIMULATOR_PORT: '0',
      TOLLGATE_DATA_DIR: dataDirectory,
      LOG_LEVEL: 'warn',
      // Idle credit comes back soon, so that a test can see that nothing stays reserved.
      TOLLGATE_COMPLETION_LEASE_IDLE_RICH_MS: '1000',
      // One process has the store as well, and shares the machine with the browser that looks at it: a
      // page of six questions is late there, and nothing is away.
      TOLLGATE_GATEWAY_CONTROL_DEADLINE_MS: '30000',
      ...environment,
    },
  });
}

/** Of documents and of their indexes. */
function readStore(path: string): readonly string[] {
  const store = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      store
        .prepare(`SELECT * FROM "${String(name)}"`)
        .all()
        .flatMap((row) => Object.values(row).map((value) => `${String(name)}: ${toText(value)}`)),
    );
  } finally {
    store.close();
  }
}

function toText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}

async function readSecrets(running: RunningProcess): Promise<Secrets> {
  const read = async (pattern: RegExp) =>
    (await running.waitForOutput(pattern, START_TIMEOUT_MS))[1] ?? '';
  return {
    operatorEmail: await read(/Operator +(\S+)/),
    operatorPassword: await read(/Password +(\S+)/),
    apiKey: await read(/API key +(tg_live_\S+)/),
  };
}
