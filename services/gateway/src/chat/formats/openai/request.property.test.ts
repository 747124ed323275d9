import { AppError } from '@tollgate/core';
import fc from 'fast-check';
import { CHAT_BOUNDS } from '../shared-fields';
import { fromChatBody } from './request';
import { chatRequestSchema } from './schema';

/** The deepest part of a schema path that clients are told about. */
function toParam(path: readonly PropertyKey[]): string | undefined {
  const depth = path[0] === 'messages' ? 3 : path[0] === 'stream_options' ? 2 : 1;
  const steps = path
    .slice(0, depth)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.length === 0 ? undefined : steps.join('').slice(1);
}

/** What one of the two checks finds. */
type Finding = { readonly valid: true } | { readonly valid: false; readonly param?: string };

function byHand(body: unknown): Finding {
  try {
    fromChatBody(body);
    return { valid: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    return { valid: false, ...(error.param === undefined ? {} : { param: error.param }) };
  }
}

function bySchema(body: unknown): Finding {
  const result = chatRequestSchema.safeParse(body);
  if (result.success) return { valid: true };
  const param = toParam(result.error.issues[0]?.path ?? []);
  return { valid: false, ...(param === undefined ? {} : { param }) };
}

const odd = fc.constantFrom<unknown>(null, '', 'x', '1', 0, 1, -1, 1.5, 1e9, 1e300, true, [], {});
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const tool = { type: 'function', function: { name: 'f' } };

const content = fc.oneof(
  { weight: 4, arbitrary: fc.string() },
  fc.array(
    fc.record({
      type: fc.constantFrom('text', 'image_url', 'file', 'audio'),
      text: fc.oneof({ weight: 4, arbitrary: fc.string() }, odd),
      image_url: fc.constantFrom<unknown>(
        { url: 'https://pictures.example/a.png', detail: 'low' },
        { url: 'data:image/png;base64,iVBORw0K' },
        { url: 'data:image/tiff;base64,iVBORw0K' },
        { url: 'data:image/png;base64,"' },
        { url: `https://${'x'.repeat(2050)}` },
        { url: 'https://pictures.example/a.png', detail: 'much' },
        {},
        7,
      ),
      file: fc.constantFrom<unknown>(
        { file_data: 'data:application/pdf;base64,JVBERi0x', filename: 'a.pdf' },
        { file_data: 'data:text/plain;base64,JVBERi0x' },
        { file_data: 'data:application/pdf;base64,JVBERi0x', filename: 'x'.repeat(257) },
        { file_id: 'file_1' },
        7,
      ),
    }),
    { maxLength: 3 },
  ),
  odd,
);
const message = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        role: fc.constantFrom<unknown>('user', 'system', 'assistant', 'developer', 'tool', 'x', 1),
        content,
        tool_calls: fc.oneof(
          fc.constantFrom<unknown>([call], [{}], [call, { ...call, id: 1 }]),
          odd,
        ),
        tool_call_id: fc.oneof(fc.string(), odd),
        reasoning_content: odd,
        thinking_blocks: fc.oneof(
          fc.constantFrom<unknown>(
            [{ type: 'thinking', thinking: 'x', signature: 'y' }],
            [{ type: 'thinking', thinking: 'x', signature: null, more: 1 }],
            [{ type: 'redacted_thinking', data: 'x' }],
            [{ type: 'thinking' }],
            [7],
          ),
          odd,
        ),
      },
      { requiredKeys: ['role'] },
    ),
  },
  odd,
);

const near = (...values: readonly unknown[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, odd);
const number = fc.oneof(fc.double({ min: -3, max: 3 }), odd);

const anything = fc.record(
  {
    model: fc.oneof({ weight: 5, arbitrary: fc.string({ minLength: 1, maxLength: 300 }) }, odd),
    models: near(['m'], [], [''], ['m', 7]),
    messages: fc.oneof({ weight: 8, arbitrary: fc.array(message, { maxLength: 4 }) }, odd),
    temperature: number,
    top_p: number,
    max_tokens: near(1, 2, 4_294_967_295, 4_294_967_296),
    max_completion_tokens: near(1, 2, 4_294_967_296),
    stream: near(true, false),
    stream_options: near({ include_usage: true }, { include_usage: 1 }, { include_usage: null }),
    stop: near('a', ['a', 'b'], ['a', ''], ['a', 'b', 'c', 'd', 'e'], 'x'.repeat(257)),
    presence_penalty: number,
    frequency_penalty: number,
    user: near('someone', 'x'.repeat(513)),
    seed: near(7, 2 ** 53),
    metadata: near({ a: 'b' }),
    n: near(1, 16, 17),
    tools: near([tool], [{}], [tool, { type: 'function', function: { name: '' } }]),
    tool_choice: near('none', 'auto', 'required', tool, { type: 'function' }),
    parallel_tool_calls: near(true),
    response_format: near(
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema' },
      { type: 'json_schema', json_schema: {} },
    ),
    logprobs: near(true, false),
    top_logprobs: near(0, 20, 21),
    logit_bias: near({ 1: 100 }, { 1: 101 }, { 1: 'x' }),
    something_else: odd,
  },
  { requiredKeys: [] },
);

const plain = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
// A few odd fields on a good request: most faults then stand alone, and some requests are valid.
const body = fc
  .tuple(anything, fc.array(fc.nat(30), { maxLength: 4 }))
  .map(([odds, picks]): object => {
    const entries = Object.entries(odds);
    const chosen = picks.flatMap((pick) => (entries[pick] === undefined ? [] : [entries[pick]]));
    return { ...plain, ...Object.fromEntries(chosen) };
  });

test('the documented schema and the checks by hand find the same field at fault', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 20, arbitrary: body }, { weight: 5, arbitrary: anything }, odd),
      (candidate) => {
        expect(byHand(candidate)).toEqual(bySchema(candidate));
      },
    ),
    { numRuns: 3000 },
  );
});

test('the generated requests are both valid and not valid', () => {
  const findings = fc
    .sample(body, { numRuns: 3000, seed: 5 })
    .map((sample) => byHand(sample).valid);
  expect(findings.filter((valid) => valid).length).toBeGreaterThan(0);
  expect(findings.filter((valid) => !valid).length).toBeGreaterThan(0);
});

const repeat = (count: number, part: unknown) => Array.from({ length: count }, () => part);
const named = (length: number) => [{ type: 'function', function: { name: 'x'.repeat(length) } }];
const withCalls = (count: number) => [{ role: 'assistant', tool_calls: repeat(count, call) }];
const ofTool = (length: number) => [
  { role: 'tool', content: 'x', tool_call_id: 'x'.repeat(length) },
];
const L = CHAT_BOUNDS;

/** For every bound what is just within it and what is just beyond. */
const BOUNDS: Readonly<
  Record<keyof typeof CHAT_BOUNDS, readonly [within: object, beyond: object]>
> = {
  modelLengthMax: [
    { model: 'x'.repeat(L.modelLengthMax) },
    { model: 'x'.repeat(L.modelLengthMax + 1) },
  ],
  fallbacksMax: [
    { models: repeat(L.fallbacksMax, 'm') },
    { models: repeat(L.fallbacksMax + 1, 'm') },
  ],
  messagesMax: [
    { messages: repeat(L.messagesMax, plain.messages[0]) },
    { messages: repeat(L.messagesMax + 1, plain.messages[0]) },
  ],
  temperatureMax: [{ temperature: L.temperatureMax }, { temperature: L.temperatureMax + 0.1 }],
  topPMax: [{ top_p: L.topPMax }, { top_p: L.topPMax + 0.1 }],
  penaltyMin: [{ presence_penalty: L.penaltyMin }, { presence_penalty: L.penaltyMin - 0.1 }],
  penaltyMax: [{ frequency_penalty: L.penaltyMax }, { frequency_penalty: L.penaltyMax + 0.1 }],
  maxTokensMax: [{ max_tokens: L.maxTokensMax }, { max_tokens: L.maxTokensMax + 1 }],
  stopMax: [{ stop: repeat(L.stopMax, 'x') }, { stop: repeat(L.stopMax + 1, 'x') }],
  stopLengthMax: [
    { stop: 'x'.repeat(L.stopLengthMax) },
    { stop: ['x'.repeat(L.stopLengthMax + 1)] },
  ],
  userLengthMax: [{ user: 'x'.repeat(L.userLengthMax) }, { user: 'x'.repeat(L.userLengthMax + 1) }],
  choicesMax: [{ n: L.choicesMax }, { n: L.choicesMax + 1 }],
  toolsMax: [{ tools: repeat(L.toolsMax, tool) }, { tools: repeat(L.toolsMax + 1, tool) }],
  toolNameLengthMax: [
    { tools: named(L.toolNameLengthMax) },
    { tools: named(L.toolNameLengthMax + 1) },
  ],
  toolCallsMax: [
    { messages: withCalls(L.toolCallsMax) },
    { messages: withCalls(L.toolCallsMax + 1) },
  ],
  toolCallIdLengthMax: [
    { messages: ofTool(L.toolCallIdLengthMax) },
    { messages: ofTool(L.toolCallIdLengthMax + 1) },
  ],
  topLogprobsMax: [{ top_logprobs: L.topLogprobsMax }, { top_logprobs: L.topLogprobsMax + 1 }],
  logitBiasMin: [{ logit_bias: { 1: L.logitBiasMin } }, { logit_bias: { 1: L.logitBiasMin - 1 } }],
  logitBiasMax: [{ logit_bias: { 1: L.logitBiasMax } }, { logit_bias: { 1: L.logitBiasMax + 1 } }],
};

test.each(Object.entries(BOUNDS))('%s is the same bound in both', (_name, [within, beyond]) => {
  expect(byHand({ ...plain, ...within })).toEqual({ valid: true });
  expect(bySchema({ ...plain, ...within })).toEqual({ valid: true });
  expect(byHand({ ...plain, ...beyond })).toMatchObject({ valid: false });
  expect(byHand({ ...plain, ...beyond })).toEqual(bySchema({ ...plain, ...beyond }));
});
