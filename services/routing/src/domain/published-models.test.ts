import { nano } from '@tollgate/core';
import {
  firstLimitsOf,
  knownLimitsOf,
  listPriceOf,
  modelPreferenceOf,
  vendorContextOf,
  vendorModelKindOf,
} from './published-models';

test('a known model has the price of its vendor, in dollars alone', () => {
  expect(listPriceOf('gpt-4o', 'USD')).toEqual({
    prompt: nano(2_500_000_000n),
    completion: nano(10_000_000_000n),
    cachedPrompt: nano(1_250_000_000n),
    source: 'list',
  });
  expect(listPriceOf('gpt-4', 'USD')?.completion).toBe(nano(60_000_000_000n));
  expect(listPriceOf('o1-pro', 'USD')?.prompt).toBe(nano(150_000_000_000n));
  expect(listPriceOf('claude-haiku-4-5', 'USD')?.cacheWrite).toBe(nano(1_250_000_000n));
  // Without a price of its own the cached prompt costs what a prompt does.
  expect(listPriceOf('gemini-2.5-pro', 'USD')?.cachedPrompt).toBe(nano(1_250_000_000n));
  expect(listPriceOf('gpt-4o', 'EUR')).toBeUndefined();
  expect(listPriceOf('constructor', 'USD')).toBeUndefined();
});

test('one that is dearer for long prompts has the price of the others, which its context keeps to', () => {
  expect(listPriceOf('claude-haiku-5-5', 'USD')).toEqual({
    prompt: nano(100_000_000n),
    completion: nano(500_000_000n),
    cachedPrompt: nano(10_000_000n),
    cacheWrite: nano(125_000_000n),
    source: 'list',
  });
});

test.each([
  ['gpt-4.1', {}, 1_047_576, 32_768],
  ['gpt-4', {}, 8_192, 8_192],
  ['gpt-5.4', {}, 272_000, 128_000],
  ['gpt-5.5', {}, 272_000, 128_000],
  [
    'claude-haiku-5-5',
    { contextLength: 1_000_000, maxCompletionTokens: 128_000 },
    100_000,
    100_000,
  ],
  ['gemini-2.5-pro', { contextLength: 1_048_576 }, 200_000, 65_536],
  ['gemini-2.5-pro', { contextLength: 32_768 }, 32_768, 32_768],
  ['gpt-4o', { contextLength: 64_000 }, 64_000, 16_384],
  ['gpt-4o', { contextLength: 8_000, maxCompletionTokens: 16_000 }, 8_000, 8_000],
  ['of-nobody', { contextLength: 32_768 }, 32_768, 32_768],
  ['of-nobody', { maxCompletionTokens: 200_000 }, 200_000, 200_000],
  ['of-nobody', {}, 128_000, 128_000],
])(
  '%s of a vendor that tells %j has a context of %i and answers up to %i',
  (name, told, ...rest) => {
    const { contextLength, maxCompletionTokens } = firstLimitsOf(name, told);
    expect([contextLength, maxCompletionTokens]).toEqual(rest);
  },
);

test('a vendor takes more than what its list price holds for', () => {
  expect(vendorContextOf('gemini-2.5-pro')).toBe(1_048_576);
  expect(vendorContextOf('gpt-4o')).toBe(128_000);
  expect(vendorContextOf('of-nobody')).toBeUndefined();
});

test('limits that nobody told are not known', () => {
  expect(knownLimitsOf('of-nobody', {})).toEqual({});
  expect(knownLimitsOf('of-nobody', { contextLength: 8192 })).toEqual({ contextLength: 8192 });
});

test.each([
  [['gpt-4o', 'gpt-4-turbo', 'o3-mini', 'claude-opus-5-5', 'gemini-2.5-pro', 'llama3.2'], 'chat'],
  [['mixtral-8x7b-instruct', 'auto-regressive-7b', 'livecode-7b', 'imagine-1'], 'chat'],
  [['text-embedding-3-large', 'nomic-embed-text'], 'embedding'],
  [
    ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'whisper-1', 'dall-e-3', 'sora-2', 'gpt-image-1'],
    'other',
  ],
  [['gpt-audio', 'gpt-4o-audio-preview', 'gpt-realtime-mini', 'gpt-4o-transcribe'], 'other'],
  [['omni-moderation-latest', 'babbage-002', 'davinci-002', 'gpt-3.5-turbo-instruct'], 'other'],
  [['o1-pro', 'gpt-5-pro', 'gemini-2.5-flash-image', 'gemini-2.5-flash-preview-tts'], 'other'],
])('%j are of the kind %s', (names, kind) => {
  expect(names.map(vendorModelKindOf)).toEqual(names.map(() => kind));
});

test('newer models are offered before older ones, and unknown ones last', () => {
  const names = ['of-nobody', 'gpt-4', 'gpt-3.5-turbo', 'gpt-5', 'gpt-4o'];
  expect(names.sort((a, b) => modelPreferenceOf(a) - modelPreferenceOf(b))).toEqual([
    'gpt-5',
    'gpt-4o',
    'gpt-3.5-turbo',
    'gpt-4',
    'of-nobody',
  ]);
});
