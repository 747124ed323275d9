import OpenAI from 'openai';
import { createKey } from '../support/accounts';
import { createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { directive, listDeliveries, priceOf, simulatorUrl } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(180_000);

const MODEL = 'sim-small';

interface LedgerItem {
  readonly kind: string;
  readonly amount: string;
  readonly request_id: string;
  readonly completion_tokens: number;
  readonly source: string;
}

let tollgate: RunningTollgate;
let vendor: RunningTollgate | undefined;

afterEach(async () => {
  await tollgate?.stop();
  await vendor?.stop();
  vendor = undefined;
});

const ledger = async () =>
  (await tollgate.api.get('/v1/billing/ledger?limit=200')) as { readonly items: LedgerItem[] };
const charges = async () => (await ledger()).items.filter((item) => item.kind === 'charge');
const balance = () => tollgate.api.get('/v1/billing/balance');

test('a restart keeps keys, balance and ledger', async () => {
  tollgate = await startTollgate();
  const body = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] };
  await tollgate.api.request('POST', '/v1/chat/completions', { body });
  const before = await eventually(balance, (state) => toNano(state.total_usage) > 0n);
  await tollgate.restart();
  expect((await balance()).total_usage).toBe(before.total_usage);
  const again = await tollgate.api.request('POST', '/v1/chat/completions', { body });
  expect(again.status).toBe(200);
});

test('kill -9 during ten streams loses no charge and charges nothing twice', async () => {
  // The vendor runs in a process of its own, so that it remembers what it delivered.
  vendor = await startTollgate();
  const vendorUrl = await simulatorUrl(vendor.api);
  tollgate = await startTollgate({
    TOLLGATE_INIT_CHANNEL_TYPE: 'simulator',
    TOLLGATE_INIT_CHANNEL_BASE_URL: `${vendorUrl}/v1`,
    TOLLGATE_INIT_CHANNEL_MODELS: `${MODEL}:0.10:0.40`,
    TOLLGATE_EGRESS_ALLOWED_HOSTS: new URL(vendorUrl).host,
  });
  const client = new OpenAI({
    baseURL: `${tollgate.baseUrl}/v1`,
    apiKey: tollgate.apiKey,
    maxRetries: 0,
  });
  const received = Array.from({ length: 10 }, () => 0);
  const streams = received.map(async (_, index) => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: directive({ tokens: 2000, token_interval_ms: 10 }) }],
      stream: true,
    });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) received[index] = (received[index] ?? 0) + 1;
    }
  });
  const ended = Promise.allSettled(streams);
  await eventually(
    async () => received,
    (counts) => counts.every((count) => count >= 30),
  );
  await tollgate.killAndRestart();
  await ended;

  const posted = await eventually(charges, (items) => items.length >= 10, 60_000);
  expect(posted).toHaveLength(10);
  expect(new Set(posted.map((item) => item.request_id)).size).toBe(10);
  const deliveries = await listDeliveries(vendorUrl);
  for (const charge of posted) {
    const delivered = deliveries.find((one) => one.request_id === charge.request_id);
    expect(delivered).toBeDefined();
    expect(charge.source).toBe('partial');
    expect(charge.completion_tokens).toBeGreaterThan(0);
    // Never more than the vendor delivered; the tokenizers count words alike to within a factor.
    expect(charge.completion_tokens).toBeLessThanOrEqual((delivered?.tokens ?? 0) * 3);
    const amount = toNano(charge.amount);
    expect(amount < 0n ? -amount : amount).toBeGreaterThan(
      priceOf({ prompt: 0, completion: charge.completion_tokens }) - 1n,
    );
  }
  const settled = await eventually(balance, (state) => toNano(state.reserved) === 0n, 60_000);
  const sum = posted.reduce((total, item) => total + toNano(item.amount), 0n);
  expect(sum < 0n ? -sum : sum).toBe(toNano(settled.total_usage));
  await expectOneOfAHundred(vendorUrl);
  expect(await tollgate.api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
});

/**
 * Of a hundred equal requests under one Idempotency-Key one reaches the vendor and is charged, also
 * when everything is killed in the middle of its answer and all hundred are sent again.
 */
async function expectOneOfAHundred(vendorUrl: string): Promise<void> {
  const { account_id: accountId } = await balance();
  await tollgate.api.put(`/v1/admin/accounts/${accountId}/plan`, { plan: 'enterprise' });
  const { secret } = await createKey(tollgate.api);
  const headers = { 'idempotency-key': 'a-hundred' };
  const content = directive({ tokens: 2000, token_interval_ms: 10 });
  const body = { model: MODEL, stream: true, messages: [{ role: 'user', content }] };
  // Its address is another one after the restart.
  const send = () =>
    createApi(tollgate.baseUrl, secret).request('POST', '/v1/chat/completions', { body, headers });
  const sendAll = () => Promise.allSettled(Array.from({ length: 100 }, send));
  const plain = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] };
  await eventually(
    () =>
      createApi(tollgate.baseUrl, secret).request('POST', '/v1/chat/completions', { body: plain }),
    ({ status }) => status === 200,
  );
  const known = new Set((await listDeliveries(vendorUrl)).map((one) => one.request_id));
  const fresh = async () =>
    (await listDeliveries(vendorUrl)).filter(({ request_id }) => !known.has(request_id));
  const first = sendAll();
  await eventually(fresh, (found) => found.some(({ tokens }) => tokens >= 200), 60_000);
  await tollgate.killAndRestart();
  await first;
  const charged = async () => (await charges()).filter(({ request_id }) => !known.has(request_id));
  await eventually(charged, ({ length }) => length > 0, 60_000);
  const statuses = (await sendAll()).map((sent) =>
    sent.status === 'fulfilled' ? sent.value.status : 'cut',
  );
  expect(new Set(statuses)).toEqual(new Set([409]));
  const [one, ...others] = await fresh();
  expect(others).toEqual([]);
  expect((await charged()).map(({ request_id }) => request_id)).toEqual([one?.request_id]);
}
