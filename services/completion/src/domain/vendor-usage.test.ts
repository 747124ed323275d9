import { mediaTokensMax } from '../usage/estimate';
import { acceptUsage } from './vendor-usage';

const bounds = {
  promptTextBytes: 40,
  mediaTokensMax: 0,
  messageCount: 1,
  completionTokensMax: 100,
  receivedText: true,
};
const usage = (changes: object) => ({ prompt: 12, completion: 3, cached: 0, ...changes });

it('takes counts that make sense, with the cached part within the prompt', () => {
  expect(acceptUsage(usage({}), bounds)).toEqual({
    prompt: 12,
    completion: 3,
    cached: 0,
    cacheWrite: 0,
    reasoning: 0,
    promptAudio: 0,
    completionAudio: 0,
  });
  expect(acceptUsage(usage({ reasoning: 50 }), bounds)?.reasoning).toBe(3);
  const audio = (of: object) => acceptUsage(usage(of), bounds);
  expect(audio({ promptAudio: 5, completionAudio: 2 })).toMatchObject({
    promptAudio: 5,
    completionAudio: 2,
  });
  expect(audio({ promptAudio: 50, completionAudio: 50 })).toMatchObject({
    promptAudio: 12,
    completionAudio: 3,
  });
  expect(audio({ promptAudio: -1, completionAudio: 'x' })).toMatchObject({
    promptAudio: 0,
    completionAudio: 0,
  });
  expect(acceptUsage(usage({ cached: 5 }), bounds)?.cached).toBe(5);
  expect(acceptUsage(usage({ cached: 50 }), bounds)?.cached).toBe(12);
  expect(acceptUsage(usage({ cached: -1 }), bounds)?.cached).toBe(0);
  // What was read from the cache and what was put there are different parts of the prompt.
  expect(acceptUsage(usage({ cacheWrite: 4 }), bounds)?.cacheWrite).toBe(4);
  expect(acceptUsage(usage({ cached: 5, cacheWrite: 50 }), bounds)?.cacheWrite).toBe(7);
  expect(acceptUsage(usage({ cacheWrite: 'x' }), bounds)?.cacheWrite).toBe(0);
});

it.each([
  ['absent', undefined],
  ['a negative prompt', usage({ prompt: -12 })],
  ['a negative completion', usage({ completion: -1 })],
  ['not a number', usage({ completion: Number.NaN })],
  ['text', usage({ prompt: '12' })],
  ['a fraction', usage({ completion: 1.5 })],
  ['null', usage({ completion: null })],
  ['more prompt than was sent', usage({ prompt: 1_000_000 })],
  ['more completion than was asked for', usage({ completion: 101 })],
  ['no prompt at all', usage({ prompt: 0 })],
  ['no completion where text came', usage({ completion: 0 })],
])('has a count of the text in place of usage that is %s', (_what, reported) => {
  expect(acceptUsage(reported, bounds)).toBeUndefined();
});

it('believes an empty answer', () => {
  const silent = { ...bounds, receivedText: false };
  expect(acceptUsage(usage({ completion: 0 }), silent)).toMatchObject({ completion: 0 });
});

it('believes counts of images and files up to what a vendor states for them', () => {
  const mediaMax = mediaTokensMax({ bytes: 4_000_000, images: 2, files: 1 });
  expect(mediaMax).toBe(2 * 50_000 + 1_000_000);
  const seen = usage({ prompt: 90_000 });
  expect(acceptUsage(seen, bounds)).toBeUndefined();
  expect(acceptUsage(seen, { ...bounds, mediaTokensMax: mediaMax })?.prompt).toBe(90_000);
});
