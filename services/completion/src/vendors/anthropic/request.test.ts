import type { VendorCall } from '../../domain/vendor';
import { CONVERSATION, chatCall, exampleCall, failureIn, TOOLS } from '../../testing/vendor-call';
import { buildRequest } from './request';

const HI = [{ role: 'user', content: 'Hi' }];
const PNG = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } };
const bodyOf = (call: VendorCall) =>
  JSON.parse(Buffer.concat([...buildRequest(call).body]).toString()) as Record<string, unknown>;
/** With marks behind those parts of those messages. */
const withMarks = (call: VendorCall, ...places: readonly (readonly [number, number])[]) => {
  const cacheMarks = places.map(([message, end]) => ({ message, end }));
  return bodyOf({ ...call, parameters: { ...call.parameters, cacheMarks } });
};

it('goes to the messages of the base URL with the vendor’s own headers', () => {
  const { headers, path } = buildRequest(chatCall(HI));
  expect(path).toBe('/messages');
  expect(headers).toMatchObject({
    'x-api-key': 'a credential of a test',
    'anthropic-version': '2023-06-01',
    accept: 'application/json',
  });
  expect(headers).not.toHaveProperty('authorization');
});

it('says no more than was asked, and bounds the answer by the model when nobody did', () => {
  expect(bodyOf(chatCall(HI))).toEqual({
    model: 'vendor-small',
    max_tokens: 1000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  });
});

it('writes a conversation with instructions, images, parallel calls and their results', () => {
  expect(bodyOf(chatCall(CONVERSATION))).toMatchObject({
    system: 'Be brief.\n\nAnswer in German.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Is this Zürich?' },
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' },
          },
          {
            type: 'image',
            source: { type: 'url', url: 'https://pictures.example/town.jpg?size=2' },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { town: 'Zürich' } },
          { type: 'tool_use', id: 'call_2', name: 'now', input: {} },
        ],
      },
      {
        // The results come together, in front of what the user says.
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: '{"sky":"blue"}' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'noon' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  });
});

it('marks what the client wants kept, at the places of the client', () => {
  const messages = [
    { role: 'system', content: 'Rules.\n\nToday.' },
    { role: 'user', content: 'The book.\n\nWhy?' },
    {
      role: 'assistant',
      content: 'See.',
      tool_calls: [{ id: 'a', function: { name: 'now', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'noon' },
    { role: 'user', content: [PNG, { type: 'text', text: 'What?' }] },
  ];
  const marksAt = withMarks.bind(undefined, chatCall(messages, { tools: TOOLS }));
  const cache_control = { type: 'ephemeral' };
  expect(marksAt()).toMatchObject({ system: 'Rules.\n\nToday.' });
  expect(JSON.stringify(marksAt())).not.toContain('cache_control');
  const some = marksAt([-1, 2], [0, 6], [1, 9], [2, 0]);
  expect(some.system).toEqual([
    { type: 'text', text: 'Rules.', cache_control },
    { type: 'text', text: '\n\nToday.' },
  ]);
  expect(some.tools).toMatchObject([{ name: 'weather' }, { name: 'now', cache_control }]);
  expect(some.messages).toMatchObject([
    {
      content: [
        { type: 'text', text: 'The book.', cache_control },
        { type: 'text', text: '\n\nWhy?' },
      ],
    },
    {
      content: [
        { type: 'text', text: 'See.' },
        { type: 'tool_use', cache_control },
      ],
    },
    {},
  ]);
  const others = marksAt([3, 0], [4, 1]);
  expect(others.messages).toMatchObject([
    {},
    {},
    {
      content: [
        { type: 'tool_result', cache_control },
        { type: 'image', cache_control },
        { type: 'text', text: 'What?' },
      ],
    },
  ]);
  expect(JSON.stringify(others).match(/cache_control/g)).toHaveLength(2);
});

it.each([
  ['before', 2, ['', PNG, 'Why?'], [true, false]],
  ['between', 3, [PNG, '', 'Why?', PNG], [false, true, false]],
  ['under the mark', 2, [PNG, '', 'Why?'], [true, false]],
  ['last, all of it marked', 0, [PNG, ''], [true]],
])('leaves out an empty text, and moves no mark of the others: %s', (_where, end, said, marked) => {
  const content = said.map((part) =>
    typeof part === 'string' ? { type: 'text', text: part } : part,
  );
  const { messages } = withMarks(chatCall([{ role: 'user', content }]), [0, end]);
  const [sent] = messages as readonly { readonly content: readonly object[] }[];
  expect(sent?.content.map((part) => 'cache_control' in part)).toEqual(marked);
});

it('writes every parameter that the protocol has', () => {
  const { parameters } = exampleCall();
  const call = chatCall(
    HI,
    {},
    {
      maxTokens: 16,
      stream: true,
      parameters: { ...parameters, temperature: 0, topP: 1, stop: ['end'], user: 'someone' },
    },
  );
  expect(bodyOf(call)).toMatchObject({
    max_tokens: 16,
    temperature: 0,
    stop_sequences: ['end'],
    stream: true,
    metadata: { user_id: 'someone' },
  });
  // What is neutral is not said: some models refuse to be told.
  expect(bodyOf(call)).not.toHaveProperty('top_p');
  expect(buildRequest(call).headers.accept).toBe('text/event-stream');
});

it('declares tools', () => {
  const { tools, tool_choice } = bodyOf(chatCall(HI, { tools: TOOLS }));
  expect(tools).toEqual([
    {
      name: 'weather',
      description: 'The weather of a town.',
      input_schema: { type: 'object', properties: { town: { type: 'string' } } },
      strict: true,
    },
    { name: 'now', input_schema: { type: 'object', properties: {} } },
  ]);
  expect(tool_choice).toBeUndefined();
});

it.each([
  [{ tool_choice: 'auto' }, { type: 'auto' }],
  [{ tool_choice: 'none' }, { type: 'none' }],
  [{ tool_choice: 'required' }, { type: 'any' }],
  [{ tool_choice: { type: 'function', function: { name: 'now' } } }, { type: 'tool', name: 'now' }],
  [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  [
    { tool_choice: 'required', parallel_tool_calls: false },
    { type: 'any', disable_parallel_tool_use: true },
  ],
])('uses them as %j asks', (settings, expected) => {
  expect(bodyOf(chatCall(HI, { tools: TOOLS, ...settings })).tool_choice).toEqual(expected);
});

it('asks for an answer of a schema', () => {
  const schema = { type: 'object', properties: { town: { type: 'string' } } };
  const response_format = { type: 'json_schema', json_schema: { name: 'place', schema } };
  expect(bodyOf(chatCall(HI, { response_format })).output_config).toEqual({
    format: { type: 'json_schema', schema },
  });
});

it('makes instructions without a conversation the user’s', () => {
  const body = bodyOf(chatCall([{ role: 'system', content: 'Say hello.' }]));
  expect(body).not.toHaveProperty('system');
  expect(body.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] },
  ]);
});

it.each([
  [
    'arguments that are no object',
    [
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', function: { name: 'now', arguments: '[1]' } }],
      },
    ],
    'messages[0].tool_calls[0].function.arguments',
  ],
  [
    'a result of no call',
    [...HI, { role: 'tool', tool_call_id: 'a', content: 'x' }],
    'messages[1].tool_call_id',
  ],
  [
    'an image of another scheme',
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://x/y.png' } }] }],
    'messages',
  ],
])('refuses %s by name before anything is sent', (_what, messages, param) => {
  expect(failureIn(() => buildRequest(chatCall(messages)))).toMatchObject({
    outcome: 'not_sent',
    retryElsewhere: true,
    error: { code: 'VALIDATION_ERROR', param },
  });
});

const named = (upstreamName: string, changes: Partial<VendorCall> = {}) => {
  const { candidate } = exampleCall();
  return { ...changes, candidate: { ...candidate, upstreamName } };
};
const thinkingOf = (call: VendorCall) => {
  const { thinking, output_config } = bodyOf(call);
  return { thinking, output_config };
};
const withParameters = (call: VendorCall, changes: Partial<VendorCall['parameters']>) => ({
  ...call,
  parameters: { ...call.parameters, ...changes },
});

describe('an effort', () => {
  const EFFORT = { reasoning_effort: 'medium' };
  const ADAPTIVE = { type: 'adaptive', display: 'summarized' };

  it.each(['vendor-small', 'claude-opus-4-6', 'claude-sonnet-4-10', 'claude-opus-5-5-20260922'])(
    'has %s think as much as it finds right, and show it',
    (name) => {
      const call = chatCall(HI, EFFORT, named(name));
      expect(thinkingOf(call)).toEqual({ thinking: ADAPTIVE, output_config: { effort: 'medium' } });
    },
  );

  it.each([
    'claude-3-7-sonnet-20250219',
    'claude-sonnet-4-20250514',
    'claude-haiku-4-5',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'anthropic/claude-sonnet-4.5',
  ])('has %s think for a number of tokens', (name) => {
    const call = chatCall(HI, EFFORT, named(name, { maxTokens: 20_000 }));
    expect(thinkingOf(call)).toEqual({ thinking: { type: 'enabled', budget_tokens: 8192 } });
  });

  it('leaves room for the answer of an earlier model, and names the member where there is none', () => {
    const budgetOf = (maxTokens: number, thinkingBudget?: number) => {
      const call = chatCall(HI, EFFORT, named('claude-sonnet-4-5', { maxTokens }));
      return thinkingOf(withParameters(call, { thinkingBudget })).thinking;
    };
    expect(budgetOf(4000)).toMatchObject({ budget_tokens: 2000 });
    expect(budgetOf(1500)).toMatchObject({ budget_tokens: 1024 });
    expect(budgetOf(4000, 3000)).toMatchObject({ budget_tokens: 3000 });
    expect(failureIn(() => budgetOf(1024))).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'VALIDATION_ERROR', param: 'max_tokens' },
    });
  });

  const forced = { tools: TOOLS, tool_choice: 'required' };
  it.each<readonly [string, object, Partial<VendorCall['parameters']>]>([
    ['temperature', {}, { temperature: 0.5 }],
    ['top_p', {}, { topP: 0.9 }],
    ['tool_choice', forced, {}],
  ])(
    'beside %s is said in a word alone, or refused by an earlier model',
    (param, over, changes) => {
      const callOf = (name: string) =>
        withParameters(chatCall(HI, { ...EFFORT, ...over }, named(name)), changes);
      expect(thinkingOf(callOf('vendor-small'))).toEqual({ output_config: { effort: 'medium' } });
      expect(failureIn(() => bodyOf(callOf('claude-haiku-4-5')))).toMatchObject({
        outcome: 'not_sent',
        error: { code: 'VALIDATION_ERROR', param },
      });
    },
  );

  it('of none, and a wish for no thoughts, turn thinking off', () => {
    const disabled = { type: 'disabled' };
    const none = chatCall(HI, { reasoning_effort: 'none' });
    expect(thinkingOf(none)).toEqual({ thinking: disabled });
    const unthinking = withParameters(chatCall(HI), { thinkingBudget: 0 });
    expect(thinkingOf(unthinking)).toEqual({ thinking: disabled });
    const both = withParameters(chatCall(HI, EFFORT), { thinkingBudget: 0 });
    expect(thinkingOf(both)).toEqual({ thinking: disabled, output_config: { effort: 'medium' } });
  });
});

it('gives thoughts back as they came, before the answer, and none that bear no signature', () => {
  const signed = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
  const sealed = { type: 'redacted_thinking', data: 'sealed' };
  const unsigned = { type: 'thinking', thinking: 'Of another vendor.', signature: '' };
  const said = { role: 'assistant', content: 'Hi', thinking_blocks: [signed, unsigned, sealed] };
  const { messages } = bodyOf(chatCall([...HI, said, ...HI]));
  expect((messages as readonly unknown[])[1]).toEqual({
    role: 'assistant',
    content: [signed, sealed, { type: 'text', text: 'Hi' }],
  });
});
