import { join } from 'node:path';
import OpenAI from 'openai';
import { expectGeneratedBlock, toAlignedTable } from '../../packages/testkit/src/generated-block';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { toNano } from '../support/api';
import { eventsOf } from '../support/api-answer';
import { eventually } from '../support/eventually';
import { REPOSITORY } from '../support/repository';
import { type Charge, chargesOf } from '../support/vendors/clients';
import {
  CLIENT_FORMATS,
  type ClientFormat,
  FILE_DATA,
  IMAGE_DATA,
  KINDS,
  type Kind,
} from '../support/vendors/format-requests';
import {
  type Delivery,
  directive,
  listDeliveries,
  priceOf,
  simulatorUrl,
  untilRouted,
} from '../support/vendors/simulator';
import { VENDOR_AUDIO, VENDOR_COUNTS } from '../support/vendors/vendor-counts';
import {
  startVendorProduct,
  VENDOR_NAMES,
  VENDOR_PRICES,
  type VendorProduct,
} from '../support/vendors/vendor-product';
import {
  VENDOR_CALLS,
  VENDOR_CREDENTIAL,
  VENDOR_TEXT,
  VENDOR_THOUGHTS,
  type VendorName,
} from '../support/vendors/vendor-protocols';
import type { RunningTollgate } from '../topologies/start-tollgate';
import { RICH_BODIES, RICH_REQUEST } from './vendors/vendor-bodies';
import { WISHES } from './vendors/wishes';

jest.setTimeout(120_000);

const CAPABILITIES = [
  'tools',
  'response_format',
  'n',
  'logit_bias',
  'logprobs',
  'reasoning_effort',
  'images',
  'files',
];
const HELLO: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
];
const TOOLS: OpenAI.ChatCompletionTool[] = VENDOR_CALLS.map(({ name }) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
}));

let product: VendorProduct;
let tollgate: RunningTollgate;
let account: KeyedAccount;

beforeAll(async () => {
  product = await startVendorProduct(CAPABILITIES);
  ({ tollgate, account } = product);
});

afterAll(async () => {
  // What is found must not leave it running: others would share its part of the events.
  const output = tollgate?.process.output();
  const code = await product?.stop();
  expect(output).not.toContain(VENDOR_CREDENTIAL);
  expect(code).toBe(0);
});

/** The ledger entry of a request, when it is settled. */
async function chargeOf(requestId: string | null): Promise<Charge> {
  const [charge] = await chargesOf(account.api, { request_id: requestId });
  return charge as Charge;
}

/** What the vendor's counts cost. */
const COST =
  VENDOR_PRICES.prompt * BigInt(VENDOR_COUNTS.prompt - VENDOR_COUNTS.cached) +
  VENDOR_PRICES.cached * BigInt(VENDOR_COUNTS.cached) +
  VENDOR_PRICES.completion * BigInt(VENDOR_COUNTS.completion);

async function expectExactCharge(requestId: string | null): Promise<void> {
  const charge = await chargeOf(requestId);
  expect(charge).toMatchObject({
    source: 'exact',
    prompt_tokens: VENDOR_COUNTS.prompt,
    completion_tokens: VENDOR_COUNTS.completion,
  });
  expect(toNano(charge.amount)).toBe(COST);
}

describe.each(VENDOR_NAMES)('a channel of %s', (model) => {
  const vendor = () => product.vendorOf(model);
  const client = () =>
    new OpenAI({
      baseURL: `${tollgate.baseUrl}/v1`,
      apiKey: account.apiKey,
      maxRetries: 0,
    });

  test('answers whole, and costs what the vendor counts', async () => {
    const { data, request_id } = await client()
      .chat.completions.create({ model, messages: HELLO, temperature: 0.5, stop: ['END'] })
      .withResponse();
    expect(data).toMatchObject({
      model,
      choices: [{ message: { content: VENDOR_TEXT }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: VENDOR_COUNTS.prompt,
        completion_tokens: VENDOR_COUNTS.completion,
      },
    });
    await expectExactCharge(request_id);
  });

  test('streams, and costs what the vendor counts', async () => {
    const { data, request_id } = await client()
      .chat.completions.create({
        model,
        messages: HELLO,
        stream: true,
        stream_options: { include_usage: true },
      })
      .withResponse();
    let text = '';
    const finish: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of data) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (chunk.choices[0]?.finish_reason) finish.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(VENDOR_TEXT);
    expect(finish).toEqual(['stop']);
    expect(usage).toMatchObject({
      prompt_tokens: VENDOR_COUNTS.prompt,
      completion_tokens: VENDOR_COUNTS.completion,
    });
    await expectExactCharge(request_id);
  });

  test('calls tools side by side, whole and streamed, and takes their results', async () => {
    const asked = { model, messages: HELLO, tools: TOOLS };
    const whole = await client().chat.completions.create(asked);
    const streamed = await client().chat.completions.stream(asked).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      const [choice] = choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      const calls = (choice?.message.tool_calls ?? []) as {
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
      expect(
        calls.map(({ function: called }) => ({
          name: called.name,
          arguments: JSON.parse(called.arguments) as unknown,
        })),
      ).toEqual(VENDOR_CALLS);
    }
    const said = whole.choices[0]?.message;
    if (said === undefined) throw new Error('no message');
    const results = (said.tool_calls ?? []).map(({ id }, index) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: `result ${index}`,
    }));
    const messages = [...HELLO, said, ...results];
    const last = await client().chat.completions.create({ model, messages });
    expect(last.choices[0]?.message.content).toBe(VENDOR_TEXT);
    expect(JSON.stringify(vendor().seen.at(-1)?.body)).toMatch(/result 0.*result 1/);
  });

  test('is sent what the types of its own package allow, and nothing else', async () => {
    await client()
      .chat.completions.create({ model, ...RICH_REQUEST })
      .catch(() => undefined);
    expect(vendor().seen.at(-1)?.body).toEqual(RICH_BODIES[model]);
  });

  test('is asked for an answer of a schema', async () => {
    const schema = { type: 'object', properties: { town: { type: 'string' } } };
    await client().chat.completions.create({
      model,
      messages: HELLO,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    });
    expect(JSON.stringify(vendor().seen.at(-1)?.body)).toContain(JSON.stringify(schema));
  });

  test('that breaks off in the middle costs what was delivered', async () => {
    vendor().breaksOff = true;
    const { data, request_id } = await client()
      .chat.completions.create({ model, messages: HELLO, stream: true })
      .withResponse();
    let text = '';
    const read = async () => {
      for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toThrow('The model vendor');
    vendor().breaksOff = false;
    expect(VENDOR_TEXT.startsWith(text)).toBe(true);
    const charge = await chargeOf(request_id);
    expect(charge.source).toBe(text === '' ? 'none' : 'partial');
  });

  test('is found healthy by a check', async () => {
    const id = product.channelOf(model);
    const checked = await tollgate.api.post(`/v1/admin/channels/${id}/health`, {});
    expect(checked).toMatchObject({ healthy: true, http_status: 200, error: null });
  });
});

test.each([
  ['anthropic', { n: 2 }, 'n'],
  ['anthropic', { presence_penalty: 1 }, 'presence_penalty'],
  ['anthropic', { temperature: 1.5 }, 'temperature'],
  ['anthropic', { logit_bias: { 5: 1 } }, 'logit_bias'],
  ['anthropic', { response_format: { type: 'json_object' } }, 'response_format'],
  ['gemini', { logit_bias: { 5: 1 } }, 'logit_bias'],
  ['gemini', { tools: TOOLS, parallel_tool_calls: false }, 'parallel_tool_calls'],
] as const)('a channel of %s refuses %j by name, and asks no vendor', async (...row) => {
  const [name, asked, param] = row;
  const before = product.vendorOf(name).seen.length;
  const answer = await account.api.request('POST', '/v1/chat/completions', {
    body: { model: name, messages: HELLO, ...asked },
  });
  expect(answer.status).toBe(400);
  expect(answer.body?.error).toMatchObject({ code: 'VALIDATION_ERROR', param });
  expect(product.vendorOf(name).seen.length).toBe(before);
});

/**
 * The member that such a request is refused for; undefined when the vendor's answer to it arrives,
 * whole or streamed. Throws when it is something else.
 */
async function refusedMember(
  format: ClientFormat,
  name: VendorName,
  kind: Kind,
  stream: boolean,
): Promise<string | undefined> {
  const body = format.body(name, kind, stream);
  const answer = await account.api.request('POST', format.path, { body });
  const { code, param } = answer.body?.error ?? {};
  if (kind === 'error') {
    expect([answer.status, code?.toLowerCase()]).toEqual([400, 'context_length_exceeded']);
    // Both figures are told in our sentence; nothing else of the vendor is.
    expect(answer.text).not.toMatch(/allowed|maximum context|prompt is too long/);
    return undefined;
  }
  if (code === 'VALIDATION_ERROR' && typeof param === 'string') return param;
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const said = stream ? format.readStream(eventsOf(answer)) : format.readWhole(answer.body);
  expect(said.usage).toEqual([VENDOR_COUNTS.prompt, VENDOR_COUNTS.completion]);
  expect(said.refused).toBe(kind === 'refusal');
  expect(said.calls).toEqual(kind === 'tools' ? VENDOR_CALLS : []);
  if (kind !== 'tools' && kind !== 'refusal') expect(said.text).toBe(VENDOR_TEXT);
  if (kind === 'reasoning') expect(said.thoughts).toBe(VENDOR_THOUGHTS);
  const sent = JSON.stringify(product.vendorOf(name).seen.at(-1)?.body);
  if (kind === 'image') expect(sent).toContain(IMAGE_DATA);
  if (kind === 'file') expect(sent).toContain(FILE_DATA);
  if (kind === 'structured') expect(sent).toContain('"town"');
  return undefined;
}

const DYING_MODEL = 'dying';
/** How each format tells in a stream that its vendor died. */
const FAILURE_FRAMES: Readonly<Record<string, object>> = {
  'chat completions': { success: false, error: { code: 'UPSTREAM_ERROR', type: 'upstream_error' } },
  envelope: { success: false, data: null, error: { code: 'UPSTREAM_ERROR' } },
  Messages: { type: 'error', error: { type: 'api_error' } },
  Responses: {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error' } },
  },
};

describe('a vendor that dies', () => {
  let simulator: string;
  let channelIds: readonly string[];

  beforeAll(async () => {
    const { api } = tollgate;
    simulator = await simulatorUrl(api);
    // Those of the small model, which `priceOf` has.
    const pricing = { prompt: '0.10', completion: '0.40' };
    const sizes = { context_length: 100_000, max_completion_tokens: 4096 };
    await api.post('/v1/admin/models', { name: DYING_MODEL, ...sizes, pricing });
    const made = ['dying-1', 'dying-2'].map((name) =>
      api.post('/v1/admin/channels', {
        name,
        type: 'simulator',
        base_url: `${simulator}/v1`,
        models: [{ name: DYING_MODEL }],
      }),
    );
    channelIds = (await Promise.all(made)).map(({ id }) => String(id));
    await untilRouted(account.api, DYING_MODEL, channelIds.length);
  });

  /** Asks for a stream, and answers with it what the vendor saw of the request. */
  async function ask(format: ClientFormat, behaviour: Readonly<Record<string, unknown>>) {
    const hello = format.body(DYING_MODEL, 'text', true);
    const body: unknown = JSON.parse(JSON.stringify(hello), (_name, value: unknown) =>
      value === 'Hello' ? directive(behaviour) : value,
    );
    const answer = await account.api.request('POST', format.path, { body });
    const requestId = answer.headers.get('x-request-id');
    const isOfIt = ({ request_id }: Delivery) => request_id === requestId;
    const calls = (await listDeliveries(simulator)).filter(isOfIt);
    return { answer, calls, requestId };
  }

  describe.each(Object.entries(CLIENT_FORMATS))('and is asked in %s', (name, format) => {
    test('in the middle: an error frame, what was delivered is charged, nobody else is asked', async () => {
      const text = 'one two three four five six';
      // Each token leaves by itself, so that none is lost with the connection.
      const apart = { token_interval_ms: 2, cut_after_tokens: 3 };
      const { answer, calls, requestId } = await ask(format, { text, ...apart });
      expect(answer.status).toBe(200);
      const events = eventsOf(answer);
      expect(events.at(-1)).toMatchObject(FAILURE_FRAMES[name] ?? {});
      expect(answer.text).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
      const said = format.readStream(name === 'Responses' ? events : events.slice(0, -1));
      expect(said.text).toBe('one two three');
      expect(calls.map(({ state, tokens }) => [state, tokens])).toEqual([['cut', 3]]);
      const charge = await chargeOf(requestId);
      expect(charge).toMatchObject({ source: 'partial', completion_tokens: 3 });
      const { amount, prompt_tokens: prompt } = charge;
      expect(prompt).toBeGreaterThan(0);
      expect(toNano(amount)).toBe(priceOf({ prompt, completion: 3 }));
    });

    test('before its first token: another answers, and the story names both', async () => {
      const fault = { fail: 'reset:after_head', fail_first: 1, tag: `first of ${name}` };
      const { answer, calls, requestId } = await ask(format, { text: 'one two', ...fault });
      expect(answer.status).toBe(200);
      expect(format.readStream(eventsOf(answer)).text).toBe('one two');
      expect(calls.map(({ state }) => state)).toEqual(['cut', 'finished']);
      expect(await chargeOf(requestId)).toMatchObject({ source: 'exact', completion_tokens: 2 });
      // Requests are found by what is relayed from the ledger.
      const { body } = await eventually(
        () => tollgate.api.request('GET', `/v1/admin/requests/${requestId}`),
        ({ status }) => status === 200,
      );
      const story = body?.data ?? {};
      expect(story).toMatchObject({ attempts: 2, status: 'succeeded' });
      const failed = story.failed_attempts as readonly Readonly<Record<string, unknown>>[];
      expect(failed).toMatchObject([{ model: DYING_MODEL, outcome: 'failure' }]);
      const asked = [failed[0]?.channel_id, story.channel_id];
      expect([...asked].sort()).toEqual([...channelIds].sort());
    });
  });
});

const VENDORS_PAGE = join(REPOSITORY, 'docs/vendors.md');
const FORMAT_NAMES = Object.keys(CLIENT_FORMATS);
/** As the page calls them. */
const PROTOCOL_NAMES = { azure: 'openai', anthropic: 'anthropic', gemini: 'gemini' } as const;
const PROTOCOLS = ['azure', 'anthropic', 'gemini'] as const;

test('what each format can ask of each vendor is as docs/vendors.md says', async () => {
  const rows: string[][] = [];
  let asked = 0;
  for (const kind of KINDS) {
    for (const stream of [false, true]) {
      const row = [`${kind}, ${stream ? 'streamed' : 'whole'}`];
      for (const format of Object.values(CLIENT_FORMATS)) {
        const cell: string[] = [];
        for (const name of PROTOCOLS) {
          const refused = await refusedMember(format, name, kind, stream);
          const isServed = refused === undefined;
          cell.push(`${PROTOCOL_NAMES[name]}${isServed ? '' : ` refuses \`${refused}\``}`);
          asked += 1;
        }
        row.push(cell.join(', '));
      }
      rows.push(row);
    }
  }
  expect(asked).toBe(8 * 2 * 4 * 3);
  const table = toAlignedTable(['asked for', ...FORMAT_NAMES], rows);
  expectGeneratedBlock(VENDORS_PAGE, 'formats and vendors', table);
});

test('what each format and vendor refuses is as docs/vendors.md says', async () => {
  const rows: string[][] = [];
  for (const { name: wish, bodyIn } of WISHES) {
    const row: string[] = [wish];
    for (const [name, { path }] of Object.entries(CLIENT_FORMATS)) {
      const refusing = new Map<string, string[]>();
      for (const vendor of PROTOCOLS) {
        const before = product.vendorOf(vendor).seen.length;
        const body = bodyIn(name, vendor);
        const answer = await account.api.request('POST', path, { body });
        if (answer.status === 200) continue;
        const { code, param } = answer.body?.error ?? {};
        expect([wish, name, vendor, answer.status, code]).toEqual([
          wish,
          name,
          vendor,
          400,
          'VALIDATION_ERROR',
        ]);
        expect(product.vendorOf(vendor).seen.length).toBe(before);
        const member = `\`${String(param)}\``;
        refusing.set(member, [...(refusing.get(member) ?? []), PROTOCOL_NAMES[vendor]]);
      }
      const cell = [...refusing].map(
        ([member, names]) =>
          `${names.length === PROTOCOLS.length ? 'all' : names.join(', ')}: ${member}`,
      );
      row.push(cell.join('; '));
    }
    rows.push(row);
  }
  const table = toAlignedTable(['asked for', ...FORMAT_NAMES], rows);
  expectGeneratedBlock(VENDORS_PAGE, 'what is refused', table);
});

/** Where each format has the details of a prompt and of a completion; Messages has neither. */
const DETAILS: Readonly<Record<string, readonly [prompt: string, completion: string]>> = {
  'chat completions': ['prompt_tokens_details', 'completion_tokens_details'],
  envelope: ['prompt_tokens_details', 'completion_tokens_details'],
  Responses: ['input_tokens_details', 'output_tokens_details'],
};

/** The audio tokens that an answer tells under the member, whole or in an event of a stream. */
function audioTokensIn(answer: string, member: string): number {
  return Number(new RegExp(`"${member}":\\{[^}]*"audio_tokens":(\\d+)`).exec(answer)?.[1]);
}

test.each(['azure', 'gemini'] as const)(
  'audio tokens that a vendor counts are told by answers, receipts and statistics: %s',
  async (model) => {
    const { api, session } = await openAccountWithKey(tollgate.api, { credit: '1.00' });
    const told: string[] = [];
    for (const [format, [ofPrompt, ofCompletion]] of Object.entries(DETAILS)) {
      for (const stream of [false, true]) {
        const { body, path } = CLIENT_FORMATS[format] as ClientFormat;
        const { headers, text } = await api.request('POST', path, {
          body: body(model, 'text', stream),
        });
        const prompt = audioTokensIn(text, ofPrompt);
        const completion = audioTokensIn(text, ofCompletion);
        expect([format, stream, { prompt, completion }]).toEqual([format, stream, VENDOR_AUDIO]);
        told.push(headers.get('x-request-id') ?? '');
      }
    }
    const { completion, prompt } = VENDOR_AUDIO;
    for (const id of told) {
      const receipt = await eventually(
        () => api.request('GET', `/v1/billing/receipts/${id}`),
        ({ status }) => status === 200,
      );
      const charged = receipt.body?.data;
      expect(charged).toMatchObject({
        prompt_audio_tokens: prompt,
        completion_audio_tokens: completion,
      });
      // They are charged as the tokens that they are among.
      expect(toNano(charged?.settle)).toBe(COST);
      const tokens = { prompt_audio: prompt, completion_audio: completion };
      expect(await api.get(`/v1/requests/${id}`)).toMatchObject({ tokens });
      // An operator's does not say whose request it is, so it is found in the ledger alone.
      const story = await eventually(
        () => tollgate.api.request('GET', `/v1/admin/requests/${id}`),
        ({ status }) => status === 200,
      );
      expect(story.body?.data).toMatchObject({ tokens });
    }
    const stats = await eventually(
      () => session.get('/v1/stats?interval=day&group_by=model'),
      ({ totals }) => (totals as { readonly requests: number }).requests === told.length,
    );
    const metrics = {
      prompt_audio_tokens: told.length * prompt,
      completion_audio_tokens: told.length * completion,
    };
    expect(stats).toMatchObject({ totals: metrics, results: [{ group: { model }, metrics }] });
  },
);

test('a fallback answers for a vendor that fails, and names itself', async () => {
  const body = { model: 'azure', models: ['gemini'], messages: HELLO };
  await tollgate.api.request('PATCH', `/v1/admin/channels/${product.channelOf('azure')}`, {
    body: { models: [{ name: 'azure', upstream_name: 'nobody' }] },
  });
  const answer = await eventually(
    () => account.api.request('POST', '/v1/chat/completions', { body }),
    ({ headers }) => headers.get('x-tollgate-attempts') === '2',
  );
  expect(answer.body).toMatchObject({ model: 'gemini' });
});
