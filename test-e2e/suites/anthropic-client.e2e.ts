import Anthropic, { type APIError } from '@anthropic-ai/sdk';
import { createKey, type OpenedAccount, openAccount } from '../support/accounts';
import { eventually, leaveMidnight } from '../support/eventually';
import {
  chargesOf,
  expectCharged,
  failureOf,
  newClient,
  SMALL_PRICES,
} from '../support/vendors/clients';
import { directive, listDeliveries, simulatorUrl } from '../support/vendors/simulator';
import {
  addToolModel,
  startToolVendor,
  TOOL_MODEL,
  TOOL_PRICES,
  TOOL_TEXT,
  TOOL_USAGE,
  type ToolVendor,
} from '../support/vendors/tool-vendor';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';
const HELLO = {
  model: MODEL,
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

let vendor: ToolVendor;
let tollgate: RunningTollgate;
let account: OpenedAccount;

beforeAll(async () => {
  vendor = await startToolVendor();
  tollgate = await startTollgate({ TOLLGATE_EGRESS_ALLOWED_HOSTS: vendor.host });
  account = await openAccount(tollgate.api, { credit: '10.00' });
  await addToolModel(tollgate.api, vendor);
});

afterAll(async () => {
  const stopped = await tollgate?.stop();
  await vendor?.stop();
  expect(stopped).toBe(0);
});

/** An unmodified client with a key of its own. */
async function connect(settings: object = {}, maxRetries = 0) {
  const { options, ...rest } = await newClient(account.owner.api, settings, maxRetries);
  return { ...rest, client: new Anthropic({ ...options, baseURL: tollgate.baseUrl }) };
}

const tokensOf = (usage: Anthropic.Usage | Anthropic.MessageDeltaUsage) => ({
  prompt: (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
  completion: usage.output_tokens,
});

test('a message is answered, and its usage is what is charged', async () => {
  const { client, keyId } = await connect();
  const message = await client.messages.create({ ...HELLO, system: 'Be brief.' });
  expect(message).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: MODEL,
    stop_reason: 'end_turn',
  });
  const [block] = message.content;
  expect(block?.type === 'text' && block.text).toContain('simulated');
  expect(message._request_id).toMatch(/^req_/);
  expect(message.id).toBe(`msg_${message._request_id}`);
  await expectCharged(account.owner.api, keyId, tokensOf(message.usage), SMALL_PRICES);
});

test('a prompt is counted before it is sent, and nobody pays for that', async () => {
  const { client, keyId } = await connect();
  const { max_tokens, ...prompt } = BRIEF;
  const { input_tokens } = await client.messages.countTokens(prompt);
  // A token for "Hello", three for "Be brief.", four around each message, three around all.
  expect(input_tokens).toBe(1 + 3 + 2 * 4 + 3);
  const longer = await client.messages.countTokens({ ...prompt, tools: TOOLS });
  expect(longer.input_tokens).toBeGreaterThan(input_tokens + 10);
  const failure = await failureOf(client.messages.countTokens({ ...prompt, model: 'nobody' }));
  expect(failure).toBeInstanceOf(Anthropic.NotFoundError);
  await client.messages.create({ ...prompt, max_tokens });
  const [charge] = await chargesOf(account.owner.api, { key_id: keyId });
  expect(charge?.completion_tokens).toBeGreaterThan(0);
});

test('a stream is read event by event, and its last usage is what is charged', async () => {
  const { client, keyId } = await connect();
  const stream = await client.messages.create({ ...HELLO, model: 'auto-cheap', stream: true });
  const types: string[] = [];
  let usage: Anthropic.MessageDeltaUsage | undefined;
  for await (const event of stream) {
    types.push(event.type);
    if (event.type === 'message_delta') usage = event.usage;
  }
  expect(types[0]).toBe('message_start');
  expect(types[1]).toBe('content_block_start');
  expect(types.slice(2, -3).every((type) => type === 'content_block_delta')).toBe(true);
  expect(types.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
  if (usage === undefined) throw new Error('no usage');
  const { prompt, completion } = tokensOf(usage);
  const [charge] = await chargesOf(account.owner.api, { key_id: keyId });
  expect(charge).toMatchObject({ prompt_tokens: prompt, completion_tokens: completion });
});

/** The simulator says the same to the same question. */
const BRIEF = { ...HELLO, system: 'Be brief.' };

test('the library builds from a stream what it reads whole', async () => {
  const { client } = await connect();
  const whole = await client.messages.create(BRIEF);
  const streamed = await client.messages.stream(BRIEF).finalMessage();
  expect(streamed.content).toEqual(whole.content);
  expect(streamed.stop_reason).toBe(whole.stop_reason);
  expect(streamed.usage).toMatchObject(whole.usage);
});

test('an answer at its bound says so', async () => {
  const { client } = await connect();
  const content = directive({ tokens: 50 });
  const message = await client.messages.create({
    ...HELLO,
    max_tokens: 5,
    messages: [{ role: 'user', content }],
  });
  expect(message.stop_reason).toBe('max_tokens');
});

const TOOLS: Anthropic.Tool[] = [
  {
    name: 'weather',
    description: 'The weather of a place.',
    input_schema: { type: 'object', properties: { place: { type: 'string' } } },
  },
];

test.each([false, true])(
  'tools are called in parallel and answered (stream: %s)',
  async (streams) => {
    const { client, keyId } = await connect();
    const ask: Anthropic.MessageCreateParamsNonStreaming = {
      model: TOOL_MODEL,
      max_tokens: 100,
      tools: TOOLS,
      tool_choice: { type: 'any' },
      messages: [{ role: 'user', content: 'What is the weather in Bern and Chur?' }],
    };
    const run = (params: Anthropic.MessageCreateParamsNonStreaming) =>
      streams ? client.messages.stream(params).finalMessage() : client.messages.create(params);
    const called = await run(ask);
    expect(called.stop_reason).toBe('tool_use');
    expect(called.content).toEqual([
      { type: 'tool_use', id: 'call_a', name: 'weather', input: { place: 'Bern' } },
      { type: 'tool_use', id: 'call_b', name: 'weather', input: { place: 'Chur' } },
    ]);
    expect(called.usage.input_tokens).toBe(TOOL_USAGE.prompt_tokens);
    await expectCharged(account.owner.api, keyId, tokensOf(called.usage), TOOL_PRICES);

    const answered = await run({
      ...ask,
      tool_choice: { type: 'auto' },
      messages: [
        ...ask.messages,
        { role: 'assistant', content: called.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: 'rain' },
            { type: 'tool_result', tool_use_id: 'call_b', content: 'no net', is_error: true },
          ],
        },
      ],
    });
    expect(answered.content).toEqual([{ type: 'text', text: TOOL_TEXT }]);
    expect(vendor.received.at(-1)?.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
      { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_b', content: 'Error: no net' },
    ]);
  },
);

test('leaving a stream ends the work of the vendor', async () => {
  const { client } = await connect();
  const content = directive({ tokens: 4000, token_interval_ms: 20 });
  const stream = client.messages.stream({
    ...HELLO,
    max_tokens: 4000,
    messages: [{ role: 'user', content }],
  });
  let id = '';
  let pieces = 0;
  const read = async () => {
    for await (const event of stream) {
      if (event.type === 'message_start') id = event.message.id.replace('msg_', '');
      pieces += 1;
      if (pieces === 5) stream.abort();
    }
  };
  expect(await failureOf(read())).toBeInstanceOf(Anthropic.APIUserAbortError);
  const simulator = await simulatorUrl(tollgate.api);
  const delivery = await eventually(
    async () => (await listDeliveries(simulator)).find((one) => one.request_id === id),
    (one) => one !== undefined && one.state !== 'streaming' && one.state !== 'running',
  );
  expect(delivery?.tokens).toBeLessThan(500);
});

describe('the library throws its own classes', () => {
  const { BadRequestError, NotFoundError, InternalServerError } = Anthropic;
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } };
  test.each([
    ['an unknown member', BadRequestError, 400, 'invalid_request_error', { top_k: 3 }],
    [
      'an image',
      BadRequestError,
      400,
      'invalid_request_error',
      { messages: [{ role: 'user', content: [image] }] },
    ],
    ['an unknown model', NotFoundError, 404, 'not_found_error', { model: 'nobody' }],
    [
      'a vendor that fails',
      InternalServerError,
      502,
      'api_error',
      { messages: [{ role: 'user', content: directive({ fail: 'status:500' }) }] },
    ],
  ])('for %s', async (_what, Class, status, type, over) => {
    const { client } = await connect();
    const params = { ...HELLO, ...over } as Anthropic.MessageCreateParamsNonStreaming;
    const failure = await failureOf(client.messages.create(params));
    expect(failure).toBeInstanceOf(Class);
    expect(failure).toMatchObject({ status, type });
    expect((failure as APIError).requestID).toMatch(/^req_/);
  });

  test('for a key of nobody', async () => {
    const apiKey = 'a-key-of-nobody';
    const stranger = new Anthropic({ baseURL: tollgate.baseUrl, apiKey, maxRetries: 0 });
    const failure = await failureOf(stranger.messages.create(HELLO));
    expect(failure).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(failure).toMatchObject({ status: 401, type: 'authentication_error' });
  });

  test('for a model that its key may not use', async () => {
    const { client } = await connect({ models: ['sim-large'] });
    const failure = await failureOf(client.messages.create(HELLO));
    expect(failure).toBeInstanceOf(Anthropic.PermissionDeniedError);
  });

  test('for an empty account', async () => {
    const poor = await openAccount(tollgate.api);
    const { secret: apiKey } = await createKey(poor.owner.api);
    const client = new Anthropic({ baseURL: tollgate.baseUrl, apiKey, maxRetries: 0 });
    const failure = await failureOf(client.messages.create(HELLO));
    expect(failure).toMatchObject({ status: 402, type: 'billing_error' });
  });

  test('for a limit, and waits only when it helps', async () => {
    await leaveMidnight();
    const { client, statuses } = await connect({ requests_per_day: 1 }, 5);
    await client.messages.create(HELLO);
    const failure = await failureOf(client.messages.create(HELLO));
    expect(failure).toBeInstanceOf(Anthropic.RateLimitError);
    expect(failure).toMatchObject({ type: 'rate_limit_error' });
    expect(statuses).toEqual([200, 429]);
  });

  test('for a failure in the middle of a stream', async () => {
    const { client } = await connect();
    const content = directive({ tokens: 50, cut_after_tokens: 5 });
    let text = '';
    const read = async () => {
      const stream = await client.messages.create({
        ...HELLO,
        messages: [{ role: 'user', content }],
        stream: true,
      });
      for await (const event of stream) {
        const { delta } = event as Partial<Anthropic.RawContentBlockDeltaEvent>;
        if (delta?.type === 'text_delta') text += delta.text;
      }
    };
    const failure = await failureOf(read());
    expect(failure).toBeInstanceOf(Anthropic.APIError);
    expect(failure).toMatchObject({ type: 'api_error' });
    expect(text).not.toBe('');
  });
});

test('a bearer in Authorization is as good', async () => {
  const { secret: authToken } = await createKey(account.owner.api);
  const client = new Anthropic({ baseURL: tollgate.baseUrl, authToken, apiKey: null });
  expect((await client.messages.create(HELLO)).type).toBe('message');
});
