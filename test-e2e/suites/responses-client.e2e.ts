import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { type OpenedAccount, openAccount } from '../support/accounts';
import { expectCharged, newClient, SMALL_PRICES } from '../support/vendors/clients';
import { directive } from '../support/vendors/simulator';
import {
  addToolModel,
  startToolVendor,
  TOOL_MODEL,
  TOOL_PRICES,
  TOOL_TEXT,
  type ToolVendor,
} from '../support/vendors/tool-vendor';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';
const HELLO = { model: MODEL, input: 'Hello' };

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

type Library = typeof OpenAI;

/** An unmodified client with a key of its own. */
async function connect(Client: Library = OpenAI) {
  const { keyId, options } = await newClient(account.owner.api);
  return { keyId, client: new Client({ ...options, baseURL: `${tollgate.baseUrl}/v1` }) };
}

const tokensOf = (usage: OpenAI.Responses.ResponseUsage | null | undefined) => ({
  prompt: usage?.input_tokens ?? 0,
  completion: usage?.output_tokens ?? 0,
});

// Each release has types of its own; what is asked here both have.
describe.each<readonly [string, Library]>([
  ['openai 7', OpenAI],
  ['openai 6', OpenAI6 as unknown as Library],
])('an unmodified %s', (_version, Client) => {
  test('gets a response, and its usage is what is charged', async () => {
    const { client, keyId } = await connect(Client);
    const { data, request_id } = await client.responses
      .create({ ...HELLO, instructions: 'Be brief.', metadata: { team: 'search' } })
      .withResponse();
    expect(data.output_text).toContain('simulated');
    expect(data).toMatchObject({
      id: `resp_${request_id}`,
      status: 'completed',
      model: MODEL,
      metadata: { team: 'search' },
    });
    await expectCharged(account.owner.api, keyId, tokensOf(data.usage), SMALL_PRICES);
  });

  test('builds from a stream what it reads whole', async () => {
    const { client, keyId } = await connect(Client);
    const stream = client.responses.stream(HELLO);
    const types = new Set<string>();
    for await (const event of stream) types.add(event.type);
    const streamed = await stream.finalResponse();
    expect([...types]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    await expectCharged(account.owner.api, keyId, tokensOf(streamed.usage), SMALL_PRICES);
    const whole = await client.responses.create(HELLO);
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.usage).toEqual(whole.usage);
  });

  test.each([false, true])('calls tools in parallel and answers (stream: %s)', async (streams) => {
    const { client, keyId } = await connect(Client);
    const ask = {
      model: TOOL_MODEL,
      tools: [
        {
          type: 'function',
          name: 'weather',
          strict: false,
          parameters: { type: 'object', properties: { place: { type: 'string' } } },
        },
      ] satisfies OpenAI.Responses.FunctionTool[] as OpenAI.Responses.FunctionTool[],
      input: [{ role: 'user' as const, content: 'What is the weather in Bern and Chur?' }],
    };
    const run = (params: Omit<typeof ask, 'input'> & { input: OpenAI.Responses.ResponseInput }) =>
      streams ? client.responses.stream(params).finalResponse() : client.responses.create(params);
    const called = await run(ask);
    expect(called.output).toMatchObject([
      { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"place":"Bern"}' },
      { type: 'function_call', call_id: 'call_b', name: 'weather', arguments: '{"place":"Chur"}' },
    ]);
    await expectCharged(account.owner.api, keyId, tokensOf(called.usage), TOOL_PRICES);
    const answered = await run({
      ...ask,
      input: [
        ...ask.input,
        ...(called.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
        { type: 'function_call_output', call_id: 'call_b', output: 'sun' },
      ],
    });
    expect(answered.output_text).toBe(TOOL_TEXT);
    expect(vendor.received.at(-1)?.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
      { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_b', content: 'sun' },
    ]);
  });

  test('is told that a bound ended an answer', async () => {
    const { client } = await connect(Client);
    const input = directive({ tokens: 50 });
    const response = await client.responses.create({ ...HELLO, input, max_output_tokens: 5 });
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  test.each([
    ['an answer of before', 400, 'previous_response_id', { previous_response_id: 'resp_1' }],
    ['keeping the answer', 400, 'store', { store: true }],
    ['a tool of the vendor', 400, 'tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['what no channel can', 400, 'reasoning.effort', { reasoning: { effort: 'low' } }],
    ['an unknown model', 404, 'model', { model: 'nobody' }],
    ['a vendor that fails', 502, null, { input: directive({ fail: 'status:500' }) }],
  ])('throws its own error for %s', async (_what, status, param, over) => {
    const { client } = await connect(Client);
    const params = { ...HELLO, ...over } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    const failure = await client.responses.create(params).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status, param });
    expect(failure).toHaveProperty('requestID', expect.stringMatching(/^req_/));
  });

  test('sees a failure in the middle of a stream with what was said', async () => {
    const { client } = await connect(Client);
    const input = directive({ tokens: 50, cut_after_tokens: 5 });
    const stream = await client.responses.create({ ...HELLO, input, stream: true });
    let last: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const event of stream) last = event;
    expect(last).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
    expect(last?.type === 'response.failed' && last.response.output).toHaveLength(1);
  });
});
