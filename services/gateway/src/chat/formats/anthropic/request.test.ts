import { AppError } from '@tollgate/core';
import { fromMessagesBody } from './request';
import { messagesRequestSchema } from './schema';

const HELLO = {
  model: 'small-chat',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'hello' }],
};
const TOOL = { name: 'weather', description: 'of a place', input_schema: { type: 'object' } };
const USE = { type: 'tool_use', id: 'call_1', name: 'weather', input: { place: 'Bern' } };
const RESULT = { type: 'tool_result', tool_use_id: 'call_1', content: 'rain' };
const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' };
const THOUGHT = { type: 'thinking', thinking: 'Rain?', signature: 'c2lnbmVk' };
const SEALED = { type: 'redacted_thinking', data: 'sealed' };
const LONG = { max_tokens: 64_000 };
const text = (value: string) => ({ type: 'text', text: value });

const parse = (over: object) => fromMessagesBody({ ...HELLO, ...over });
const messagesOf = (over: object) => JSON.parse(parse(over).messages.toString()) as unknown;
const fieldsOf = (over: object) => {
  const { capabilityMembers } = parse(over).parameters;
  const text = capabilityMembers.length === 0 ? '{}' : capabilityMembers.toString();
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
};

function faultOf(body: unknown): string | undefined {
  try {
    fromMessagesBody(body);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.param ?? '';
    throw error;
  }
  return undefined;
}

describe('what goes on to completion', () => {
  test('is a message as it is, with its parameters', () => {
    const request = parse({
      stop_sequences: ['END'],
      temperature: 0.5,
      top_p: 0.9,
      metadata: { user_id: 'u' },
      service_tier: 'auto',
    });
    expect(request).toMatchObject({
      model: 'small-chat',
      messageCount: 1,
      stream: false,
      includeUsage: false,
      parameters: { temperature: 0.5, topP: 0.9, maxTokens: 64, stop: ['END'], user: 'u' },
    });
    expect(request.messages.toString()).toBe('[{"role":"user","content":"hello"}]');
    expect(request.parameters.requiredCapabilities).toEqual([]);
  });

  test('is a stream that tells its usage, asked or not', () => {
    expect(parse({ stream: true })).toMatchObject({ stream: true, includeUsage: true });
  });

  test('has instructions first, and texts of one message with a blank line between', () => {
    const messages = [{ role: 'user', content: [text('a'), text('b')] }];
    expect(messagesOf({ messages, system: [text('x'), text('y')] })).toEqual([
      { role: 'system', content: 'x\n\ny' },
      { role: 'user', content: 'a\n\nb' },
    ]);
    expect(messagesOf({ messages, system: 'z' })).toMatchObject([{ content: 'z' }, {}]);
    expect(messagesOf({ messages, system: '' })).toHaveLength(1);
  });

  test('has parallel calls and their results, each result a message', () => {
    const second = { ...USE, id: 'call_2', input: {} };
    const failed = { ...RESULT, tool_use_id: 'call_2', content: [text('no'), text('net')] };
    const messages = [
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: [text('I '), text('look.'), USE, second] },
      { role: 'user', content: [RESULT, { ...failed, is_error: true }, text('and?')] },
    ];
    const request = parse({ messages, tools: [TOOL] });
    expect(JSON.parse(request.messages.toString())).toEqual([
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"place":"Bern"}' },
          },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', content: 'rain', tool_call_id: 'call_1' },
      { role: 'tool', content: 'Error: no\n\nnet', tool_call_id: 'call_2' },
      { role: 'user', content: 'and?' },
    ]);
    expect(request.parameters.capabilityParam).toBe('tools');
  });

  test('has images and files where they stand, and counts them', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' };
    const url = 'https://pictures.example/town.png';
    const content = [
      text('a'),
      { type: 'image', source: PNG, cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'url', url } },
      { type: 'document', source: pdf, title: 'a.pdf' },
    ];
    const request = parse({ messages: [{ role: 'user', content }] });
    const image = 'data:image/png;base64,iVBORw0K';
    const file = 'data:application/pdf;base64,JVBERi0x';
    expect(JSON.parse(request.messages.toString())).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: image } },
          { type: 'image_url', image_url: { url } },
          { type: 'file', file: { filename: 'a.pdf', file_data: file } },
        ],
      },
    ]);
    expect(request.media).toEqual({ bytes: image.length + file.length, images: 2, files: 1 });
    expect(request.parameters).toMatchObject({
      requiredCapabilities: ['images', 'files'],
      capabilityParam: 'messages[0].content',
    });
  });

  test('needs tools also for a conversation that only remembers them', () => {
    const messages = [
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: [USE] },
      { role: 'user', content: [{ ...RESULT, content: undefined }] },
    ];
    const { parameters } = parse({ messages });
    expect(parameters.requiredCapabilities).toEqual(['tools']);
    expect(parameters.capabilityParam).toBe('messages[1].content');
    expect(messagesOf({ messages })).toMatchObject([{}, { content: null }, { content: '' }]);
  });

  test.each([
    [undefined, {}],
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [
      { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      {
        tool_choice: { type: 'function', function: { name: 'weather' } },
        parallel_tool_calls: false,
      },
    ],
  ])('has the tools and the choice %j', (choice, expected) => {
    const declared = { name: 'weather', description: 'of a place', parameters: { type: 'object' } };
    expect(fieldsOf({ tools: [TOOL], tool_choice: choice })).toEqual({
      tools: [{ type: 'function', function: declared }],
      ...expected,
    });
  });

  test('has a schema for the answer, by the name that it has here when nobody is capable', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const over = { output_config: { format } };
    expect(fieldsOf(over).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
    });
    expect(parse(over).parameters.capabilityParam).toBe('output_config.format');
    const effort = { output_config: { effort: 'high' } };
    expect(fieldsOf(effort)).toEqual({ reasoning_effort: 'high' });
    expect(parse(effort).parameters.capabilityParam).toBe('output_config.effort');
  });

  test.each([
    [{ type: 'adaptive' }, 'high', undefined],
    [{ type: 'adaptive', display: 'summarized' }, 'high', undefined],
    [{ type: 'enabled', budget_tokens: 1024 }, 'low', 1024],
    [{ type: 'enabled', budget_tokens: 8192 }, 'medium', 8192],
    [{ type: 'enabled', budget_tokens: 32_000 }, 'high', 32_000],
    [{ type: 'disabled' }, undefined, 0],
  ])('thinks as %j says, in a word and in tokens', (thinking, effort, thinkingBudget) => {
    const { parameters } = parse({ ...LONG, thinking });
    expect(parameters).toMatchObject({
      thinkingBudget,
      capabilityParam: effort === undefined ? '' : 'thinking',
      requiredCapabilities: effort === undefined ? [] : ['reasoning_effort'],
    });
    expect(fieldsOf({ ...LONG, thinking })).toEqual(
      effort === undefined ? {} : { reasoning_effort: effort },
    );
    const both = { ...LONG, thinking, output_config: { effort: 'low' } };
    expect(fieldsOf(both)).toEqual({ reasoning_effort: 'low' });
    const { parameters: ofBoth } = parse(both);
    expect(ofBoth.thinkingBudget).toBe(thinkingBudget);
    expect(ofBoth.capabilityParam).toBe('output_config.effort');
  });

  test('has the thoughts of earlier answers with their signatures, and empty ones where there are none', () => {
    const { signature: _, ...unsigned } = THOUGHT;
    const content = [THOUGHT, unsigned, SEALED, text('I look.'), USE];
    expect(messagesOf({ messages: [...HELLO.messages, { role: 'assistant', content }] })).toEqual([
      ...HELLO.messages,
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"place":"Bern"}' },
          },
        ],
        thinking_blocks: [THOUGHT, { ...unsigned, signature: '' }, SEALED],
      },
    ]);
  });

  test('has nothing of what asks for nothing', () => {
    const neutral = {
      thinking: null,
      top_k: null,
      mcp_servers: [],
      container: null,
    };
    const hint = { cache_control: { type: 'ephemeral' } };
    const messages = [{ role: 'user', content: [{ ...text('hello'), ...hint, citations: null }] }];
    const { parameters, ...request } = parse({ ...neutral, ...hint, messages });
    const { parameters: plain, ...expected } = parse({});
    expect(request).toEqual(expected);
    expect({ ...parameters, cacheMarks: [] }).toEqual(plain);
  });

  test('is where the client marks its prompt, whatever its blocks became', () => {
    const marked = { cache_control: { type: 'ephemeral', ttl: '5m' } };
    const marksOf = (over: object) =>
      parse(over).parameters.cacheMarks.map(({ end, message }) => [message, end]);
    const system = [text('rules'), { ...text('more'), ...marked }, text('today')];
    const tools = [TOOL, { ...TOOL, name: 'now', ...marked }];
    expect(marksOf({ system, tools })).toEqual([
      [-1, 2],
      [0, 11],
    ]);
    const messages = [
      { role: 'user', content: [{ ...text('book'), ...marked }, text('why?')] },
      { role: 'assistant', content: [USE] },
      { role: 'user', content: [{ ...RESULT, ...marked }, text('a'), { ...text('b'), ...marked }] },
    ];
    expect(marksOf({ messages, tools: [TOOL] })).toEqual([
      [0, 4],
      [2, 0],
      [3, 4],
    ]);
    const image = { type: 'image', source: PNG, ...marked };
    const shown = [{ role: 'user', content: [image, text('what?')] }];
    expect(marksOf({ messages: shown })).toEqual([[0, 1]]);
    expect(marksOf(marked)).toEqual([[0, 0]]);
    expect(marksOf({ cache_control: null })).toEqual([]);
    const five = Array.from({ length: 5 }, () => ({ ...text('x'), ...marked }));
    expect(faultOf({ ...HELLO, messages: [{ role: 'user', content: five }] })).toBe(
      'cache_control',
    );
  });
});

describe('what cannot be expressed is refused by its name', () => {
  const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const assistant = (...content: object[]) => ({ messages: [{ role: 'assistant', content }] });
  test.each<readonly [string, object]>([
    ['model', { model: '' }],
    ['models', { models: 'a' }],
    ['models', { models: ['a', ''] }],
    ['max_tokens', { max_tokens: undefined }],
    ['max_tokens', { max_tokens: 0 }],
    ['messages', { messages: [] }],
    ['messages[0]', { messages: ['hello'] }],
    ['messages[0].role', { messages: [{ role: 'system', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: [] }] }],
    ['messages[0].name', { messages: [{ role: 'user', content: 'x', name: 'y' }] }],
    ['messages[0].content[0].source.type', user({ type: 'image', source: {} })],
    ['messages[0].content[0].source', user({ type: 'image', source: { ...PNG, data: '?' } })],
    ['messages[0].content[0].source', user({ type: 'image', source: { ...PNG, media_type: 'x' } })],
    ['messages[0].content[0].source.url', user({ type: 'image', source: { type: 'url', url: 7 } })],
    ['messages[0].content[1].source', user(text('x'), { type: 'document' })],
    ['messages[0].content[0].source.type', user({ type: 'document', source: { type: 'url' } })],
    ['messages[0].content[0].source', user({ type: 'document', source: PNG })],
    ['messages[0].content[0].type', assistant({ type: 'image', source: PNG })],
    ['messages', user(...Array.from({ length: 65 }, () => ({ type: 'image', source: PNG })))],
    ['messages[0].content[0].thinking', assistant({ type: 'thinking' })],
    ['messages[0].content[0].signature', assistant({ ...THOUGHT, signature: 7 })],
    ['messages[0].content[0].cache_control', assistant({ ...THOUGHT, cache_control: { ttl: 1 } })],
    ['messages[0].content[0].data', assistant({ type: 'redacted_thinking' })],
    ['messages[0].content[0].type', user(THOUGHT)],
    ['messages[0].content[0].text', user({ type: 'text' })],
    ['messages[0].content[0].citations', user({ ...text('x'), citations: [{}] })],
    ['messages[0].content[0].tool_use_id', user(RESULT)],
    ['messages[0].content[0].input', assistant({ ...USE, input: '{}' })],
    ['messages[0].content[0].id', assistant({ ...USE, id: '' })],
    ['messages[0].content[0].name', assistant({ ...USE, name: 'x'.repeat(65) })],
    ['system[0].type', { system: [{ type: 'image' }] }],
    ['temperature', { temperature: 1.1 }],
    ['top_p', { top_p: 2 }],
    ['top_k', { top_k: 5 }],
    ['thinking', { thinking: true }],
    ['thinking.type', { thinking: { type: 'between_tools' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['thinking.budget_tokens', { ...LONG, thinking: { type: 'enabled', budget_tokens: 1023 } }],
    ['thinking.display', { thinking: { type: 'adaptive', display: 'omitted' } }],
    ['thinking.more', { thinking: { type: 'adaptive', more: 1 } }],
    ['stop_sequences', { stop_sequences: 'END' }],
    ['stop_sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }],
    ['metadata.user_id', { metadata: { user_id: 7 } }],
    ['metadata.team', { metadata: { team: 'x' } }],
    ['service_tier', { service_tier: 'priority' }],
    ['stream', { stream: 1 }],
    ['tools', { tools: {} }],
    ['tools[0].type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools[0].name', { tools: [{ ...TOOL, name: '' }] }],
    ['tools[0].input_schema', { tools: [{ name: 'x' }] }],
    ['tools[0].defer_loading', { tools: [{ ...TOOL, defer_loading: true }] }],
    ['tool_choice', { tool_choice: { type: 'any' } }],
    ['tool_choice.type', { tools: [TOOL], tool_choice: { type: 'some' } }],
    ['tool_choice.name', { tools: [TOOL], tool_choice: { type: 'tool', name: 'other' } }],
    ['output_config.effort', { output_config: { effort: 'max' } }],
    ['output_config.format', { output_config: { format: { type: 'json' } } }],
    ['mcp_servers', { mcp_servers: [{ url: 'x' }] }],
  ])('%s in %j', (param, over) => {
    expect(faultOf({ ...HELLO, ...over })).toBe(param);
  });

  test('results of tools after text', () => {
    const messages = [
      { role: 'assistant', content: [USE] },
      { role: 'user', content: [text('x'), RESULT] },
    ];
    expect(faultOf({ ...HELLO, messages })).toBe('messages[1].content[1]');
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
    max_tokens: [1, 0, 1.5, null],
    system: ['x', [text('x')], [], [{ type: 'image' }], 7, null],
    temperature: [0, 1, 1.5, '1', null],
    top_p: [0, 1, 2, null],
    stream: [true, 1, null],
    stop_sequences: [[], ['a'], [''], 'a', null],
    metadata: [{}, { user_id: 'x' }, { user_id: 1 }, 7, null],
    service_tier: ['auto', 'x', null],
    tools: [[], [TOOL], [{ ...TOOL, type: 'custom' }], [{ ...TOOL, type: 'x' }], [7], {}, null],
    tool_choice: [
      { type: 'auto' },
      { type: 'auto', name: null, disable_parallel_tool_use: true },
      { type: 'none', name: 'x' },
      { type: 'auto', name: {} },
      { type: 'auto', disable_parallel_tool_use: 1 },
      { type: 'auto', more: 1 },
      {},
      7,
      null,
    ],
    messages: [
      HELLO.messages,
      [],
      [{ role: 'user', content: [text('x')] }],
      [{ role: 'user', content: [] }],
      [{ role: 'user', content: [{ type: 'image', source: PNG }] }],
      [{ role: 'user', content: [{ type: 'image', source: { ...PNG, data: '' } }] }],
      [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }],
      [{ role: 'user', content: [{ type: 'document', source: PNG }] }],
      [{ role: 'assistant', content: [USE] }],
      [{ role: 'assistant', content: [RESULT] }],
      [{ role: 'assistant', content: [THOUGHT, SEALED, USE] }],
      [{ role: 'assistant', content: [{ ...THOUGHT, more: 1 }] }],
      [{ role: 'user', content: [THOUGHT] }],
      [{ role: 'tool', content: 'x' }],
      [{ role: 'user', content: 'x', name: 'y' }],
    ],
    thinking: [
      { type: 'adaptive' },
      { type: 'disabled' },
      { type: 'enabled', budget_tokens: 7 },
      { type: 'adaptive', display: 'omitted' },
      { type: 'x' },
      7,
      null,
    ],
    output_config: [
      {},
      { format: { type: 'json_schema', schema: {} } },
      { format: 7 },
      { effort: 'low' },
      null,
    ],
    unknown: [1],
  };
  for (const [member, each] of Object.entries(values)) {
    for (const value of each) {
      const body = { ...HELLO, [member]: value };
      const { success } = messagesRequestSchema.safeParse(body);
      expect([member, value, faultOf(body) === undefined]).toEqual([member, value, success]);
    }
  }
});
