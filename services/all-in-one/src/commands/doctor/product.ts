import type { Environment } from '@tollgate/config';
import { getJson } from '../../get-json';
import { type Finding, failure, ok, reasonOf, skipped, warning } from './finding';

const WAIT_MS = 5000;

interface Channel {
  readonly name: string;
  readonly status: string;
  readonly health: { readonly breaker: string };
}

/** The running product and, with an operator's key, its channels to vendors. */
export async function checkProduct(url: string, environment: Environment): Promise<Finding[]> {
  const base = url.replace(/\/+$/, '');
  const key = environment.TOLLGATE_API_KEY ?? '';
  try {
    const { status } = await getJson(`${base}/v1/models`, key, WAIT_MS);
    if (key === '') {
      const why = 'TOLLGATE_API_KEY holds no operator key: vendors were not looked at';
      return [ok('API', `answers at ${base}`), skipped('vendors', why)];
    }
    if (status !== 200) {
      const remedy = 'put a key that works into TOLLGATE_API_KEY';
      return [failure('API', `${base} answered ${status}`, remedy)];
    }
    return [ok('API', `answers at ${base}`), await checkChannels(base, key)];
  } catch (error) {
    const remedy = 'start it, or name its public address with --url';
    return [warning('API', `${base}: ${reasonOf(error)}`, remedy)];
  }
}

async function checkChannels(base: string, key: string): Promise<Finding> {
  const { status, body } = await getJson(`${base}/v1/admin/channels?limit=100`, key, WAIT_MS);
  if (status !== 200) {
    const remedy = 'use an operator key with the scope admin';
    return warning('vendors', `the channels were not told: ${status}`, remedy);
  }
  const { data } = body as { readonly data: { readonly items: readonly Channel[] } };
  const enabled = data.items.filter((channel) => channel.status === 'enabled');
  if (enabled.length === 0) {
    return failure('vendors', 'no channel is enabled', 'add one: docs/vendors.md says how');
  }
  const broken = enabled.filter(({ health }) => health.breaker === 'open');
  const seen = `${enabled.length} channels, ${broken.length} of them cut off by their breaker`;
  if (broken.length === 0) return ok('vendors', seen);
  const names = broken.map(({ name }) => name).join(', ');
  return warning('vendors', seen, `look at the log for what they answered: ${names}`);
}
