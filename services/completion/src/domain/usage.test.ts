import { acceptUsage } from './usage';

const bounds = { promptBytes: 40, messageCount: 1, completionTokensMax: 100, receivedText: true };
const usage = (changes: object) => ({ prompt: 12, completion: 3, cached: 0, ...changes });

it('takes counts that make sense, with the cached part within the prompt', () => {
  expect(acceptUsage(usage({}), bounds)).toEqual({ prompt: 12, completion: 3, cached: 0 });
  expect(acceptUsage(usage({ cached: 5 }), bounds)?.cached).toBe(5);
  expect(acceptUsage(usage({ cached: 50 }), bounds)?.cached).toBe(12);
  expect(acceptUsage(usage({ cached: -1 }), bounds)?.cached).toBe(0);
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
