import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  addMember,
  createKey,
  grantCredit,
  type OpenedAccount,
  openAccount,
  openAccountWithKey,
} from '../support/accounts';
import { type Api, type ApiData, createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { CHAT } from '../support/openapi/openapi-fixture';
import { PAYMENTS } from '../support/payments';
import { REPOSITORY } from '../support/repository';
import { makeDirectory } from '../support/temporary-directory';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const run = promisify(execFile);
let tollgate: RunningTollgate;
let receiver: WebhookReceiver;
let account: OpenedAccount;
let other: OpenedAccount;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  tollgate = await startTollgate({
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: receiver.host,
    TOLLGATE_TOPUP_SECRETS: PAYMENTS.configured,
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '10000',
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '30',
  });
  account = await openAccount(tollgate.api);
  other = await openAccount(tollgate.api);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
  await receiver?.stop();
});

const creditsOf = async ({ owner }: OpenedAccount) =>
  (await owner.api.get('/v1/billing/balance')).total_credits;
const itemsOf = ({ items }: ApiData) => items as readonly ApiData[];

describe('a payment', () => {
  const paymentTo = (id: string, amount = '25.00') => ({
    type: 'topup.succeeded',
    data: { account_id: id, amount, currency: 'USD', reference: 'Invoice 7' },
  });
  const send = (body: unknown, headers: Readonly<Record<string, string>>, provider = 'shop') =>
    createApi(tollgate.baseUrl, undefined).request('POST', `/v1/topups/${provider}`, {
      body,
      headers,
    });

  test('is credited once, however often it is sent at once and later', async () => {
    const body = paymentTo(account.id);
    const headers = PAYMENTS.sign(body, 'evt_once');
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const fresh = answers.filter((one) => one.headers.get('idempotency-replayed') === null);
    expect(fresh).toHaveLength(1);
    const later = await send(body, PAYMENTS.sign(body, 'evt_once'));
    expect(later.body?.data).toMatchObject({
      account_id: account.id,
      kind: 'credit',
      amount: '25.00',
      note: 'Top-up shop Invoice 7',
    });
    expect(await creditsOf(account)).toBe('25.00');
  });

  test('of an event that was credited gives nothing to another account or of another amount', async () => {
    for (const body of [paymentTo(other.id), paymentTo(account.id, '26.00')]) {
      const answer = await send(body, PAYMENTS.sign(body, 'evt_once'));
      expect([answer.status, answer.body?.error?.code]).toEqual([409, 'CONFLICT']);
    }
    expect([await creditsOf(account), await creditsOf(other)]).toEqual(['25.00', '0.00']);
  });

  test('is refused before anything is noted when its signature is not right', async () => {
    const body = paymentTo(other.id);
    const signed = PAYMENTS.sign(body, 'evt_2');
    const wrong = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const refused = await Promise.all([
      send(body, {}),
      send(body, { ...signed, 'webhook-id': 'evt_3' }),
      send(body, PAYMENTS.sign(body, 'evt_2', wrong)),
      send(paymentTo(other.id, '250.00'), signed),
      send(body, signed, 'nobody'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(401));
    expect(new Set(refused.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await creditsOf(other)).toBe('0.00');
    const entries = itemsOf(await tollgate.api.get('/v1/admin/audit-log?resource_id=shop'));
    expect(entries.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    expect(entries[0]).toMatchObject({ account_id: account.id });
  });

  test('for an account that is not there, or in another currency, is refused', async () => {
    const missing = paymentTo('acc_01J00000000000000000000009');
    expect((await send(missing, PAYMENTS.sign(missing, 'evt_4'))).status).toBe(404);
    const { type, data } = paymentTo(other.id);
    const foreign = { type, data: { ...data, currency: 'EUR' } };
    const answer = await send(foreign, PAYMENTS.sign(foreign, 'evt_5'));
    expect([answer.status, answer.body?.error?.param]).toEqual([400, 'data.currency']);
  });

  describe("from Stripe, by the documents' own lines", () => {
    const checkout = {
      id: 'cs_7',
      client_reference_id: '',
      payment_status: 'paid',
      amount_total: 1005,
      currency: 'usd',
      payment_intent: 'pi_7',
    };
    const eventOf = (name: string, over: Partial<typeof checkout> = {}) => ({
      id: `evt_${name}`,
      type: `checkout.session.${name}`,
      data: { object: { ...checkout, client_reference_id: other.id, ...over } },
    });
    /** What the lines print when these are behind them. */
    const runBehind = async (calls: string) => {
      const page = readFileSync(join(REPOSITORY, 'docs/billing.md'), 'utf8');
      const [, lines = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
      const directory = makeDirectory();
      const script = join(directory.path, 'stripe.mjs');
      writeFileSync(script, `${lines}\n${calls}\n`);
      const env = { TOLLGATE_URL: tollgate.baseUrl, TOPUP_SECRET: PAYMENTS.configured.slice(5) };
      const { stdout } = await run(process.execPath, [script], { env });
      directory.remove();
      return stdout;
    };
    const tell = (events: readonly object[]) =>
      runBehind(`for (const event of ${JSON.stringify(events)}) await onStripeEvent(event);`);

    test('a payment is credited once, however it is told', async () => {
      const paid = eventOf('completed');
      await tell([paid, paid, eventOf('async_payment_succeeded')]);
      expect(await creditsOf(other)).toBe('10.05');
      const [entry] = itemsOf(await other.owner.api.get('/v1/billing/ledger'));
      expect(entry).toMatchObject({ amount: '10.05', note: 'Top-up shop pi_7' });
    });

    test('one that takes days is credited when the money is there, and not before', async () => {
      const late = { id: 'cs_8', amount_total: 200 };
      await tell([eventOf('completed', { ...late, payment_status: 'unpaid' })]);
      expect(await creditsOf(other)).toBe('10.05');
      await tell([eventOf('async_payment_failed', { ...late, payment_status: 'unpaid' })]);
      expect(await creditsOf(other)).toBe('10.05');
      await tell([eventOf('async_payment_succeeded', late)]);
      expect(await creditsOf(other)).toBe('12.05');
    });

    test('amounts are read in the smallest unit of their currency', async () => {
      const amounts = [
        [5, 'usd', '0.05'],
        [1005, 'eur', '10.05'],
        [1005, 'jpy', '1005'],
        [10_050, 'kwd', '10.050'],
      ] as const;
      const asked = amounts.map(([units, currency]) => [units, currency]);
      const printed = await runBehind(
        `console.log(JSON.stringify(${JSON.stringify(asked)}.map((each) => toDecimal(...each))));`,
      );
      expect(JSON.parse(printed)).toEqual(amounts.map(([, , decimal]) => decimal));
    });
  });
});

test('an account is told where it set a threshold, and spends no more where it set an end', async () => {
  const thrifty = await openAccountWithKey(tollgate.api, { credit: '1.00' });
  const events = ['balance.low', 'spending.suspended', 'spending.resumed'];
  await thrifty.session.post('/v1/webhooks', { url: receiver.url('/money'), events });
  const set = { amounts: ['0.50', '0.999999'], days: [], suspend_below: '0.999999' };
  expect(await thrifty.session.put('/v1/billing/thresholds', set)).toMatchObject({
    ...set,
    amounts: ['0.999999', '0.50'],
    source: 'account',
    suspended: false,
  });
  const complete = async () =>
    (await thrifty.api.request('POST', '/v1/chat/completions', { body: CHAT })).status;
  await eventually(complete, (status) => status === 402);
  expect(await thrifty.session.get('/v1/billing/thresholds')).toMatchObject({ suspended: true });
  await grantCredit(tollgate.api, { id: thrifty.id, amount: '1.00', idempotencyKey: 'more' });
  await eventually(complete, (status) => status === 200);
  const told = await receiver.waitFor('/money', 3);
  expect(told.map(({ event }) => [event.type, event.data.threshold]).sort()).toEqual([
    ['balance.low', '0.999999'],
    ['spending.resumed', '0.999999'],
    ['spending.suspended', '0.999999'],
  ]);
  await thrifty.session.request('DELETE', '/v1/billing/thresholds');
  const { source } = await thrifty.session.get('/v1/billing/thresholds');
  expect(source).toBe('default');
});

describe('codes', () => {
  const make = async (body: ApiData) => {
    const made = await tollgate.api.post('/v1/admin/codes', { amount: '5.00', ...body });
    return { id: String(made.id), codes: made.codes as readonly ApiData[] };
  };
  const redeem = (api: Api, code: unknown) =>
    api.request('POST', '/v1/account/redeem', { body: { code } });

  test('give one account their credit, and show an operator what became of them', async () => {
    const before = Number(await creditsOf(account));
    const { id, codes } = await make({ count: 3, note: 'fair' });
    const [first, second, third] = codes.map(({ code }) => code);
    expect((await redeem(account.owner.api, String(first).toLowerCase())).status).toBe(200);
    const again = await redeem(account.owner.api, first);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect((await redeem(other.owner.api, first)).status).toBe(404);
    expect(Number(await creditsOf(account))).toBe(before + 5);
    await tollgate.api.request('DELETE', `/v1/admin/codes/${String(codes[1]?.id)}`);
    expect((await redeem(other.owner.api, second)).status).toBe(404);
    const list = await tollgate.api.request('GET', `/v1/admin/codes?batch_id=${id}`);
    expect(itemsOf(list.body?.data ?? {}).map(({ status }) => status)).toEqual([
      'unused',
      'revoked',
      'redeemed',
    ]);
    for (const text of [first, second, third]) expect(list.text).not.toContain(String(text));
    const path = `/v1/admin/codes/${String(codes[0]?.id)}`;
    expect(await tollgate.api.get(path)).toMatchObject({ account_id: account.id, amount: '5.00' });
    expect((await tollgate.api.request('DELETE', path)).status).toBe(409);
    const batch = await tollgate.api.request('DELETE', `/v1/admin/codes/${id}`);
    expect(batch.body?.data).toEqual({ id, deleted: true });
    expect((await redeem(other.owner.api, third)).status).toBe(404);
  });

  test('are not redeemed by members, nor by keys without the scope', async () => {
    const [code] = (await make({})).codes;
    const member = await addMember(account.owner.api, 'member');
    const key = await createKey(account.owner.api, { scopes: ['completions'] });
    for (const api of [member.api, key.api]) {
      expect((await redeem(api, code?.code)).status).toBe(403);
    }
  });

  test('leave no text in the audit log, and a request that is repeated tells none', async () => {
    const body = { amount: '5.00', count: 2 };
    const headers = { 'idempotency-key': 'batch-of-two' };
    const first = await tollgate.api.request('POST', '/v1/admin/codes', { body, headers });
    const again = await tollgate.api.request('POST', '/v1/admin/codes', { body, headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const made = first.body?.data?.codes as readonly ApiData[];
    const ids = (codes: unknown) => (codes as readonly ApiData[]).map(({ id }) => id);
    expect(ids(again.body?.data?.codes)).toEqual(ids(made));
    const query = 'operation=POST%20/v1/admin/codes&limit=1';
    const log = await tollgate.api.request('GET', `/v1/admin/audit-log?${query}`);
    const [entry] = itemsOf(log.body?.data ?? {});
    const path = `/v1/admin/audit-log/${String(entry?.id)}`;
    const whole = await tollgate.api.request('GET', path);
    for (const { code } of made) {
      for (const { text } of [again, log, whole]) expect(text).not.toContain(String(code));
    }
  });

  test('cannot be guessed at leisure', async () => {
    const guess = () => redeem(other.owner.api, 'TG-0000-0000-0000-0000-0000');
    let answer = await guess();
    for (let tries = 0; tries < 40 && answer.status === 404; tries += 1) answer = await guess();
    expect(answer.body?.error?.code).toBe('RATE_LIMIT_EXCEEDED');
  });
});

describe('plans and terms of an account', () => {
  const PATH = '/v1/chat/completions';
  const MODEL = 'sim-small';
  const ask = (api: Api) => api.request('POST', PATH, { body: { ...CHAT, model: MODEL } });
  const change = (overrides: ApiData) =>
    tollgate.api.request('PATCH', `/v1/admin/accounts/${account.id}`, { body: { overrides } });

  test('are changed at run time, and gateways follow within seconds', async () => {
    const plan = { id: 'team', name: 'Team', requests_per_minute: 70, requests_per_day: null };
    await tollgate.api.post('/v1/admin/plans', { ...plan, concurrent_requests: 5 });
    await tollgate.api.put(`/v1/admin/accounts/${account.id}/plan`, { plan: 'team' });
    const { api } = await createKey(account.owner.api);
    const limitOf = async () => (await ask(api)).headers.get('x-ratelimit-limit-requests');
    await eventually(limitOf, (limit) => limit === '70', 20_000);
    const body = { requests_per_minute: 80 };
    await tollgate.api.request('PATCH', '/v1/admin/plans/team', { body });
    await eventually(limitOf, (limit) => limit === '80', 20_000);
    await change({ limits: { requests_per_minute: 90 } });
    await eventually(limitOf, (limit) => limit === '90', 20_000);
    await change({ limits: {}, models: ['sim-large'] });
    await eventually(
      () => ask(api),
      ({ status }) => status === 403,
      20_000,
    );
    await change({ models: [] });
    await eventually(
      () => ask(api),
      ({ status }) => status === 200,
      20_000,
    );
    const { versions, version } = await tollgate.api.get('/v1/admin/plans/team');
    expect([
      version,
      (versions as readonly ApiData[]).map((each) => each.requests_per_minute),
    ]).toEqual([2, [70]]);
  });

  test('take a discount off the unit prices, exactly and in every place', async () => {
    const { api } = await createKey(account.owner.api);
    const listed = (await tollgate.api.get(`/v1/admin/models/${MODEL}`)).pricing as ApiData;
    await change({ discount: '33.33' });
    const less = (price: unknown) => (toNano(price) * 6_667n + 9_999n) / 10_000n;
    const theirs = await eventually(
      async () => (await api.get('/v1/llm/models')).data as readonly ApiData[],
      (models) => {
        const pricing = models.find(({ id }) => id === MODEL)?.pricing as ApiData | undefined;
        return toNano(pricing?.prompt ?? '0') === less(listed.prompt);
      },
    );
    expect(theirs.length).toBeGreaterThan(0);
    const id = (await ask(api)).headers.get('x-request-id') ?? '';
    const receipt = await eventually(
      () => api.request('GET', `/v1/billing/receipts/${id}`),
      ({ status }) => status === 200,
    );
    const { prices, prompt_tokens, completion_tokens, settle } = receipt.body?.data ?? {};
    const { prompt, completion } = prices as ApiData;
    expect(toNano(prompt)).toBe(less(listed.prompt));
    expect(toNano(completion)).toBe(less(listed.completion));
    const tokens =
      BigInt(prompt_tokens as number) * toNano(prompt) +
      BigInt(completion_tokens as number) * toNano(completion);
    expect(toNano(settle)).toBe((tokens + 999_999n) / 1_000_000n);
    expect(toNano(settle)).toBeGreaterThan(0n);
  });
});

test('the audit finds every grant where it belongs', async () => {
  expect(await tollgate.api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
});
