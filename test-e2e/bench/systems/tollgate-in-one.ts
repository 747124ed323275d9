import { join } from 'node:path';
import { type Api, createApi } from '../../support/api';
import { PRODUCT_MAIN } from '../../support/repository';
import { makeDirectory } from '../../support/temporary-directory';
import { SYSTEM_CORE, startOnCore, stop } from '../processes';
import { type BenchSystem, CHAT_PATH } from './system';

/** The product with what a scenario needs to manage it. */
export interface TollgateSystem extends BenchSystem {
  readonly baseUrl: string;
  readonly operator: Api;
}

/** The product as one process, with what a command beside it needs. */
export interface TollgateInOne extends TollgateSystem {
  readonly environment: Readonly<Record<string, string>>;
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
export async function startTollgateInOne(
  vendorUrl: string,
  additions: Readonly<Record<string, string>> = {},
): Promise<TollgateInOne> {
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
  const { match, process } = await startOnCore(SYSTEM_CORE, [PRODUCT_MAIN], ready, environment);
  const [, baseUrl = ''] = await process.waitForOutput(/API +(http\S+)\/v1/, 1000);
  const apiKey = match[1] ?? '';
  return {
    baseUrl,
    environment,
    operator: createApi(baseUrl, apiKey),
    url: `${baseUrl}${CHAT_PATH}`,
    headers: { authorization: `Bearer ${apiKey}` },
    processes: [{ name: 'one process', process }],
    async stop() {
      await stop(process);
      directory.remove();
    },
  };
}
