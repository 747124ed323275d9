import type { completionV1 } from '@tollgate/protos';
import fc from 'fast-check';
import { answer } from '../../../testing/fixtures';
import {
  eventOf,
  generatedAnswers,
  readTypedEvents,
  type TypedEvent,
} from '../../../testing/generated-answers';
import { createFrames, toMessage } from './answer';
import { anthropicFormat } from './format';
import { messageSchema } from './schema';

const HEAD = { model: 'small-chat', created: 1n, attempts: 1, channelId: '' };
const USAGE = {
  promptTokens: 9,
  completionTokens: 4,
  totalTokens: 13,
  cachedTokens: 3,
  cacheWriteTokens: 0,
  reasoningTokens: 1,
  promptAudioTokens: 0,
  completionAudioTokens: 0,
};
const WRITTEN_USAGE = {
  input_tokens: 6,
  output_tokens: 4,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 3,
};

function whole(choices: Buffer, usage: completionV1.Usage | undefined = USAGE) {
  const bytes = toMessage('req_1', answer('', { choices, usage }));
  return JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>;
}

function streamed(...batches: readonly (readonly Buffer[])[]): readonly TypedEvent[] {
  const frames = createFrames('req_1', HEAD, () => '');
  const parts = batches.map((batch) => frames.chunk(batch));
  return readTypedEvents(Buffer.concat([...parts, frames.end(USAGE)]).toString());
}

test('calls without an id have one that no other answer of the conversation has', () => {
  const tool_calls = [{ function: { name: 'f', arguments: '{}' } }];
  const message = Buffer.from(JSON.stringify([{ message: { tool_calls } }]));
  const delta = Buffer.from(JSON.stringify([{ delta: { tool_calls } }]));
  const id = 'call_req_1_0';
  expect(whole(message).content).toMatchObject([{ type: 'tool_use', id }]);
  expect(accumulate(streamed([delta])).content).toMatchObject([{ type: 'tool_use', id }]);
});

/** Builds the message as a client library does, and holds the order of events. */
function accumulate(events: readonly TypedEvent[]): Readonly<Record<string, unknown>> {
  let message: Record<string, unknown> = {};
  const blocks: Record<string, unknown>[] = [];
  const open = new Set<unknown>();
  for (const { event, data } of events) {
    expect(event).toBe(data.type);
    const block = blocks[data.index as number] ?? {};
    const delta = data.delta as Readonly<Record<string, unknown>>;
    switch (data.type) {
      case 'message_start':
        expect(blocks).toEqual([]);
        message = data.message as Record<string, unknown>;
        break;
      case 'content_block_start':
        expect([data.index, open.size]).toEqual([blocks.length, 0]);
        open.add(data.index);
        blocks.push({ ...(data.content_block as object), json: '' });
        break;
      case 'content_block_delta':
        expect(open).toContain(data.index);
        if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`;
        else if (delta.type === 'thinking_delta') {
          block.thinking = `${block.thinking}${delta.thinking}`;
        } else if (delta.type === 'signature_delta') block.signature = delta.signature;
        else block.json = `${block.json}${delta.partial_json}`;
        break;
      case 'content_block_stop':
        expect(open.delete(data.index)).toBe(true);
        break;
      case 'message_delta':
        expect(open.size).toBe(0);
        message = { ...message, ...delta, usage: data.usage };
    }
  }
  expect(events.at(-1)?.data).toEqual({ type: 'message_stop' });
  const content = blocks.map(({ json, ...block }) => ({
    ...block,
    ...(json === '' ? {} : { input: JSON.parse(String(json)) as unknown }),
  }));
  return { ...message, content };
}

test('an answer is one message, whole and streamed, wherever it was cut', () => {
  fc.assert(
    fc.property(generatedAnswers, ({ thoughts, text, refusal, calls, whole: choices, batches }) => {
      const message = whole(choices);
      expect(messageSchema.safeParse(message).error).toBeUndefined();
      expect(accumulate(streamed(...batches))).toEqual(message);
      const said = text + refusal;
      const content = message.content as readonly Readonly<Record<string, unknown>>[];
      const isThought = ({ type }: (typeof content)[number]) => /thinking$/.test(String(type));
      const thought = content.filter(isThought).map(({ thinking = '' }) => thinking);
      expect(thought.join('')).toBe(thoughts);
      expect(content.slice(content.filter(isThought).length)).toEqual([
        ...(said === '' ? [] : [{ type: 'text', text: said }]),
        ...calls.map((call) => ({ type: 'tool_use', ...call })),
      ]);
    }),
  );
});

test('thoughts come before the text, each thought with its signature at its end', () => {
  const signed = (signature: string) =>
    eventOf({ thinking_blocks: [{ type: 'thinking', thinking: '', signature }] });
  const events = streamed([
    eventOf({ reasoning_content: 'One' }),
    eventOf({ reasoning_content: '.' }),
    signed('s1'),
    eventOf({ thinking_blocks: [{ type: 'redacted_thinking', data: 'sealed' }] }),
    signed('s2'),
    eventOf({ reasoning_content: 'Unsigned.' }),
    eventOf({ content: 'Hi' }),
  ]);
  const blocks = events.flatMap(({ data }) => {
    if (data.type === 'content_block_start') return [data.content_block];
    return data.type === 'content_block_delta' ? [data.delta] : [];
  });
  const begun = { type: 'thinking', thinking: '', signature: '' };
  expect(blocks).toEqual([
    begun,
    { type: 'thinking_delta', thinking: 'One' },
    { type: 'thinking_delta', thinking: '.' },
    { type: 'signature_delta', signature: 's1' },
    { type: 'redacted_thinking', data: 'sealed' },
    begun,
    { type: 'signature_delta', signature: 's2' },
    begun,
    { type: 'thinking_delta', thinking: 'Unsigned.' },
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Hi' },
  ]);
  expect(accumulate(events).content).toHaveLength(5);
});

test('the events of text come in their order, each with its name', () => {
  const events = streamed(
    [eventOf({ role: 'assistant', content: '' })],
    [eventOf({ content: 'Hel' }), eventOf({ content: 'lo' })],
    [eventOf({}, 'stop')],
  );
  expect(events.map(({ data }) => data)).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_req_1',
        type: 'message',
        role: 'assistant',
        model: 'small-chat',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 0,
          output_tokens: 0,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: WRITTEN_USAGE,
    },
    { type: 'message_stop' },
  ]);
});

test('parallel calls are blocks of their own, and late arguments go to theirs', () => {
  const call = (index: number, more: object) => eventOf({ tool_calls: [{ index, ...more }] });
  const opening = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '' },
  });
  const events = streamed([
    eventOf({ content: 'Two.' }),
    call(0, opening('a')),
    call(1, opening('b')),
    call(0, { function: { arguments: '{"x":1}' } }),
    eventOf({}, 'tool_calls'),
  ]);
  const steps = events.slice(1, -2).map(({ data }) => [data.type, data.index]);
  expect(steps).toEqual([
    ['content_block_start', 0],
    ['content_block_delta', 0],
    ['content_block_stop', 0],
    ['content_block_start', 1],
    ['content_block_stop', 1],
    ['content_block_start', 2],
    ['content_block_delta', 1],
    ['content_block_stop', 2],
  ]);
});

test('text after a call is another block', () => {
  const events = streamed([
    eventOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
    eventOf({ content: 'after' }),
    eventOf({}, 'tool_calls'),
  ]);
  expect(accumulate(events).content).toEqual([
    { type: 'tool_use', id: 'a', name: 'f', input: {} },
    { type: 'text', text: 'after' },
  ]);
});

test('an answer without a word has no block', () => {
  expect(accumulate(streamed()).content).toEqual([]);
  expect(accumulate(streamed([eventOf({}, 'stop')])).content).toEqual([]);
});

test.each([
  ['stop', {}, 'end_turn'],
  ['length', {}, 'max_tokens'],
  ['tool_calls', {}, 'tool_use'],
  ['content_filter', {}, 'refusal'],
  ['stop', { refusal: 'No.' }, 'refusal'],
  ['stop', { tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }, 'tool_use'],
] as const)('%s with %j is %s', (reason, said, expected) => {
  const message = { content: null, ...said };
  const choices = Buffer.from(JSON.stringify([{ index: 0, message, finish_reason: reason }]));
  expect(whole(choices).stop_reason).toBe(expected);
  const events = streamed([eventOf(said), eventOf({}, reason)]);
  expect(accumulate(events).stop_reason).toBe(expected);
});

test.each([
  ['', {}],
  ['{"x":', { raw_arguments: '{"x":' }],
  ['[1]', { raw_arguments: '[1]' }],
])('arguments %j become the object %j', (text, input) => {
  const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }];
  const message = { content: null, tool_calls: calls };
  const choices = Buffer.from(JSON.stringify([{ index: 0, message, finish_reason: 'length' }]));
  expect(whole(choices).content).toEqual([{ type: 'tool_use', id: 'a', name: 'f', input }]);
});

test('without usage nothing was used', () => {
  const choices = Buffer.from('[]');
  const { usage } = whole(choices, {
    promptTokens: 1,
    completionTokens: 0,
    totalTokens: 1,
    cachedTokens: 5,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    promptAudioTokens: 0,
    completionAudioTokens: 0,
  });
  expect(usage).toMatchObject({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 5 });
});

test('what came from a cache and what went there are counted beside the rest of the prompt', () => {
  const { usage } = whole(Buffer.from('[]'), {
    promptTokens: 20,
    completionTokens: 3,
    totalTokens: 23,
    cachedTokens: 5,
    cacheWriteTokens: 8,
    reasoningTokens: 2,
    promptAudioTokens: 0,
    completionAudioTokens: 0,
  });
  expect(usage).toEqual({
    input_tokens: 7,
    output_tokens: 3,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 8,
  });
});

test('silence is broken by a ping', () => {
  expect(readTypedEvents(anthropicFormat.keepAlive)).toEqual([
    { event: 'ping', data: { type: 'ping' } },
  ]);
});
