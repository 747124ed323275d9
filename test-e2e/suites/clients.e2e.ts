import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { type OpenedAccount, openAccount } from '../support/accounts';
import { toNano } from '../support/api';
import { eventually, leaveMidnight } from '../support/eventually';
import { chargesOf, failureOf, newClient } from '../support/vendors/clients';
import {
  addEmbeddingModel,
  directive,
  EMBEDDING_PRICE,
  listDeliveries,
  simulatorUrl,
} from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';
const VECTORS = 'sim-vectors';
const HELLO = [{ role: 'user' as const, content: 'Hello' }];

let tollgate: RunningTollgate;
let account: OpenedAccount;

beforeAll(async () => {
  tollgate = await startTollgate();
  account = await openAccount(tollgate.api, { credit: '10.00' });
  await addEmbeddingModel(tollgate.api, VECTORS);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

/** What the suite asks of either version; both are used as they come from the registry. */
interface Library {
  new (options: {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly maxRetries?: number;
    readonly fetch?: typeof fetch;
  }): OpenAI;
}

/** Failures as the library throws them. */
interface LibraryError {
  readonly name: string;
  readonly status: number | undefined;
  readonly code: string | null;
  readonly type: string | undefined;
  readonly param: string | null;
  readonly requestID: string | null;
  readonly headers: Headers;
  readonly message: string;
}

// Each release has types of its own: what both have in common is written above.
const LIBRARIES: readonly (readonly [string, Library])[] = [
  ['openai 7', OpenAI as Library],
  ['openai 6', OpenAI6 as unknown as Library],
];

describe.each(LIBRARIES)('an unmodified %s', (_version, Client) => {
  /** A client with a key of its own, and how often it has called. */
  async function connect(settings: object = {}, maxRetries = 0) {
    const { options, ...rest } = await newClient(account.owner.api, settings, maxRetries);
    return { ...rest, client: new Client({ ...options, baseURL: `${tollgate.baseUrl}/v1` }) };
  }

  const errorOf = async (work: Promise<unknown>) => (await failureOf(work)) as LibraryError;

  test('completes', async () => {
    const { client } = await connect();
    const { data, request_id } = await client.chat.completions
      .create({ model: MODEL, messages: HELLO })
      .withResponse();
    expect(data.object).toBe('chat.completion');
    expect(data.choices[0]?.message).toMatchObject({ role: 'assistant' });
    expect(data.choices[0]?.message.content).toContain('simulated');
    expect(data.choices[0]?.finish_reason).toBe('stop');
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = data.usage ?? {};
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(data.id).toBe(`chatcmpl-${request_id}`);
    expect(request_id).toMatch(/^req_/);
  });

  test('embeds, and is charged for the prompt alone', async () => {
    const { client, keyId } = await connect();
    const input = ['How much is the toll?', 'The toll is two.'];
    // The library asks for base64 unless it is told otherwise, and gives numbers all the same.
    const usual = await client.embeddings.create({ model: VECTORS, input });
    expect(usual.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 8],
      [1, 8],
    ]);
    const plain = await client.embeddings.create({
      model: VECTORS,
      input,
      dimensions: 8,
      encoding_format: 'float',
    });
    expect(plain.data).toEqual(usual.data.map((each) => ({ ...each })));
    expect(plain.usage).toEqual({ prompt_tokens: 6 + 4, total_tokens: 6 + 4 });
    const charges = await chargesOf(account.owner.api, { key_id: keyId }, 2);
    for (const { amount, completion_tokens, model, prompt_tokens } of charges) {
      expect({ model, prompt_tokens, completion_tokens }).toEqual({
        model: VECTORS,
        prompt_tokens: 10,
        completion_tokens: 0,
      });
      expect(toNano(amount)).toBe(10n * EMBEDDING_PRICE);
    }
    for (const model of [MODEL, 'auto']) {
      const failure = await errorOf(client.embeddings.create({ model, input }));
      expect(failure).toMatchObject({ status: 400, param: 'model' });
    }
  });

  test('streams, with usage when it asks', async () => {
    const { client } = await connect();
    const stream = await client.chat.completions.create({
      model: 'auto',
      messages: HELLO,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const reasons: string[] = [];
    let total = 0;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? '';
      const reason = choices[0]?.finish_reason;
      if (reason) reasons.push(reason);
      total = usage?.total_tokens ?? total;
    }
    expect(text).toContain('simulated');
    expect(reasons).toEqual(['stop']);
    expect(total).toBeGreaterThan(0);
  });

  test('reads a stream through its helper', async () => {
    const { client } = await connect();
    const runner = client.chat.completions.stream({ model: MODEL, messages: HELLO });
    const whole = await runner.finalChatCompletion();
    expect(whole.choices[0]?.message.content).toContain('simulated');
    expect(whole.choices[0]?.finish_reason).toBe('stop');
  });

  test('aborts, and the vendor stops', async () => {
    const { client } = await connect();
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: directive({ tokens: 5000, token_interval_ms: 20 }) }],
      stream: true,
    });
    let pieces = 0;
    let id = '';
    for await (const chunk of stream) {
      id = chunk.id.replace('chatcmpl-', '');
      pieces += 1;
      if (pieces === 5) stream.controller.abort();
    }
    const vendor = await simulatorUrl(tollgate.api);
    const delivery = await eventually(
      async () => (await listDeliveries(vendor)).find((one) => one.request_id === id),
      (one) => one !== undefined && one.state !== 'streaming' && one.state !== 'running',
    );
    expect(delivery?.tokens).toBeLessThan(500);
  });

  test('aborts a whole answer', async () => {
    const { client } = await connect();
    const controller = new AbortController();
    const work = client.chat.completions.create(
      { model: MODEL, messages: [{ role: 'user', content: directive({ latency_ms: 60_000 }) }] },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(work).rejects.toMatchObject({ name: 'Error', message: 'Request was aborted.' });
  });

  test('lists models and reads one', async () => {
    const { client } = await connect();
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(expect.arrayContaining([MODEL, 'auto', 'auto-cheap', 'auto-fast']));
    expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model' });
  });

  test('sees only the models that its key may use', async () => {
    const { client } = await connect({ models: [MODEL] });
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain(MODEL);
    expect(ids).not.toContain('sim-large');
  });

  test('retries after 429 when it was told to, and succeeds', async () => {
    const { client, statuses } = await connect({ concurrent_requests: 1 }, 5);
    const controller = new AbortController();
    await client.chat.completions.create(
      {
        model: MODEL,
        messages: [{ role: 'user', content: directive({ tokens: 9000, token_interval_ms: 50 }) }],
        stream: true,
      },
      { signal: controller.signal },
    );
    const work = client.chat.completions.create({ model: MODEL, messages: HELLO });
    await eventually(
      async () => statuses,
      (seen) => seen.includes(429),
    );
    controller.abort();
    expect((await work).choices[0]?.finish_reason).toBe('stop');
    expect(statuses.at(-1)).toBe(200);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
  });

  test('hears how long to wait for the minute, and does not wait for the day', async () => {
    const byMinute = await connect({ requests_per_minute: 1 });
    await byMinute.client.chat.completions.create({ model: MODEL, messages: HELLO });
    const limited = await errorOf(
      byMinute.client.chat.completions.create({ model: MODEL, messages: HELLO }),
    );
    expect(limited).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      type: 'rate_limit_error',
    });
    const seconds = Number(limited.headers.get('retry-after'));
    const milliseconds = Number(limited.headers.get('retry-after-ms'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(Math.ceil(milliseconds / 1000)).toBe(seconds);

    await leaveMidnight();
    const byDay = await connect({ requests_per_day: 1 }, 5);
    await byDay.client.chat.completions.create({ model: MODEL, messages: HELLO });
    const ended = await errorOf(
      byDay.client.chat.completions.create({ model: MODEL, messages: HELLO }),
    );
    expect(ended.headers.get('x-should-retry')).toBe('false');
    expect(byDay.statuses).toEqual([200, 429]);
  });

  test.each([
    [400, 'VALIDATION_ERROR', 'invalid_request_error', 'temperature', { temperature: 3 }],
    [404, 'NOT_FOUND', 'not_found_error', 'model', { model: 'nobody' }],
    [
      502,
      'UPSTREAM_ERROR',
      'upstream_error',
      null,
      { messages: [{ role: 'user' as const, content: directive({ fail: 'status:500' }) }] },
    ],
  ])('reads %i %s with its type, param and request id', async (status, code, type, param, over) => {
    const { client } = await connect();
    const failure = await errorOf(
      client.chat.completions.create({ model: MODEL, messages: HELLO, ...over }),
    );
    expect(failure).toMatchObject({ status, code, type, param });
    expect(failure.requestID).toMatch(/^req_/);
    expect(failure.message).toMatch(/\S/);
  });

  test('reads 401 for a key of nobody', async () => {
    const baseURL = `${tollgate.baseUrl}/v1`;
    const stranger = new Client({ baseURL, apiKey: 'a-key-of-nobody', maxRetries: 0 });
    const failure = await errorOf(
      stranger.chat.completions.create({ model: MODEL, messages: HELLO }),
    );
    expect(failure).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
      type: 'authentication_error',
    });
  });

  test('reads 403 for a model that its key may not use', async () => {
    const { client } = await connect({ models: ['sim-large'] });
    const failure = await errorOf(
      client.chat.completions.create({ model: MODEL, messages: HELLO }),
    );
    expect(failure).toMatchObject({ status: 403, code: 'FORBIDDEN', type: 'permission_error' });
  });

  test('reads a failure in the middle of a stream as a failure', async () => {
    const { client } = await connect();
    const content = directive({ tokens: 50, cut_after_tokens: 5 });
    const read = async () => {
      const stream = await client.chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content }],
        stream: true,
      });
      for await (const _chunk of stream);
    };
    expect(await errorOf(read())).toMatchObject({ code: 'UPSTREAM_ERROR' });
  });
});

test('what both libraries spent is on the account, to the nano-unit', async () => {
  const { api } = account.owner;
  const balance = await eventually(
    () => api.get('/v1/billing/balance'),
    (state) => toNano(state.reserved) === 0n,
  );
  const { items } = (await api.get('/v1/billing/ledger?limit=200')) as {
    readonly items: readonly { readonly kind: string; readonly amount: string }[];
  };
  const sum = items.reduce((total, { kind, amount }) => {
    return kind === 'charge' ? total - toNano(amount) : total + toNano(amount);
  }, 0n);
  expect(sum).toBe(toNano(balance.balance));
  expect(toNano(balance.total_usage)).toBeGreaterThan(0n);
});
