import { AppError } from '@tollgate/core';
import { CAPABILITY_BYTES_MAX } from '../canonical';
import { fromChatBody } from './request';

const hello = [{ role: 'user', content: 'hello' }];

const tool = (description: string) => ({
  type: 'function',
  function: { name: 'look', description },
});
const schema = (description: string) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema: { description } },
});

function paramOf(body: unknown): string | undefined {
  try {
    fromChatBody(body);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.param;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(body).slice(0, 200)}`);
}

function accepts(members: object): ReturnType<typeof fromChatBody> {
  return fromChatBody({ model: 'm', messages: hello, ...members });
}

describe('a chat request that is not valid is refused with the field at fault', () => {
  const long = 'x'.repeat(257);
  const refused: readonly (readonly [param: string, members: object])[] = [
    ['model', { model: undefined }],
    ['model', { model: null }],
    ['model', { model: 1 }],
    ['model', { model: '' }],
    ['model', { model: long }],
    ['messages', { messages: undefined }],
    ['messages', { messages: null }],
    ['messages', { messages: [] }],
    ['messages', { messages: { role: 'user' } }],
    ['messages', { messages: Array.from({ length: 2049 }, () => hello[0]) }],
    ['messages[0]', { messages: ['hello'] }],
    ['messages[1]', { messages: [...hello, null] }],
    ['messages[0].role', { messages: [{ content: 'x' }] }],
    ['messages[0].role', { messages: [{ role: 'function', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: [] }] }],
    ['messages[0].content', { messages: [{ role: 'assistant', content: null }] }],
    ['messages[0].content', { messages: [{ role: 'assistant', tool_calls: [] }] }],
    [
      'messages[0].content',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    ],
    ['messages[0].tool_calls', { messages: [{ role: 'assistant', tool_calls: 'x' }] }],
    ['messages[0].tool_calls', { messages: [{ role: 'assistant', tool_calls: [{}] }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    ['temperature', { temperature: -0.1 }],
    ['temperature', { temperature: 2.1 }],
    ['temperature', { temperature: '1' }],
    ['temperature', { temperature: Number.POSITIVE_INFINITY }],
    ['top_p', { top_p: -0.01 }],
    ['top_p', { top_p: 1.01 }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['max_tokens', { max_tokens: '10' }],
    ['max_tokens', { max_tokens: 4_294_967_296 }],
    ['max_completion_tokens', { max_completion_tokens: 0 }],
    ['stream', { stream: 'true' }],
    ['stream', { stream: 1 }],
    ['stream_options', { stream: true, stream_options: true }],
    ['stream_options.include_usage', { stream_options: { include_usage: 'yes' } }],
    ['stop', { stop: '' }],
    ['stop', { stop: long }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['stop', { stop: ['a', ''] }],
    ['stop', { stop: [1] }],
    ['presence_penalty', { presence_penalty: -2.1 }],
    ['presence_penalty', { presence_penalty: 2.1 }],
    ['frequency_penalty', { frequency_penalty: -2.1 }],
    ['frequency_penalty', { frequency_penalty: 2.1 }],
    ['user', { user: 1 }],
    ['user', { user: 'x'.repeat(513) }],
    ['seed', { seed: 1.5 }],
    ['metadata', { metadata: [] }],
    ['n', { n: 0 }],
    ['n', { n: 17 }],
    ['tools', { tools: {} }],
    ['tools', { tools: [{ type: 'function' }] }],
    ['tool_choice', { tool_choice: 'any' }],
    ['tool_choice', { tool_choice: 'required' }],
    ['response_format', { response_format: 'json' }],
    ['response_format', { response_format: { type: 'json_schema' } }],
    ['logprobs', { logprobs: 1 }],
    ['top_logprobs', { top_logprobs: 21 }],
    ['logit_bias', { logit_bias: { 5: 101 } }],
  ];
  test.each(refused)('%s: %j', (param, members) => {
    expect(paramOf({ model: 'm', messages: hello, ...members })).toBe(param);
  });

  test.each([[null], [[]], ['text'], [1], [true]])(
    'a body that is no object names no field: %j',
    (body) => expect(paramOf(body)).toBeUndefined(),
  );

  test('of several faults the first in the order of the schema is named', () => {
    expect(paramOf({ model: 'm', messages: hello, stream: 'x', temperature: 9 })).toBe(
      'temperature',
    );
  });
});

test('tools and schemas that have more than a megabyte together are refused', () => {
  const text = (bytes: number) => 'x'.repeat(bytes);
  const refused = (members: object) => paramOf({ model: 'm', messages: hello, ...members });
  const { parameters } = accepts({ tools: [tool(text(CAPABILITY_BYTES_MAX - 200))] });
  expect(parameters.capabilityMembers.length).toBeGreaterThan(CAPABILITY_BYTES_MAX - 200);
  expect(refused({ tools: [tool(text(CAPABILITY_BYTES_MAX))] })).toBe('tools');
  const half = text(CAPABILITY_BYTES_MAX / 2);
  expect(refused({ tools: [tool(half)], response_format: schema(half) })).toBe('tools');
  const response_format = schema(text(CAPABILITY_BYTES_MAX));
  expect(refused({ response_format })).toBe('response_format');
});

describe('a chat request at its bounds is accepted', () => {
  const accepted: readonly object[] = [
    { temperature: 0 },
    { temperature: 2 },
    { top_p: 0 },
    { top_p: 1 },
    { max_tokens: 1 },
    { max_tokens: 4_294_967_295 },
    { stop: 'x' },
    { stop: 'x'.repeat(256) },
    { stop: ['a', 'b', 'c', 'd'] },
    { presence_penalty: -2, frequency_penalty: 2 },
    { presence_penalty: 2, frequency_penalty: -2 },
    { messages: Array.from({ length: 2048 }, () => hello[0]) },
    { messages: [{ role: 'user', content: '' }] },
    { model: 'x'.repeat(256) },
  ];
  test.each(accepted.map((members) => [members]))('%j', (members) => {
    expect(() => accepts(members)).not.toThrow();
  });
});

describe('what clients send beyond the schema does no harm', () => {
  test('null for every optional field counts as absent', () => {
    const names = ['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stream', 'stop'];
    names.push('stream_options', 'presence_penalty', 'frequency_penalty', 'user', 'seed', 'n');
    names.push('metadata', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format');
    names.push('logprobs', 'top_logprobs', 'logit_bias');
    const nulls = accepts(Object.fromEntries(names.map((name) => [name, null])));
    expect(nulls).toEqual(accepts({}));
    expect(nulls.parameters.requiredCapabilities).toEqual([]);
  });

  test('neutral values of capability fields require nothing', () => {
    const neutral = accepts({
      n: 1,
      tools: [],
      tool_choice: 'auto',
      logprobs: false,
      response_format: { type: 'text' },
      logit_bias: {},
      parallel_tool_calls: true,
    });
    expect(neutral).toEqual(accepts({}));
  });

  test('unknown fields are ignored and never sent on', () => {
    const request = accepts({ store: true, service_tier: 'auto', __proto__x: 1 });
    expect({ ...request, ignored: undefined }).toEqual(accepts({}));
  });

  test('text parts are joined, developer becomes system, extra message members are dropped', () => {
    const { messages, messageCount } = accepts({
      messages: [
        { role: 'developer', content: 'be brief', name: 'x' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'bé' },
          ],
        },
      ],
    });
    expect(messages.toString()).toBe(
      '[{"role":"system","content":"be brief"},{"role":"user","content":"abé"}]',
    );
    expect(messageCount).toBe(2);
  });

  test('of max_tokens and max_completion_tokens the smaller wins', () => {
    expect(accepts({ max_tokens: 5, max_completion_tokens: 9 }).parameters.maxTokens).toBe(5);
    expect(accepts({ max_tokens: 9, max_completion_tokens: 5 }).parameters.maxTokens).toBe(5);
    expect(accepts({ max_completion_tokens: 9 }).parameters.maxTokens).toBe(9);
  });

  test('a usage frame is only sent in a stream that asked for it', () => {
    const asked = { stream_options: { include_usage: true } };
    expect(accepts({ ...asked, stream: true }).includeUsage).toBe(true);
    expect(accepts(asked).includeUsage).toBe(false);
    expect(accepts({ stream: true }).includeUsage).toBe(false);
  });
});

describe('capability fields travel beside the capabilities that they need', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };

  test('members are canonical and neutral ones are left out', () => {
    const { parameters } = accepts({
      n: 2,
      tools: [tool],
      tool_choice: 'required',
      logprobs: true,
      top_logprobs: 3,
      response_format: { type: 'json_object' },
      logit_bias: { 7: -1 },
    });
    expect(JSON.parse(parameters.capabilityMembers.toString())).toEqual({
      n: 2,
      tools: [tool],
      tool_choice: 'required',
      response_format: { type: 'json_object' },
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { 7: -1 },
    });
    expect(parameters.requiredCapabilities).toEqual([
      'tools',
      'response_format',
      'n',
      'logprobs',
      'logit_bias',
    ]);
    expect(parameters.capabilityParam).toBe('tools');
  });

  test('a conversation with tool calls needs tools even when none are offered', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const { parameters, messages } = accepts({
      messages: [
        ...hello,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '42' },
      ],
    });
    expect(parameters.requiredCapabilities).toEqual(['tools']);
    expect(parameters.capabilityParam).toBe('messages[1].tool_calls');
    expect((JSON.parse(messages.toString()) as unknown[])[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call],
    });
  });
});

test('the name of who speaks is not sent on, and is told', () => {
  const said = (more: object) => accepts({ messages: [{ role: 'user', content: 'hi', ...more }] });
  expect(said({ name: 'ann' }).ignored).toEqual({
    names: ['messages[].name'],
    inWords: 'ignored: messages[].name',
  });
  expect(said({ name: '' })).not.toHaveProperty('ignored');
  // It comes first, and no more names are told than of a body without it.
  const unknown = [...'abcdefghi'];
  const messages = [{ role: 'user', content: 'hi', name: 'ann' }];
  const body = { messages, ...Object.fromEntries(unknown.map((name) => [name, 1])) };
  expect(accepts(body).ignored?.names).toEqual(['messages[].name', ...unknown.slice(0, 7)]);
});

test('members that are not known are ignored, and named with what they may have meant', () => {
  expect(accepts({ max_tokens: 5, stream: false })).not.toHaveProperty('ignored');
  // What is off or empty asks for nothing.
  expect(accepts({ store: false, functions: [], service_tier: null })).not.toHaveProperty(
    'ignored',
  );
  expect(accepts({ max_token: 5, maxTokens: 5, 'sk-123\r\nx': 1, store: true }).ignored).toEqual({
    names: ['max_token', 'maxTokens', '*', 'store'],
    inWords:
      'ignored: max_token, did you mean max_tokens; maxTokens, did you mean max_tokens; *; ' +
      'store',
  });
  const many = Object.fromEntries([...'abcdefghijklmnop'].map((name) => [name, 1]));
  expect(accepts(many).ignored?.names).toHaveLength(8);
});

test('a refusal names the members that are not known, of which one may be its cause', () => {
  const refuse = () => fromChatBody({ model: 'm', mesages: hello });
  const told =
    'messages: must be an array of 1 to 2048 messages ' +
    '(not known: mesages, did you mean messages).';
  expect(refuse).toThrow(new AppError('VALIDATION_ERROR', { publicMessage: told }));
  expect(paramOf({ model: 'm', mesages: hello })).toBe('messages');
  // Also an empty one, unless its name is like none: what asks for nothing is no fault.
  expect(() => fromChatBody({ model: 'm', mesages: [] })).toThrow('did you mean messages');
  expect(() => fromChatBody({ model: 'm', guardrails: [] })).not.toThrow('guardrails');
});
