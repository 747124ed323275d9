import OpenAI from 'openai';
import { openAccountWithKey } from '../support/accounts';
import { type Api, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { directive, listDeliveries, simulatorUrl } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';

let tollgate: RunningTollgate;

beforeAll(async () => {
  tollgate = await startTollgate();
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

/** The key of a new account on the plan and with the credit. */
async function openKey(plan: string, credit: string | undefined): Promise<Api> {
  return (await openAccountWithKey(tollgate.api, { plan, credit })).api;
}

function complete(api: Api, over: Readonly<Record<string, unknown>> = {}) {
  return api.request('POST', '/v1/chat/completions', {
    body: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], ...over },
  });
}

test('on the free plan the 61st request of a minute is 429 and says when to come back', async () => {
  const api = await openKey('free', '10.00');
  for (let count = 1; count <= 60; count += 1) {
    const answer = await complete(api, { max_tokens: 1 });
    expect([count, answer.status]).toEqual([count, 200]);
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('60');
  }
  const refused = await complete(api);
  expect([refused.status, refused.body?.error?.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
});

test('the sixth request in flight on the free plan is 429, and a slot comes back', async () => {
  const api = await openKey('free', '10.00');
  const { key } = await api.post('/v1/keys', { name: 'slow' });
  const controllers = Array.from({ length: 5 }, () => new AbortController());
  const endless = directive({ tokens: 9000, token_interval_ms: 100 });
  // A stream's headers mean that the vendor is at work: from then on the slot is taken.
  const streams = await Promise.all(
    controllers.map(({ signal }) =>
      fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: MODEL,
          stream: true,
          messages: [{ role: 'user', content: endless }],
        }),
      }),
    ),
  );
  expect(streams.map((stream) => stream.status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await complete(api, { max_tokens: 1 });
  expect(refused.status).toBe(429);
  expect(refused.body?.error?.message).toMatch(/in flight/);
  for (const controller of controllers) controller.abort();
  await eventually(
    () => complete(api, { max_tokens: 1 }),
    (answer) => answer.status === 200,
  );
});

test('an empty balance is 402 with the words to top up, and the vendor is not called', async () => {
  const api = await openKey('free', undefined);
  const answer = await complete(api, { max_tokens: 16 });
  expect([answer.status, answer.body?.error?.code]).toEqual([402, 'INSUFFICIENT_BALANCE']);
  expect(answer.body?.error?.message).toMatch(/top up/i);
});

test('without max_tokens an answer is cut to what a small balance pays', async () => {
  // 0.00002 pays for 50 completion tokens at 0.40 per 1M, less the prompt.
  const api = await openKey('free', '0.00002');
  const answer = await complete(api, {
    messages: [{ role: 'user', content: directive({ tokens: 1000 }, 'x') }],
  });
  expect(answer.status).toBe(200);
  const completion = JSON.parse(answer.text) as {
    readonly choices: readonly { readonly finish_reason: string }[];
    readonly usage: { readonly completion_tokens: number };
  };
  expect(completion.choices[0]?.finish_reason).toBe('length');
  expect(completion.usage.completion_tokens).toBeGreaterThanOrEqual(16);
  expect(completion.usage.completion_tokens).toBeLessThan(60);
  const balance = await eventually(
    () => api.get('/v1/billing/balance'),
    (state) => toNano(state.total_usage) > 0n,
  );
  expect(toNano(balance.available)).toBeGreaterThanOrEqual(0n);
});

test('of 200 parallel requests with money for one, one is answered and 199 are 402', async () => {
  const api = await openKey('enterprise', '0.00002');
  const messages = [{ role: 'user', content: directive({ tokens: 30 }, 'x') }];
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => complete(api, { max_tokens: 30, messages })),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(200), count(402)]).toEqual([1, 199]);
  const balance = await untilSettled(api);
  // Thirty tokens at 0.40 per 1M and a prompt.
  expect(toNano(balance.total_usage)).toBeGreaterThan(12_000n);
  expect(toNano(balance.total_usage)).toBeLessThanOrEqual(20_000n);
});

test('of 200 parallel requests that set no bound, the charges stay within the balance', async () => {
  const api = await openKey('enterprise', '0.0001');
  const messages = [{ role: 'user', content: directive({ tokens: 400 }, 'x') }];
  const answers = await Promise.all(Array.from({ length: 200 }, () => complete(api, { messages })));
  const statuses = answers.map((answer) => answer.status);
  expect(statuses).toContain(200);
  expect(statuses.every((status) => status === 200 || status === 402)).toBe(true);
  const balance = await untilSettled(api);
  expect(toNano(balance.total_usage)).toBeLessThanOrEqual(100_000n);
  expect(toNano(balance.available)).toBeGreaterThanOrEqual(0n);
});

test('an operator takes a mistaken credit back, and never what is spent', async () => {
  const api = await openKey('free', '1000.00');
  expect((await complete(api, { max_tokens: 8 })).status).toBe(200);
  const { total_usage: usage } = await untilSettled(api);
  const { account_id: id } = await api.get('/v1/billing/balance');
  const path = `/v1/admin/accounts/${String(id)}/adjustments`;
  const adjust = (amount: string, key: string) =>
    tollgate.api.request('POST', path, {
      body: { amount, reason: 'an invoice of 10.00' },
      headers: { 'idempotency-key': key },
    });
  const first = await adjust('-990.00', 'one');
  expect([first.status, first.body?.data]).toEqual([
    201,
    expect.objectContaining({ kind: 'adjustment', amount: '-990.00', note: 'an invoice of 10.00' }),
  ]);
  const again = await adjust('-990.00', 'one');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect((await adjust('-980.00', 'one')).status).toBe(422);
  const tooMuch = await adjust('-10.00', 'two');
  expect([tooMuch.status, tooMuch.body?.error]).toEqual([
    409,
    expect.objectContaining({ code: 'CONFLICT', param: 'amount' }),
  ]);
  expect(await api.get('/v1/billing/balance')).toMatchObject({
    total_credits: '10.00',
    total_usage: usage,
  });
  const { items } = (await api.get('/v1/billing/ledger')) as { items: { kind: string }[] };
  expect(items.map(({ kind }) => kind)).toEqual(['adjustment', 'charge', 'credit']);
  expect(await tollgate.api.get(`/v1/admin/audit?account_id=${String(id)}`)).toMatchObject({
    ok: true,
    drift: '0.00',
  });
});

/** The balance once nothing is reserved any more. */
function untilSettled(api: Api) {
  return eventually(
    () => api.get('/v1/billing/balance'),
    (state) => toNano(state.reserved) === 0n && toNano(state.total_usage) > 0n,
    60_000,
  );
}

describe('what the caller lets a request cost', () => {
  const LIMIT = 20_000n;
  const headers = { 'X-Tollgate-Max-Cost': '0.00002' };
  const asked = {
    model: MODEL,
    messages: [{ role: 'user' as const, content: directive({ tokens: 1000 }, 'x') }],
  };

  async function connect() {
    const { api, apiKey } = await openAccountWithKey(tollgate.api, { credit: '10.00' });
    const baseURL = `${tollgate.baseUrl}/v1`;
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    /** Of the only request. */
    const charge = async () => {
      const { items } = await eventually(
        () => api.get('/v1/billing/ledger?kind=charge') as Promise<{ items: { amount: string }[] }>,
        (page) => page.items.length > 0,
      );
      expect(items).toHaveLength(1);
      return toNano(items[0]?.amount);
    };
    return { api, client, charge };
  }

  test('is not passed by a whole answer, which ends for its length', async () => {
    const { client, charge } = await connect();
    const { data, response } = await client.chat.completions
      .create(asked, { headers })
      .withResponse();
    expect(data.choices[0]?.finish_reason).toBe('length');
    expect(data.usage?.completion_tokens).toBeGreaterThan(16);
    const amount = await charge();
    expect(toNano(response.headers.get('x-tollgate-cost'))).toBe(amount);
    expect(amount).toBeLessThanOrEqual(LIMIT);
    expect(amount).toBeGreaterThan(LIMIT / 2n);
  });

  test('is not passed by a stream', async () => {
    const { client, charge } = await connect();
    const stream = await client.chat.completions.create({ ...asked, stream: true }, { headers });
    const reasons: string[] = [];
    for await (const { choices } of stream) {
      const reason = choices[0]?.finish_reason;
      if (reason) reasons.push(reason);
    }
    expect(reasons).toEqual(['length']);
    const amount = await charge();
    expect(amount).toBeLessThanOrEqual(LIMIT);
    expect(amount).toBeGreaterThan(LIMIT / 2n);
  });

  test('is refused in every format before a vendor is called when the prompt passes it', async () => {
    const { api, client } = await connect();
    const url = await simulatorUrl(tollgate.api);
    const before = await listDeliveries(url);
    const tooLittle = { 'x-tollgate-max-cost': '0.000001' };
    const refused = client.chat.completions.create(asked, { headers: tooLittle });
    const type = 'invalid_request_error';
    const param = 'X-Tollgate-Max-Cost';
    await expect(refused).rejects.toMatchObject({ status: 402, code: 'COST_LIMIT', type, param });
    const { messages, model } = asked;
    const bodies = {
      '/v1/llm/chat/completions': asked,
      '/v1/messages': { ...asked, max_tokens: 100 },
      '/v1/responses': { model, input: messages },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await api.request('POST', path, { body, headers: tooLittle });
      expect([path, answer.status]).toEqual([path, 402]);
      // The Messages format has one type for every 402.
      const itsType = path === '/v1/messages' ? 'billing_error' : type;
      expect(answer.body?.error).toMatchObject({ code: 'COST_LIMIT', type: itsType, param });
    }
    const explained = await api.post('/v1/llm/route/explain', asked, tooLittle);
    expect(explained.candidates).toContainEqual(
      expect.objectContaining({
        eligible: false,
        reasons: ['the answer would cost more than X-Tollgate-Max-Cost allows'],
      }),
    );
    expect(await listDeliveries(url)).toHaveLength(before.length);
    expect(toNano((await api.get('/v1/billing/balance')).available)).toBe(10_000_000_000n);
  });
});
