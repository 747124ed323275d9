import { AppError } from '@tollgate/core';
import { fromResponsesBody } from './request';
import { responsesRequestSchema } from './schema';

const HELLO = { model: 'small-chat', input: 'hello' };
const TOOL = { type: 'function', name: 'weather', parameters: { type: 'object' } };
const CALL = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"a":1}' };
const OUTPUT = { type: 'function_call_output', call_id: 'call_1', output: 'rain' };
const SCHEMA = { type: 'json_schema', name: 'place', schema: { type: 'object' } };
const said = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const asked = (text: string) => ({ type: 'input_text', text });

const parse = (over: object) => fromResponsesBody({ ...HELLO, ...over });
const messagesOf = (input: unknown) => JSON.parse(parse({ input }).messages.toString()) as unknown;
const fieldsOf = (over: object) => {
  const { capabilityMembers } = parse(over).parameters;
  return JSON.parse(capabilityMembers.length === 0 ? '{}' : capabilityMembers.toString()) as object;
};

function faultOf(body: unknown): string | undefined {
  try {
    fromResponsesBody(body);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.param ?? '';
    throw error;
  }
  return undefined;
}

test('a reference to an earlier answer is refused in words that help', () => {
  const input = [{ type: 'item_reference', id: 'msg_1' }];
  expect(() => parse({ input })).toThrow(/none is kept here.*`store` set to false/);
});

describe('what goes on to completion', () => {
  test('is a text as the message of the user, with its parameters', () => {
    const request = parse({
      instructions: 'Be brief.',
      max_output_tokens: 64,
      temperature: 0.5,
      top_p: 0.9,
      safety_identifier: 'person',
      store: false,
      include: ['reasoning.encrypted_content'],
    });
    expect(request).toMatchObject({
      model: 'small-chat',
      messageCount: 2,
      stream: false,
      parameters: { temperature: 0.5, topP: 0.9, maxTokens: 64, stop: [], user: 'person' },
    });
    expect(JSON.parse(request.messages.toString())).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
    ]);
    expect(parse({ user: 'u', safety_identifier: 'p' }).parameters.user).toBe('u');
    expect(parse({ stream: true })).toMatchObject({ stream: true, includeUsage: true });
  });

  test('is a conversation with the items of earlier answers', () => {
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [asked('a'), asked('b')] },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [said('I '), { type: 'refusal', refusal: 'will not' }],
      },
      { role: 'user', content: 'go on' },
    ];
    expect(messagesOf(input)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: 'I will not' },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('has images and files where they stand', () => {
    const image = 'data:image/png;base64,iVBORw0K';
    const file = 'data:application/pdf;base64,JVBERi0x';
    const content = [
      asked('a'),
      { type: 'input_image', image_url: image, detail: 'low' },
      { type: 'input_file', file_data: file, filename: 'a.pdf' },
    ];
    const request = parse({ input: [{ role: 'user', content }] });
    expect(JSON.parse(request.messages.toString())).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: image, detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: file } },
        ],
      },
    ]);
    expect(request.media).toEqual({ bytes: image.length + file.length, images: 1, files: 1 });
    expect(request.parameters.capabilityParam).toBe('input[0].content');
  });

  test('has the thoughts of items before the answer that they led to', () => {
    const thought = (text: string, over = {}) => ({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text }],
      ...over,
    });
    const block = (thinking: string) => ({ type: 'thinking', thinking, signature: '' });
    const foreign = { encrypted_content: 'gAAAAABo', content: null };
    const input = [
      thought('nobody answered'),
      { role: 'user', content: 'weather?' },
      thought('one'),
      { role: 'assistant', content: [said('I look.')] },
      thought('two', foreign),
      CALL,
      OUTPUT,
    ];
    expect(messagesOf(input)).toEqual([
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [expect.objectContaining({ id: 'call_1' })],
        thinking_blocks: [block('one'), block('two')],
      },
      { role: 'tool', content: 'rain', tool_call_id: 'call_1' },
    ]);
  });

  /** Bounds of a body do not see JSON that is inside one of its strings. */
  test('takes no packed thoughts that hold more than thoughts', () => {
    const signed = { type: 'thinking', thinking: 'packed', signature: 's' };
    const thoughtsOf = (packed: unknown) => {
      const summary = [{ type: 'summary_text', text: 'said' }];
      const encrypted = Buffer.from(JSON.stringify(packed)).toString('base64');
      const item = { type: 'reasoning', summary, encrypted_content: encrypted };
      const [message] = messagesOf([item, CALL]) as readonly {
        readonly thinking_blocks?: unknown;
      }[];
      return message?.thinking_blocks;
    };
    const most = Array.from({ length: 128 }, () => signed);
    expect(thoughtsOf([signed])).toEqual([signed]);
    expect(thoughtsOf(most)).toEqual(most);
    const plain = [{ type: 'thinking', thinking: 'said', signature: '' }];
    const values = Array.from({ length: 512 }, () => 0);
    for (const more of [{}, [], [[]], values]) {
      expect(thoughtsOf([{ ...signed, more }])).toEqual(plain);
    }
    for (const packed of [[...most, signed], values, {}, null]) {
      expect(thoughtsOf(packed)).toEqual(plain);
    }
  });

  test('has parallel calls in one message, with what was said before them', () => {
    const second = { ...CALL, id: 'fc_2', status: 'completed', call_id: 'call_2' };
    const input = [
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: [said('I look.')] },
      CALL,
      second,
      OUTPUT,
      { ...OUTPUT, call_id: 'call_2', output: [asked('no'), asked('net')] },
      { ...CALL, call_id: 'call_3' },
    ];
    const called = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: '{"a":1}' },
    });
    expect(messagesOf(input)).toEqual([
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [called('call_1'), called('call_2')] },
      { role: 'tool', content: 'rain', tool_call_id: 'call_1' },
      { role: 'tool', content: 'no\n\nnet', tool_call_id: 'call_2' },
      { role: 'assistant', content: null, tool_calls: [called('call_3')] },
    ]);
    const { parameters } = parse({ input });
    expect(parameters.requiredCapabilities).toEqual(['tools']);
    expect(parameters.capabilityParam).toBe('input[2]');
  });

  test.each([
    [undefined, {}],
    ['auto', { tool_choice: 'auto' }],
    ['none', { tool_choice: 'none' }],
    ['required', { tool_choice: 'required' }],
    [
      { type: 'function', name: 'weather' },
      { tool_choice: { type: 'function', function: { name: 'weather' } } },
    ],
  ])('has the tools and the choice %j', (choice, expected) => {
    const over = { tools: [{ ...TOOL, strict: true }], parallel_tool_calls: false };
    const declared = { name: 'weather', parameters: { type: 'object' }, strict: true };
    expect(fieldsOf({ ...over, tool_choice: choice })).toEqual({
      tools: [{ type: 'function', function: declared }],
      parallel_tool_calls: false,
      ...expected,
    });
  });

  test('has a schema and an effort, by the names that they have here when nobody is capable', () => {
    const text = { format: { ...SCHEMA, strict: true } };
    expect(fieldsOf({ text })).toEqual({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'place', schema: { type: 'object' }, strict: true },
      },
    });
    expect(parse({ text }).parameters.capabilityParam).toBe('text.format');
    const reasoning = { effort: 'low', summary: 'auto' };
    expect(fieldsOf({ reasoning })).toEqual({ reasoning_effort: 'low' });
    expect(parse({ reasoning }).parameters).toMatchObject({
      requiredCapabilities: ['reasoning_effort'],
      capabilityParam: 'reasoning.effort',
    });
  });

  test('has nothing of what asks for nothing', () => {
    const neutral = {
      previous_response_id: null,
      background: false,
      tools: [],
      tool_choice: 'auto',
      text: { format: { type: 'text' } },
      reasoning: { effort: null },
      truncation: 'disabled',
      service_tier: 'auto',
      prompt_cache_key: 'x',
      stream_options: { include_obfuscation: false },
    };
    const { echo: _echo, ...request } = parse(neutral);
    const { echo: _none, ...plain } = parse({});
    expect(request).toEqual(plain);
  });
});

describe('what cannot be expressed is refused by its name', () => {
  const user = (...content: object[]) => ({ input: [{ role: 'user', content }] });
  const assistant = (...content: object[]) => ({ input: [{ role: 'assistant', content }] });
  test.each<readonly [string, object]>([
    ['model', { model: '' }],
    ['models', { models: 'a' }],
    ['models', { models: ['a', ''] }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['store', { store: true }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'x' } }],
    ['input', { input: [] }],
    ['input', { input: undefined }],
    ['input[0]', { input: ['hello'] }],
    ['input[0].type', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
    ['input[0].content', { input: [{ role: 'user' }] }],
    ['input[0].content', user()],
    ['input[0].name', { input: [{ role: 'user', content: 'x', name: 'y' }] }],
    ['input[0].content[0].file_id', user({ type: 'input_file', file_id: 'x' })],
    ['input[0].content[0].file_data', user({ type: 'input_file', file_data: 'x' })],
    ['input[0].content[0].image_url', user({ type: 'input_image' })],
    ['input[0].content[0].file_id', user({ type: 'input_image', file_id: 'x' })],
    ['input[0].content[0].type', user({ type: 'input_audio' })],
    ['input[0].content[0].text', user({ type: 'input_text' })],
    ['input[0].content[0].type', assistant({ type: 'input_text', text: 'x' })],
    ['input[0].content[0].annotations', assistant({ ...said('x'), annotations: [{}] })],
    ['input[0].call_id', { input: [OUTPUT] }],
    ['input[0].call_id', { input: [{ ...CALL, call_id: '' }] }],
    ['input[0].name', { input: [{ ...CALL, name: 'x'.repeat(65) }] }],
    ['input[0].arguments', { input: [{ ...CALL, arguments: {} }] }],
    ['instructions', { instructions: 7 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['temperature', { temperature: 2.5 }],
    ['stream', { stream: 1 }],
    ['stream_options.include_usage', { stream_options: { include_usage: true } }],
    ['metadata', { metadata: { a: 1 } }],
    ['user', { user: 'x'.repeat(513) }],
    ['service_tier', { service_tier: 'flex' }],
    ['truncation', { truncation: 'auto' }],
    ['include', { include: ['file_search_call.results'] }],
    ['tools', { tools: {} }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['tools[0].name', { tools: [{ ...TOOL, name: '' }] }],
    ['tools[0].description', { tools: [{ ...TOOL, description: 1 }] }],
    ['tools[0].parameters', { tools: [{ ...TOOL, parameters: 'x' }] }],
    ['tools[0].defer_loading', { tools: [{ ...TOOL, defer_loading: true }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: { type: 'allowed_tools' } }],
    ['tool_choice.name', { tools: [TOOL], tool_choice: { type: 'function', name: 'other' } }],
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['text.format.type', { text: { format: { type: 'grammar' } } }],
    ['text.format.name', { text: { format: { ...SCHEMA, name: undefined } } }],
    ['text.format.schema', { text: { format: { ...SCHEMA, schema: 'x' } } }],
    ['reasoning.effort', { reasoning: { effort: 'much' } }],
    ['reasoning.summary', { reasoning: { summary: 'detailed' } }],
    ['input[0].summary', { input: [{ type: 'reasoning', summary: 'x' }] }],
    ['input[0].summary[0]', { input: [{ type: 'reasoning', summary: [said('x')] }] }],
    ['input[0].encrypted_content', { input: [{ type: 'reasoning', encrypted_content: 7 }] }],
    ['top_logprobs', { top_logprobs: 2 }],
    ['max_tool_calls', { max_tool_calls: 2 }],
  ])('%s in %j', (param, over) => {
    expect(faultOf({ ...HELLO, ...over })).toBe(param);
  });

  test('more thoughts before an answer than a message has', () => {
    const thought = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] };
    const most = Array.from({ length: 128 }, () => thought);
    const joined = [...most, CALL, thought, { ...CALL, call_id: 'call_2' }];
    expect(faultOf({ ...HELLO, input: [...most, CALL] })).toBeUndefined();
    expect(faultOf({ ...HELLO, input: [...most, thought] })).toBe('input[128]');
    expect(faultOf({ ...HELLO, input: joined })).toBe('input[130]');
  });

  test('a body that is no object', () => {
    for (const body of [null, [], 'x']) expect(faultOf(body)).toBe('');
  });
});

/** Requests by whole fields, good and bad: what the document shows is what is checked. */
test('the documented schema refuses and takes what the checks do', () => {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    model: ['m', '', 7, null],
    models: [[], ['a'], [''], 'a', Array.from({ length: 9 }, () => 'a'), null],
    input: [
      'x',
      [],
      null,
      [{ role: 'user', content: [asked('x')] }],
      [{ role: 'user', content: [] }],
      [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/b' }] }],
      [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://a' }] }],
      [{ role: 'user', content: [{ type: 'input_file', file_data: 'x' }] }],
      [{ role: 'assistant', content: [said('x')] }],
      [{ role: 'assistant', content: [asked('x')] }],
      [{ role: 'tool', content: 'x' }],
      [CALL, OUTPUT],
      [{ type: 'reasoning' }],
    ],
    instructions: ['x', 7, null],
    max_output_tokens: [1, 0, 1.5, null],
    temperature: [0, 2, 2.5, '1', null],
    stream: [true, 1, null],
    stream_options: [{}, { include_obfuscation: true }, { include_usage: true }, null],
    store: [false, true, null],
    text: [{}, { format: SCHEMA }, { format: { type: 'text' } }, { format: 7 }, null],
    reasoning: [{}, { effort: 'high' }, { effort: 'x' }, { summary: 'concise' }, null],
    tools: [[], [TOOL], [{ ...TOOL, type: 'x' }], [7], {}, null],
    tool_choice: ['auto', 'x', null],
    parallel_tool_calls: [true, 'x', null],
    metadata: [{}, { a: 'x' }, { a: 1 }, 7, null],
    user: ['x', 7, null],
    service_tier: ['auto', 'flex', null],
    truncation: ['disabled', 'auto', null],
    include: [[], ['reasoning.encrypted_content'], ['x'], null],
    unknown: [1],
  };
  for (const [member, each] of Object.entries(values)) {
    for (const value of each) {
      const body = { ...HELLO, [member]: value };
      const { success } = responsesRequestSchema.safeParse(body);
      expect([member, value, faultOf(body) === undefined]).toEqual([member, value, success]);
    }
  }
});
