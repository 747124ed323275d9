import OpenAI from 'openai';
import { toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { directive, priceOf } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';

let tollgate: RunningTollgate;
let client: OpenAI;

beforeAll(async () => {
  tollgate = await startTollgate();
  client = new OpenAI({
    fetch: fetchDocumented,
    baseURL: `${tollgate.baseUrl}/v1`,
    apiKey: tollgate.apiKey,
    maxRetries: 0,
  });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

interface Tokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

const priceOfUsage = ({ prompt_tokens: prompt, completion_tokens: completion }: Tokens) =>
  priceOf({ prompt, completion });

const totalUsage = async () => toNano((await tollgate.api.get('/v1/billing/balance')).total_usage);

/** Runs one request and answers what it was charged once the charge is posted. */
async function chargedFor(run: () => Promise<Tokens>): Promise<{ usage: Tokens; charged: bigint }> {
  const before = await totalUsage();
  const usage = await run();
  const after = await eventually(totalUsage, (total) => total !== before);
  return { usage, charged: after - before };
}

test('an unmodified client gets an answer, and the balance shows its price to the nano-unit', async () => {
  const { usage, charged } = await chargedFor(async () => {
    const answer = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(answer.object).toBe('chat.completion');
    expect(answer.model).toBe(MODEL);
    expect(answer.choices[0]?.message.content).toContain('simulated');
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    if (!answer.usage) throw new Error('no usage');
    return answer.usage;
  });
  expect(charged).toBe(priceOfUsage(usage));
});

test('an unmodified client streams, and the usage of the last frame is what is charged', async () => {
  const { usage, charged } = await chargedFor(async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let tokens: Tokens | undefined;
    const ids = new Set<string>();
    for await (const chunk of stream) {
      ids.add(chunk.id);
      text += chunk.choices[0]?.delta.content ?? '';
      tokens = chunk.usage ?? tokens;
    }
    expect(text).toContain('simulated');
    expect(ids.size).toBe(1);
    if (tokens === undefined) throw new Error('no usage');
    return tokens;
  });
  expect(charged).toBe(priceOfUsage(usage));
});

test('both paths answer the same object, one of them inside the envelope', async () => {
  const body = { model: MODEL, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] };
  const envelope = await tollgate.api.request('POST', '/v1/llm/chat/completions', { body });
  const plain = await tollgate.api.request('POST', '/v1/chat/completions', { body });
  expect(envelope.status).toBe(200);
  expect(envelope.headers.get('x-api-version')).toBe('v1');
  expect(Object.keys(envelope.body ?? {}).sort()).toEqual(['data', 'error', 'message', 'success']);
  const inner = envelope.body?.data;
  const outer = JSON.parse(plain.text) as Record<string, unknown>;
  expect({ ...inner, id: '', created: 0 }).toEqual({ ...outer, id: '', created: 0 });
  expect(inner?.id).toBe(`chatcmpl-${envelope.headers.get('x-request-id')}`);
});

test('a client that aborts a stream is charged for what was delivered and no more', async () => {
  const { usage, charged } = await chargedFor(async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: directive({ tokens: 500, token_interval_ms: 20 }) }],
      stream: true,
    });
    let pieces = 0;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) pieces += 1;
      if (pieces === 5) break;
    }
    return { prompt_tokens: 0, completion_tokens: pieces };
  });
  expect(charged).toBeGreaterThan(priceOfUsage(usage) / 2n);
  // The whole answer has 500 tokens; a cut one costs a small part of that.
  expect(charged).toBeLessThan(priceOf({ prompt: 100, completion: 250 }));
});

test('balance, ledger and statistics agree, and nothing stays reserved', async () => {
  const balance = await eventually(
    () => tollgate.api.get('/v1/billing/balance'),
    (answer) => toNano(answer.reserved) === 0n,
    60_000,
  );
  const { items } = (await tollgate.api.get('/v1/billing/ledger?limit=200')) as {
    readonly items: readonly { readonly kind: string; readonly amount: string; seq: number }[];
  };
  const charges = items.filter((item) => item.kind === 'charge');
  const sum = charges.reduce((total, item) => total + toNano(item.amount), 0n);
  expect(sum < 0n ? -sum : sum).toBe(toNano(balance.total_usage));
  expect(items.map((item) => Number(item.seq))).toEqual(
    items.map((_, index) => items.length - index),
  );
  expect(toNano(balance.balance)).toBe(toNano(balance.total_credits) - toNano(balance.total_usage));
  const stats = await eventually(
    () => tollgate.api.get('/v1/stats'),
    (answer) => (answer.totals as { requests: number }).requests === charges.length,
  );
  const totals = stats.totals as { readonly spend: string };
  expect(toNano(totals.spend)).toBe(toNano(balance.total_usage));
});

test('the audit finds no drift', async () => {
  const audit = await tollgate.api.get('/v1/admin/audit?fresh=true');
  expect(audit).toMatchObject({ ok: true, findings: [] });
  expect(toNano(audit.drift)).toBe(0n);
});

test.each([
  ['temperature above its range', { temperature: 2.1 }, 'temperature'],
  ['top_p below its range', { top_p: -0.1 }, 'top_p'],
  ['a number in quotes', { temperature: '1' }, 'temperature'],
  ['a stream flag that is none', { stream: 'yes' }, 'stream'],
  ['max_tokens of zero', { max_tokens: 0 }, 'max_tokens'],
  ['five stop words', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  ['a penalty beyond its range', { presence_penalty: 3 }, 'presence_penalty'],
  ['a frequency penalty beyond its range', { frequency_penalty: -3 }, 'frequency_penalty'],
  ['no messages', { messages: [] }, 'messages'],
  ['a role that is not known', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
  ['a missing content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
  ['a dated model name', { model: `${MODEL}-2024-05-13` }, 'model'],
])('%s is 400 with its param', async (_name, over, param) => {
  const body = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], ...over };
  const answer = await tollgate.api.request('POST', '/v1/chat/completions', { body });
  expect(answer.status).toBe(400);
  expect(answer.body?.error).toMatchObject({ code: 'VALIDATION_ERROR', param });
});

test('an unknown key is 401 in the words every client understands', async () => {
  const stranger = new OpenAI({
    fetch: fetchDocumented,
    baseURL: `${tollgate.baseUrl}/v1`,
    apiKey: 'tg_live_nobody',
    maxRetries: 0,
  });
  await expect(
    stranger.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'x' }] }),
  ).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED', type: 'authentication_error' });
});

test('the models are listed for clients and in the envelope', async () => {
  const names: string[] = [];
  for await (const model of client.models.list()) names.push(model.id);
  expect(names).toEqual(expect.arrayContaining([MODEL, 'auto', 'auto-cheap', 'auto-fast']));
  const envelope = (await tollgate.api.get('/v1/llm/models')) as { data: { id: string }[] };
  expect(envelope.data.map((model) => model.id).sort()).toEqual([...names].sort());
});

test('a vendor that fails is 502, charged to nobody', async () => {
  const before = await totalUsage();
  const answer = await tollgate.api.request('POST', '/v1/chat/completions', {
    body: {
      model: MODEL,
      messages: [{ role: 'user', content: directive({ fail: 'status:500' }) }],
    },
  });
  expect([answer.status, answer.body?.error?.code]).toEqual([502, 'UPSTREAM_ERROR']);
  expect(await totalUsage()).toBe(before);
});
