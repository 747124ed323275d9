import Anthropic from '@anthropic-ai/sdk';
import type { GenerationConfig } from '@google/genai';
import OpenAI from 'openai';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import {
  startVendorProduct,
  VENDOR_NAMES,
  type VendorProduct,
} from '../support/vendors/vendor-product';
import {
  VENDOR_SIGNATURE,
  VENDOR_TEXT,
  VENDOR_THOUGHTS,
  type VendorName,
} from '../support/vendors/vendor-protocols';

jest.setTimeout(120_000);

const HELLO = [{ role: 'user' as const, content: 'Hello' }];
const SIGNED = { type: 'thinking', thinking: VENDOR_THOUGHTS, signature: VENDOR_SIGNATURE };
const PARAMETERS = { type: 'object' as const, properties: {} };

let product: VendorProduct;

beforeAll(async () => {
  product = await startVendorProduct(['tools', 'reasoning_effort', 'reasoning_content']);
});

afterAll(async () => {
  expect(await product?.stop()).toBe(0);
});

/** Unmodified client libraries; what they read is compared with the document. */
function connect() {
  const settings = {
    apiKey: product.account.apiKey,
    maxRetries: 0,
    fetch: (input: string | URL | Request, init?: RequestInit) => fetchDocumented(input, init),
  };
  return {
    openai: new OpenAI({ ...settings, baseURL: `${product.tollgate.baseUrl}/v1` }),
    anthropic: new Anthropic({ ...settings, baseURL: product.tollgate.baseUrl }),
  };
}

interface Thinking {
  readonly reasoning_content?: string;
}

const ASKED = { messages: HELLO, reasoning_effort: 'low' } as const;

describe.each(VENDOR_NAMES)('the thoughts of %s', (model) => {
  const signature = model === 'anthropic' ? VENDOR_SIGNATURE : '';

  test('are read by openai as chat completions, whole and streamed', async () => {
    const { openai } = connect();
    const { choices } = await openai.chat.completions.create({ ...ASKED, model });
    expect(choices[0]?.message).toMatchObject({
      reasoning_content: VENDOR_THOUGHTS,
      content: VENDOR_TEXT,
    });
    let [thoughts, text] = ['', ''];
    const stream = await openai.chat.completions.create({ ...ASKED, model, stream: true });
    for await (const {
      choices: [choice],
    } of stream) {
      const delta: Thinking & { readonly content?: string | null } = choice?.delta ?? {};
      // Nothing is thought any more when it speaks.
      if (delta.reasoning_content !== undefined) expect(text).toBe('');
      thoughts += delta.reasoning_content ?? '';
      text += delta.content ?? '';
    }
    expect([thoughts, text]).toEqual([VENDOR_THOUGHTS, VENDOR_TEXT]);
  });

  test('are read by @anthropic-ai/sdk, whole and streamed', async () => {
    const { anthropic } = connect();
    const asked = { model, max_tokens: 2048, messages: HELLO };
    const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
    const content = [
      { type: 'thinking', thinking: VENDOR_THOUGHTS, signature },
      { type: 'text', text: VENDOR_TEXT },
    ];
    const whole = await anthropic.messages.create({ ...asked, thinking });
    expect(whole.content).toEqual(content);
    const streamed = await anthropic.messages.stream({ ...asked, thinking }).finalMessage();
    expect(streamed.content).toMatchObject(content);
  });

  test('are read by openai as an item of a response, whole and streamed', async () => {
    const { openai } = connect();
    const asked = { model, input: HELLO, reasoning: { effort: 'low', summary: 'auto' } } as const;
    const whole = await openai.responses.create(asked);
    const streamed = await openai.responses.stream(asked).finalResponse();
    for (const { output, output_text } of [whole, streamed]) {
      expect(output).toMatchObject([
        { type: 'reasoning', summary: [{ type: 'summary_text', text: VENDOR_THOUGHTS }] },
        { type: 'message' },
      ]);
      expect(output_text).toBe(VENDOR_TEXT);
    }
  });

  test('are answered again with the answer', async () => {
    for (const stream of [false, true]) {
      const headers = { 'idempotency-key': `again-${model}-${stream}` };
      const body = { ...ASKED, model, stream };
      const ask = () =>
        product.account.api.request('POST', '/v1/chat/completions', { body, headers });
      const { text } = await ask();
      expect(text).toContain('reasoning_content');
      const again = await eventually(ask, ({ status }) => status === 200);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(text);
    }
  });

  test('are charged when the answer breaks off after them', async () => {
    product.vendorOf(model).breaksOff = true;
    const body = { ...ASKED, model, stream: true };
    const { headers, text } = await product.account.api.request('POST', '/v1/chat/completions', {
      body,
    });
    product.vendorOf(model).breaksOff = false;
    expect(text).toContain('reasoning_content');
    expect(text).not.toContain('[DONE]');
    const id = headers.get('x-request-id');
    const { body: story } = await eventually(
      () => product.tollgate.api.request('GET', `/v1/admin/requests/${id}`),
      ({ status }) => status === 200,
    );
    expect(story?.data).toMatchObject({ status: 'failed' });
    expect(Number(story?.data?.completion_tokens)).toBeGreaterThan(5);
  });
});

describe('signed thoughts go back to their vendor as they were', () => {
  const model = 'anthropic';
  const lastTurns = () =>
    product.vendorOf(model).seen.at(-1)?.body.messages as Anthropic.MessageParam[];
  const expectGivenBack = () => {
    expect(lastTurns()[1]).toMatchObject({
      role: 'assistant',
      content: [SIGNED, { type: 'tool_use', name: 'weather' }, { type: 'tool_use', name: 'now' }],
    });
  };

  test.each([false, true])('by @anthropic-ai/sdk (stream: %s)', async (streams) => {
    const { anthropic } = connect();
    const tools = ['weather', 'now'].map((name) => ({ name, input_schema: PARAMETERS }));
    const asked = { model, max_tokens: 2048, tools, thinking: { type: 'adaptive' } as const };
    const called = streams
      ? await anthropic.messages.stream({ ...asked, messages: HELLO }).finalMessage()
      : await anthropic.messages.create({ ...asked, messages: HELLO });
    const results = called.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'rain' }]
        : [],
    );
    const turns = [{ role: 'assistant' as const, content: called.content }];
    const messages = [...HELLO, ...turns, { role: 'user' as const, content: results }];
    await anthropic.messages.create({ ...asked, messages });
    expectGivenBack();
  });

  test('by openai, as chat completions and as responses', async () => {
    const { openai } = connect();
    const functions = ['weather', 'now'].map((name) => ({ name, parameters: PARAMETERS }));
    const tools = functions.map((each) => ({ type: 'function' as const, function: each }));
    const called = await openai.chat.completions.create({ ...ASKED, model, tools });
    const said = called.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const results = (said.tool_calls ?? []).map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'rain',
    }));
    await openai.chat.completions.create({
      ...ASKED,
      model,
      tools,
      messages: [...HELLO, said, ...results],
    });
    expectGivenBack();

    const asked: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'input'> = {
      model,
      reasoning: { effort: 'low' },
      tools: functions.map((each) => ({ type: 'function', strict: false, ...each })),
    };
    const { output } = await openai.responses.create({ ...asked, input: HELLO });
    const outputs = output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'rain' }]
        : [],
    );
    const items = output as OpenAI.Responses.ResponseInputItem[];
    await openai.responses.create({ ...asked, input: [...HELLO, ...items, ...outputs] });
    expectGivenBack();
  });

  test('and to no other: it gets the text where it wants it, or nothing', async () => {
    const { openai } = connect();
    const said = { role: 'assistant' as const, content: 'Hi', thinking_blocks: [SIGNED] };
    const messages = [...HELLO, said, ...HELLO];
    await openai.chat.completions.create({ messages, model: 'azure' });
    expect(product.vendorOf('azure').seen.at(-1)?.body.messages).toEqual([
      ...HELLO,
      { role: 'assistant', content: 'Hi', reasoning_content: VENDOR_THOUGHTS },
      ...HELLO,
    ]);
    await openai.chat.completions.create({ messages, model: 'gemini' });
    expect(JSON.stringify(product.vendorOf('gemini').seen.at(-1)?.body)).not.toContain(
      VENDOR_SIGNATURE,
    );
  });
});

test('each vendor is asked for thoughts as the types of its own package allow', async () => {
  const { anthropic } = connect();
  const ask = async (model: VendorName) => {
    const asked = { model, max_tokens: 4096, messages: HELLO };
    await anthropic.messages.create({
      ...asked,
      thinking: { type: 'enabled', budget_tokens: 2000 },
    });
    return product.vendorOf(model).seen.at(-1)?.body;
  };
  expect(await ask('anthropic')).toMatchObject({
    ...({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    } satisfies Partial<Anthropic.MessageCreateParams>),
  });
  expect(await ask('gemini')).toMatchObject({
    ...({
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } },
    } satisfies { readonly generationConfig: GenerationConfig }),
  });
  expect(await ask('azure')).toMatchObject({
    ...({ reasoning_effort: 'low' } satisfies Partial<OpenAI.ChatCompletionCreateParams>),
  });
});
