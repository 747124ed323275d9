import { completionV1 } from '@tollgate/protos';
import fc from 'fast-check';
import { completionDefinition } from './codec';

const { requestSerialize, responseSerialize } = completionDefinition.session;

// Of many alphabets and lengths, so that lengths of one, two and three bytes occur.
const text = fc.oneof(
  fc.constant(''),
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((each) => each.toWellFormed()),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
  fc.integer({ min: 0, max: 40_000 }).map((length) => Buffer.alloc(length, 'x')),
);
const uint32 = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 0xffff_ffff }));
const int64 = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const double = fc.double({ noNaN: true });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const texts = fc.array(text, { maxLength: 3 });

const caller: fc.Arbitrary<completionV1.Caller> = fc.record({
  accountId: text,
  keyId: text,
  userId: text,
  operator: fc.boolean(),
  models: texts,
  pools: texts,
  grantedGroups: texts,
  accountModels: texts,
  discount: fc.integer({ min: -90_000, max: 10_000 }),
  maxBudget: maybe(int64),
  budgetPeriod: fc.constantFrom(...Object.values(completionV1.BudgetPeriod)),
});
const parameters: fc.Arbitrary<completionV1.Parameters> = fc.record({
  temperature: maybe(double),
  topP: maybe(double),
  maxTokens: maybe(uint32),
  stop: texts,
  presencePenalty: maybe(double),
  frequencyPenalty: maybe(double),
  seed: maybe(int64),
  user: text,
  capabilityMembers: bytes,
  requiredCapabilities: texts,
  capabilityParam: text,
  cacheMarks: fc.array(fc.record({ message: fc.integer({ min: -1 }), end: uint32 })),
  thinkingBudget: maybe(uint32),
});
const input: fc.Arbitrary<completionV1.CompletionInput> = fc.record({
  requestId: text,
  clientRequestId: text,
  caller: maybe(caller),
  model: text,
  messages: bytes,
  parameters: maybe(parameters),
  messageCount: uint32,
  deadlineMs: uint32,
  traceparent: text,
  maxCost: maybe(int64),
  media: maybe(fc.record({ bytes: uint32, images: uint32, files: uint32 })),
  fallbackModels: texts,
  keeping: maybe(fc.record({ finish: fc.boolean() })),
  embedding: maybe(fc.record({ dimensions: maybe(uint32) })),
  limitsLeft: text,
  ignoredMembers: text,
});
type Action = completionV1.SessionRequestFrame['action'];
const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({ input: maybe(input), stream: fc.boolean() })
    .map((value): Action => ({ $case: 'open', value })),
  fc
    .tuple(fc.constantFrom('cancel' as const, 'pause' as const, 'resume' as const), fc.boolean())
    .map(([$case, value]): Action => ({ $case, value })),
  fc.constant(undefined),
);
const request: fc.Arbitrary<completionV1.SessionRequest> = fc.record({
  frames: fc.array(fc.record({ number: uint32, action }), { maxLength: 4 }),
});

const usage: fc.Arbitrary<completionV1.Usage> = fc.record({
  promptTokens: uint32,
  completionTokens: uint32,
  totalTokens: uint32,
  cachedTokens: uint32,
  reasoningTokens: uint32,
  cacheWriteTokens: uint32,
  promptAudioTokens: uint32,
  completionAudioTokens: uint32,
});
const failure: fc.Arbitrary<completionV1.Failure> = fc.record({
  code: text,
  message: text,
  param: text,
  retryAfterMs: uint32,
  retryable: fc.boolean(),
  recorded: fc.boolean(),
  rejected: fc.array(
    fc.record({ channelId: text, model: text, reason: text, retryAfterMs: uint32 }),
    { maxLength: 3 },
  ),
});
const head = { model: text, created: int64, attempts: uint32, channelId: text };
const complete: fc.Arbitrary<completionV1.CompleteResponse> = fc.record({
  ...head,
  choices: bytes,
  usage: maybe(usage),
  amount: int64,
});
type Event = completionV1.SessionResponseFrame['event'];
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record(head).map((value): Event => ({ $case: 'head', value })),
  fc
    .record({ choices: fc.array(bytes, { maxLength: 3 }) })
    .map((value): Event => ({ $case: 'chunk', value })),
  fc
    .record({ usage: maybe(usage), amount: int64, failure: maybe(failure) })
    .map((value): Event => ({ $case: 'end', value })),
  complete.map((value): Event => ({ $case: 'complete', value })),
  failure.map((value): Event => ({ $case: 'failure', value })),
  fc.constant(undefined),
);
const response: fc.Arbitrary<completionV1.SessionResponse> = fc.record({
  frames: fc.array(fc.record({ number: uint32, event }), { maxLength: 4 }),
  draining: fc.boolean(),
  unready: fc.boolean(),
});

const RUNS = { numRuns: 500 };

test('a request message is written to the byte as the generated codec writes it', () => {
  fc.assert(
    fc.property(request, (message) => {
      const expected = Buffer.from(completionV1.SessionRequest.encode(message).finish());
      expect(requestSerialize(message).equals(expected)).toBe(true);
    }),
    RUNS,
  );
});

test('a response message is written to the byte as the generated codec writes it', () => {
  fc.assert(
    fc.property(response, (message) => {
      const expected = Buffer.from(completionV1.SessionResponse.encode(message).finish());
      expect(responseSerialize(message).equals(expected)).toBe(true);
    }),
    RUNS,
  );
});

test('a long prompt is read where its message lies, without a copy', () => {
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content: 'x'.repeat(1000) }]));
  const input = { ...completionV1.CompletionInput.decode(Buffer.alloc(0)), messages };
  const wire = Buffer.from(completionV1.CompletionInput.encode(input).finish());
  const read = completionV1.CompletionInput.decode(wire);
  expect(read.messages.equals(messages)).toBe(true);
  expect(read.messages.buffer).toBe(wire.buffer);
});
