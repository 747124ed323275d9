import { nano } from '@tollgate/core';
import { listPriceOf } from './list-prices';

test('a known model has the price of its vendor, in dollars alone', () => {
  expect(listPriceOf('gpt-4o', 'USD')).toEqual({
    prompt: nano(2_500_000_000n),
    completion: nano(10_000_000_000n),
    cachedPrompt: nano(1_250_000_000n),
    source: 'list',
  });
  expect(listPriceOf('claude-haiku-4-5', 'USD')?.cacheWrite).toBe(nano(1_250_000_000n));
  // Without a price of its own the cached prompt costs what a prompt does.
  expect(listPriceOf('gemini-2.5-pro', 'USD')?.cachedPrompt).toBe(nano(1_250_000_000n));
  expect(listPriceOf('gpt-4o', 'EUR')).toBeUndefined();
  expect(listPriceOf('constructor', 'USD')).toBeUndefined();
});
