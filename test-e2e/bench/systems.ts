import { join } from 'node:path';
import { REPOSITORY } from '../support/repository';
import type { RunningProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { STACK_CORE, startOnCore, stop } from './processes';

/** Something that stands between the load and the vendor. */
export interface BenchSystem {
  readonly url: string;
  /** What every request carries besides its content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly processes: readonly RunningProcess[];
  stop(): Promise<void>;
}

/** What runs the product, and the product's commands. */
export const TOLLGATE_MAIN = join(REPOSITORY, 'services/all-in-one/dist/main.js');

/** The product as one process, with what a command beside it needs. */
export interface TollgateSystem extends BenchSystem {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** main.cjs and its siblings lie side by side. */
const HERE = join(REPOSITORY, 'test-e2e/bench');

/** R of the result page: passes bytes on and does nothing else. */
export async function startPassThrough(vendorUrl: string): Promise<BenchSystem> {
  const program = join(HERE, 'pass-through.cjs');
  const started = await startOnCore(STACK_CORE, [program, vendorUrl], /listening (\d+)/);
  return {
    url: `http://127.0.0.1:${started.match[1]}/v1/chat/completions`,
    headers: {},
    processes: [started.process],
    stop: () => stop(started.process),
  };
}

/** The first channel and account: the vendor of the bench, and nothing that ends a run early. */
export function benchVendor(vendorUrl: string): Readonly<Record<string, string>> {
  return {
    TOLLGATE_INIT_CHANNEL_TYPE: 'openai',
    TOLLGATE_INIT_CHANNEL_BASE_URL: `${vendorUrl}/v1`,
    TOLLGATE_INIT_CHANNEL_MODELS: 'bench:0.10:0.40',
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_INIT_CREDIT: '1000000.00',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: new URL(vendorUrl).host,
  };
}

/** Tollgate with everything on: keys, limits, balance, routing, breaker, metrics, spool, events. */
export async function startTollgate(
  vendorUrl: string,
  additions: Readonly<Record<string, string>> = {},
): Promise<TollgateSystem> {
  const directory = makeDirectory();
  const environment = {
    TOLLGATE_HTTP_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_DATA_DIR: join(directory.path, 'data'),
    LOG_LEVEL: 'warn',
    ...benchVendor(vendorUrl),
    ...additions,
  };
  const ready = /API key +(tg_live_\S+)/;
  const started = await startOnCore(STACK_CORE, [TOLLGATE_MAIN], ready, environment);
  const [, baseUrl = ''] = await started.process.waitForOutput(/API +(http\S+)\/v1/, 1000);
  return {
    baseUrl,
    environment,
    url: `${baseUrl}/v1/chat/completions`,
    apiKey: started.match[1] ?? '',
    headers: { authorization: `Bearer ${started.match[1]}` },
    processes: [started.process],
    async stop() {
      await stop(started.process);
      directory.remove();
    },
  };
}
