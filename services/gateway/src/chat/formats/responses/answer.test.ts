import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import fc from 'fast-check';
import { countSteps } from '../../../testing/count-steps';
import { answer } from '../../../testing/fixtures';
import {
  eventOf,
  generatedAnswers,
  readTypedEvents,
  type TypedEvent,
} from '../../../testing/generated-answers';
import { createFrames, toResponse } from './answer';
import { fromResponsesBody } from './request';
import { responseSchema } from './schema';

const CREATED = 1_790_000_000n;
const HEAD = { model: 'small-chat', created: CREATED, attempts: 1, channelId: '' };
const USAGE = {
  promptTokens: 9,
  completionTokens: 4,
  totalTokens: 13,
  cachedTokens: 3,
  cacheWriteTokens: 0,
  reasoningTokens: 1,
  promptAudioTokens: 2,
  completionAudioTokens: 1,
};
const { echo = {} } = fromResponsesBody({ model: 'auto', input: 'x', metadata: { a: 'b' } });

type Json = Readonly<Record<string, unknown>>;
interface Item {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly content?: readonly Json[];
  readonly summary?: readonly Json[];
}

function whole(choices: Buffer, usage: completionV1.Usage | undefined = USAGE): Json {
  const bytes = toResponse('req_1', answer('', { choices, usage }), echo);
  return JSON.parse(bytes.toString()) as Json;
}

function streamed(...batches: readonly (readonly Buffer[])[]): readonly TypedEvent[] {
  const frames = createFrames('req_1', HEAD, echo);
  const parts = batches.map((batch) => frames.chunk(batch));
  return readTypedEvents(Buffer.concat([...parts, frames.end(USAGE)]).toString());
}

/** Builds the output as a client library does, and holds the order of events. */
function accumulate(events: readonly TypedEvent[]): readonly unknown[] {
  const output: Item[] = [];
  const texts = new Map<string, string>();
  const keyOf = ({ item_id, content_index, summary_index = content_index ?? '' }: Json) =>
    `${item_id} ${summary_index}`;
  for (const [index, { event, data }] of events.entries()) {
    expect([event, data.sequence_number]).toEqual([data.type, index]);
    const item = data.item as Item;
    switch (data.type) {
      case 'response.output_item.added':
        expect([data.output_index, item.status]).toEqual([output.length, 'in_progress']);
        output.push(item);
        break;
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
        texts.set(keyOf(data), '');
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.function_call_arguments.delta':
        texts.set(keyOf(data), (texts.get(keyOf(data)) ?? '') + String(data.delta));
        break;
      case 'response.output_text.done':
      case 'response.refusal.done':
      case 'response.reasoning_summary_text.done':
      case 'response.function_call_arguments.done':
        expect(data.text ?? data.refusal ?? data.arguments).toBe(texts.get(keyOf(data)) ?? '');
        break;
      case 'response.output_item.done':
        expect(output[data.output_index as number]?.id).toBe(item.id);
        output[data.output_index as number] = item;
    }
  }
  return output;
}

test('an answer is one response, whole and streamed, wherever it was cut', () => {
  fc.assert(
    fc.property(generatedAnswers, ({ thoughts, text, refusal, calls, whole: choices, batches }) => {
      const response = whole(choices);
      expect(responseSchema.strict().safeParse(response).error).toBeUndefined();
      const events = streamed(...batches);
      expect(accumulate(events)).toEqual(response.output);
      expect(events.at(-1)?.data.response).toEqual(response);
      const output = response.output as readonly Item[];
      const spoken = output.flatMap(({ content = [] }) => content);
      expect(spoken.map((part) => part.text ?? part.refusal).join('')).toBe(text + refusal);
      const thought = output.flatMap(({ summary = [] }) => summary.map((part) => part.text));
      expect(thought.join('')).toBe(thoughts);
      expect(output.filter(({ type }) => type === 'function_call')).toMatchObject(
        calls.map(({ id, name, input }) => ({
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        })),
      );
    }),
  );
});

test('thoughts are an item before the message, with events of their own', () => {
  const events = streamed([
    eventOf({ reasoning_content: 'Hm' }),
    eventOf({ reasoning_content: '.' }),
    eventOf({ content: 'Hi' }),
  ]);
  expect(events.slice(2, 9).map(({ event }) => event)).toEqual([
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
  ]);
  expect(accumulate(events)).toMatchObject([
    {
      type: 'reasoning',
      id: 'rs_req_1_0',
      status: 'completed',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    },
    { type: 'message', id: 'msg_req_1_1' },
  ]);
});

test('signed thoughts come back from an item as they were', () => {
  const thinking_blocks = [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
    { type: 'redacted_thinking', data: 'sealed' },
  ];
  const message = { role: 'assistant', content: 'Hi', thinking_blocks };
  const { output } = whole(Buffer.from(JSON.stringify([{ message }])));
  const { messages } = fromResponsesBody({ model: 'auto', input: output });
  expect(JSON.parse(messages.toString())).toEqual([message]);
});

test('the events of text come in their order', () => {
  const events = streamed(
    [eventOf({ role: 'assistant', content: '' })],
    [eventOf({ content: 'Hel' }), eventOf({ content: 'lo' })],
    [eventOf({}, 'stop')],
  );
  expect(events.map(({ event }) => event)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events[0]?.data.response).toMatchObject({
    id: 'resp_req_1',
    object: 'response',
    created_at: Number(CREATED),
    status: 'in_progress',
    output: [],
    usage: null,
    metadata: { a: 'b' },
    store: false,
  });
  expect(events.at(-1)?.data.response).toMatchObject({
    status: 'completed',
    usage: {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 3, audio_tokens: 2 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1, audio_tokens: 1 },
      total_tokens: 13,
    },
  });
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
] as const)('%s leaves a response incomplete', (finish, reason) => {
  const events = streamed([eventOf({ content: 'Hel' })], [eventOf({}, finish)]);
  const { event, data } = events.at(-1) ?? {};
  expect(event).toBe('response.incomplete');
  expect(data?.response).toMatchObject({ status: 'incomplete', incomplete_details: { reason } });
});

test('arguments of parallel calls may be written in turns', () => {
  const call = (index: number, over: object) => eventOf({ tool_calls: [{ index, ...over }] });
  const begin = (index: number) =>
    call(index, { id: `call_${index}`, function: { name: 'f', arguments: '' } });
  const more = (index: number, text: string) => call(index, { function: { arguments: text } });
  const events = streamed([begin(0), more(0, '{"a'), begin(1), more(1, '{}'), more(0, '":1}')]);
  expect(accumulate(events)).toMatchObject([
    { call_id: 'call_0', arguments: '{"a":1}', status: 'completed' },
    { call_id: 'call_1', arguments: '{}', status: 'completed' },
  ]);
});

test('a text between calls ends only the calls since the last text', () => {
  const frames = createFrames('req_1', HEAD, echo);
  const events = Array.from({ length: 500 }, (_, place) => [
    eventOf({ tool_calls: [{ index: place, id: `call_${place}`, function: { name: 'f' } }] }),
    eventOf({ content: 'and' }),
  ]).flat();
  let written = Buffer.of();
  const steps = countSteps(() => {
    written = Buffer.concat([frames.chunk(events), frames.end(USAGE)]);
  });
  const output = accumulate(readTypedEvents(written.toString())) as readonly Item[];
  expect(output.map(({ status }) => status)).toEqual(events.map(() => 'completed'));
  expect(steps).toBeLessThan(events.length * 10);
});

test.each([
  ['UPSTREAM_ERROR', 'server_error'],
  ['RATE_LIMIT_EXCEEDED', 'rate_limit_exceeded'],
  ['CONTEXT_LENGTH_EXCEEDED', 'context_length_exceeded'],
] as const)('%s in the middle is a failed response with what was said', (code, word) => {
  const frames = createFrames('req_1', HEAD, echo);
  const begun = frames.chunk([eventOf({ content: 'Hel' })]);
  const failed = frames.fail(new AppError(code));
  const events = readTypedEvents(Buffer.concat([begun, failed]).toString());
  expect(accumulate(events)).toMatchObject([{ status: 'incomplete', content: [{ text: 'Hel' }] }]);
  const { event, data } = events.at(-1) ?? {};
  expect(event).toBe('response.failed');
  expect(data?.response).toMatchObject({
    status: 'failed',
    error: { code: word },
    output: [{ content: [{ text: 'Hel' }] }],
  });
  expect(responseSchema.strict().safeParse(data?.response).error).toBeUndefined();
});

test('what was asked for, which may be long, is made into text once for a stream', () => {
  let made = 0;
  const tool = {
    toJSON() {
      made += 1;
      return { type: 'function', name: 'f' };
    },
  };
  const asked = { ...echo, tools: [tool] };
  const frames = createFrames('req_1', HEAD, asked);
  const text = `${frames.chunk([eventOf({ content: 'Hi' })])}${frames.end(USAGE)}`;
  expect(made).toBe(1);
  const responses = readTypedEvents(text).flatMap(({ data }) => data.response ?? []);
  expect(responses).toHaveLength(3);
  for (const response of responses)
    expect(response).toMatchObject(JSON.parse(JSON.stringify(asked)));
});
