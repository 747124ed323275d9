import { type Environment, parseConfig } from '@tollgate/config';
import { PAGE_SIZE_MAX } from '@tollgate/core';
import type { ShownChannel } from '@tollgate/gateway';
import { currencyConfigSchema } from '../../../config';
import { getJson } from '../../http-json';
import { createProduct, listAll, type Product } from '../../product-client';
import { type Finding, failure, ok, reasonOf, skipped, warning } from './finding';

const WAIT_MS = 5000;

/** Channels whose vendor is asked, failing ones first: each is a call that it may charge. */
const ASKED_MAX = 5;
/** Channels that a line names. */
const NAMED_MAX = 100;

const CHANNELS = `/v1/admin/channels?limit=${PAGE_SIZE_MAX}`;
type Channel = Pick<
  ShownChannel,
  'disabled_reason' | 'health' | 'id' | 'name' | 'owner_account_id' | 'status'
>;

interface PricedPlan {
  readonly price: { readonly currency: string };
}

interface PricedModel {
  readonly pricing: { readonly currency: string } | null;
}

/** The running product and, with an operator's key, its channels to vendors. */
export async function checkProduct(url: string, environment: Environment): Promise<Finding[]> {
  const base = url.replace(/\/+$/, '');
  const key = environment.TOLLGATE_API_KEY ?? '';
  try {
    const { body, status } = await getJson(`${base}/v1/models`, key, WAIT_MS);
    if (key === '') return judgeKeyless(base, status);
    if (status !== 200) {
      const remedy = 'put a key that works into TOLLGATE_API_KEY';
      return [failure('API', `${base} answered ${status}`, remedy)];
    }
    const { currency } = parseConfig(currencyConfigSchema, environment);
    return [
      ok('API', `answers at ${base}`),
      compareCurrency('billing', currency, await readBillingCurrency(base, key)),
      compareCurrency('routing', currency, currencyOfModels(body)),
      // A vendor has longer to answer than the product has to say what it knows.
      await checkChannels(
        createProduct(base, environment, WAIT_MS),
        createProduct(base, environment),
      ),
    ];
  } catch (error) {
    const remedy = 'start it, or name its public address with --url';
    return [warning('API', `${base}: ${reasonOf(error)}`, remedy)];
  }
}

/** The API refuses who shows no key: any other answer is that of a proxy, or of something else. */
function judgeKeyless(base: string, status: number): Finding[] {
  const why = 'TOLLGATE_API_KEY holds no operator key: vendors were not looked at';
  const vendors = skipped('vendors', why);
  if (status === 401) return [ok('API', `answers at ${base}`), vendors];
  const seen = `${base} answered ${status}, where the API answers 401 without a key`;
  const remedy = 'look at what is between, or name its public address with --url';
  return [failure('API', seen, remedy), vendors];
}

/** What billing tells its amounts in: where the store is not at hand, nothing else says it. */
async function readBillingCurrency(base: string, key: string): Promise<string | undefined> {
  const { status, body } = await getJson(`${base}/v1/billing/plans`, key, WAIT_MS);
  const { data } = body as { readonly data?: { readonly items?: readonly PricedPlan[] } };
  return status === 200 ? data?.items?.[0]?.price.currency : undefined;
}

/** What routing has its prices in, which completion charges as amounts of billing's. */
function currencyOfModels(body: unknown): string | undefined {
  const { data } = body as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  return (data as readonly PricedModel[]).find(({ pricing }) => pricing)?.pricing?.currency;
}

/** Billing's is the right one: it is that of the stored amounts. */
function compareCurrency(
  service: 'billing' | 'routing',
  currency: string,
  told: string | undefined,
): Finding {
  if (told === undefined) return skipped(service, 'tells no currency');
  const what = service === 'billing' ? 'amounts' : 'prices';
  if (told === currency) return ok(service, `has all ${what} in ${told}`);
  const seen = `TOLLGATE_CURRENCY is ${currency}, and ${service} has all ${what} in ${told}`;
  const remedy =
    service === 'billing'
      ? `set TOLLGATE_CURRENCY=${told} for every service`
      : 'set TOLLGATE_CURRENCY to that of billing for every service, and look at every price';
  return failure(service, seen, remedy);
}

async function checkChannels(product: Product, patient: Product): Promise<Finding> {
  try {
    return await judgeChannels(patient, await listAll<Channel>(product, CHANNELS));
  } catch (error) {
    const remedy = 'use an operator key with the scope admin; if it is one, look at routing';
    return warning('vendors', `the channels were not told: ${reasonOf(error)}`, remedy);
  }
}

async function judgeChannels(product: Product, channels: readonly Channel[]): Promise<Finding> {
  const enabled = channels.filter((channel) => channel.status === 'enabled');
  if (enabled.length === 0) return noneEnabled(channels);
  const failing = enabled.filter(isFailing);
  const [known, found] = await askVendors(product, enabled.filter(mayBeAsked));
  const errors = [
    ...known.map(({ name, error }) => `${name} (${error ?? 'it answers again'})`),
    ...found.map(({ name, error }) => `${name} (${error})`),
  ];
  const unasked = failing.filter((channel) => !mayBeAsked(channel)).map(sayUnasked);
  if (unasked.length > 0) errors.push(someOf(unasked, '; '));
  const count = failing.length + found.length;
  const all = enabled.length === 1 ? '1 channel' : `${enabled.length} channels`;
  const off = channels.filter(isOffByItself);
  if (count === 0 && off.length > 0) {
    const seen = `${all} enabled, none failing; disabled automatically: ${reasonsOf(off)}`;
    return warning('vendors', seen, REFUSED_REMEDY);
  }
  if (count === 0) return ok('vendors', `${all} enabled, none failing`);
  const seen = `${all} enabled, ${count} failing: ${errors.join('; ')}`;
  const remedy = 'docs/runbooks/vendor-failing.md says what to do for each';
  return count === enabled.length
    ? failure('vendors', seen, remedy)
    : warning('vendors', seen, remedy);
}

/** The failing ones as they answer now, and those of the others that turn out to fail. */
async function askVendors(product: Product, channels: readonly Channel[]) {
  const failing = channels.filter(isFailing).slice(0, ASKED_MAX);
  const suspected = channels
    .filter((channel) => !isFailing(channel) && isSuspected(channel))
    .slice(0, ASKED_MAX - failing.length);
  const ask = (some: readonly Channel[]) =>
    Promise.all(some.map((channel) => askNow(product, channel)));
  const [known, found] = await Promise.all([ask(failing), ask(suspected)]);
  return [known, found.filter(({ error }) => error !== null)] as const;
}

/** The credential of an account's own channel is a customer's, and so is what its vendor charges. */
function mayBeAsked({ owner_account_id: owner }: Channel): boolean {
  return owner === null;
}

function sayUnasked({ name, health }: Channel): string {
  const error = health.last_error === null ? '' : `: ${health.last_error}`;
  return `${name} (of an account, not asked${error})`;
}

function isFailing({ health }: Channel): boolean {
  return health.state === 'unhealthy' || health.breaker === 'open';
}

/** No failure by itself: a channel that nobody could call is `unknown`, and may as well work. */
function isSuspected({ health }: Channel): boolean {
  return health.state !== 'healthy' || health.last_error !== null;
}

function noneEnabled(channels: readonly Channel[]): Finding {
  const refused = channels.filter(isOffByItself);
  if (refused.length > 0) {
    const seen = `no channel is enabled; disabled automatically: ${reasonsOf(refused)}`;
    return failure('vendors', seen, REFUSED_REMEDY);
  }
  if (channels.length > 0) {
    const seen = `no channel is enabled; disabled by hand: ${namesOf(channels)}`;
    return failure('vendors', seen, 'enable one, in the console');
  }
  return failure('vendors', 'there is no channel', 'add one: docs/vendors.md says how');
}

const REFUSED_REMEDY =
  'its vendor refused the credential, or its account there has no credit: pay there, or store ' +
  'another credential in the console; a channel comes back by itself when its vendor answers';

function isOffByItself({ status }: Channel): boolean {
  return status === 'auto_disabled';
}

function reasonsOf(channels: readonly Channel[]): string {
  const told = channels.map(({ disabled_reason: reason, name }) =>
    reason === null ? name : `${name} (${reason})`,
  );
  return someOf(told, '; ');
}

function namesOf(channels: readonly Channel[]): string {
  const names = channels.map(({ name }) => name);
  return someOf(names, ', ');
}

function someOf(told: readonly string[], separator: string): string {
  const more = told.length - NAMED_MAX;
  const named = told.slice(0, NAMED_MAX).join(separator);
  return more > 0 ? `${named}${separator}${more} more` : named;
}

/** Asks its vendor for a short answer now: `last_error` may be of calls that work again. */
async function askNow(
  product: Product,
  { id, name }: Channel,
): Promise<HealthCheck & Pick<Channel, 'name'>> {
  const path = `/v1/admin/channels/${encodeURIComponent(id)}/health`;
  const asked = product.ask(path, { method: 'POST', body: {} }) as Promise<HealthCheck>;
  return { name, error: await asked.then(({ error }) => error, reasonOf) };
}

interface HealthCheck {
  readonly error: string | null;
}
