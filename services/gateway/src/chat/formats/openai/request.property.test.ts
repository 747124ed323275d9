import { AppError } from '@tollgate/core';
import fc from 'fast-check';
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

type Verdict = { readonly valid: true } | { readonly valid: false; readonly param?: string };

function byHand(body: unknown): Verdict {
  try {
    fromChatBody(body);
    return { valid: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    return { valid: false, ...(error.param === undefined ? {} : { param: error.param }) };
  }
}

function bySchema(body: unknown): Verdict {
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
  fc.array(fc.record({ type: fc.constantFrom('text', 'image_url'), text: fc.string() }), {
    maxLength: 3,
  }),
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
// A few odd members on a good request: most faults then stand alone, and some requests are valid.
const body = fc
  .tuple(anything, fc.array(fc.nat(30), { maxLength: 4 }))
  .map(([odds, picks]): object => {
    const entries = Object.entries(odds);
    const chosen = picks.flatMap((pick) => (entries[pick] === undefined ? [] : [entries[pick]]));
    return { ...plain, ...Object.fromEntries(chosen) };
  });

test('the documented schema and the checks by hand agree on verdict and field', () => {
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
  const verdicts = fc
    .sample(body, { numRuns: 3000, seed: 5 })
    .map((sample) => byHand(sample).valid);
  expect(verdicts.filter((valid) => valid).length).toBeGreaterThan(0);
  expect(verdicts.filter((valid) => !valid).length).toBeGreaterThan(0);
});
