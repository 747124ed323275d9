import fc from 'fast-check';
import { answer } from '../../../testing/fixtures';
import { embeddingsFormat } from './format';
import { fromEmbeddingsBody } from './request';
import { embeddingsRequestSchema, embeddingsSchema } from './schema';

const ASKED = { model: 'vectors', input: ['one', 'two'] };

test.each([
  ['a text', { input: 'one' }, ['one']],
  ['texts', {}, ['one', 'two']],
])('%s goes on as an array of texts', (_what, over, texts) => {
  const request = fromEmbeddingsBody({ ...ASKED, dimensions: 3, user: 'u', ...over });
  expect(JSON.parse(String(request.messages))).toEqual(texts);
  expect(request).toMatchObject({
    model: 'vectors',
    messageCount: texts.length,
    stream: false,
    embedding: { dimensions: 3 },
    parameters: { user: 'u' },
  });
});

test.each([
  ['model', { model: '' }],
  ['input', { input: '' }],
  ['input', { input: [] }],
  ['input', { input: ['one', ''] }],
  ['input', { input: [[1, 2]] }],
  ['input', { input: Array.from({ length: 2049 }, () => 'x') }],
  ['encoding_format', { encoding_format: 'binary' }],
  ['dimensions', { dimensions: 0 }],
  ['user', { user: 7 }],
  ['models', { models: ['other'] }],
])('%s is at fault in %j', (param, over) => {
  expect(() => fromEmbeddingsBody({ ...ASKED, ...over })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', param }) as Error,
  );
});

test('the schema takes what the check takes', () => {
  const odd = fc.constantFrom(null, 0, 1, 2.5, '', 'x', [], ['x', ''], {}, true, 'base64');
  const body = fc.record(
    {
      model: fc.oneof({ weight: 4, arbitrary: fc.constant('vectors') }, odd),
      input: fc.oneof(fc.constantFrom('one', ['one', 'two']), odd),
      encoding_format: fc.oneof(fc.constantFrom('float', 'base64'), odd),
      dimensions: fc.oneof(fc.constantFrom(1, 65_536, 65_537), odd),
      user: odd,
    },
    { requiredKeys: [] },
  );
  let taken = 0;
  fc.assert(
    fc.property(body, (value) => {
      let checked = true;
      try {
        fromEmbeddingsBody(value);
      } catch {
        checked = false;
      }
      if (checked) taken += 1;
      expect([value, embeddingsRequestSchema.safeParse(value).success]).toEqual([value, checked]);
    }),
    { seed: 7, numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(20);
});

test.each([
  ['float', [0.5, -1.25]],
  ['base64', 'AAAAPwAAoL8='],
])('vectors are written as %s', async (encoding, vector) => {
  const base64 = Buffer.from(Float32Array.from([0.5, -1.25]).buffer).toString('base64');
  const usage = {
    promptTokens: 4,
    completionTokens: 0,
    totalTokens: 4,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    promptAudioTokens: 0,
    completionAudioTokens: 0,
  };
  const choices = Buffer.from(JSON.stringify([base64, base64]));
  const body = await embeddingsFormat.answer('req_1', answer('', { choices, usage }), { encoding });
  const written: unknown = JSON.parse(body.toString());
  expect(written).toEqual({
    object: 'list',
    data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: vector })),
    model: 'small-chat',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  expect(embeddingsSchema.safeParse(written).success).toBe(true);
});
