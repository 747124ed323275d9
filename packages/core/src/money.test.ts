import * as fc from 'fast-check';
import {
  chargeOf,
  discountedPrices,
  formatAmount,
  maxNano,
  minNano,
  nano,
  parseAmount,
  parseNano,
  priceOf,
} from './money';

const NANO_MAX = 2n ** 63n - 1n;
const amounts = fc.bigInt({ min: -NANO_MAX, max: NANO_MAX }).map(nano);

test.each([
  [0n, '0.00'],
  [10_000_000_000n, '10.00'],
  [123_000n, '0.000123'],
  [1n, '0.000000001'],
  [-1_500_000_000n, '-1.50'],
  [NANO_MAX, '9223372036.854775807'],
])('%s nano-units are written %s', (value, text) => {
  expect(formatAmount(nano(value))).toBe(text);
  expect(parseAmount(text)).toBe(value);
});

test('every amount is read back as it was written', () => {
  fc.assert(fc.property(amounts, (amount) => parseAmount(formatAmount(amount)) === amount));
  fc.assert(fc.property(amounts, (amount) => parseNano(amount.toString()) === amount));
});

test.each(['', '.5', '1.', '1.0000000001', '1e3', '+1', ' 1', '1,0', '99999999999', '9223372037'])(
  'the text "%s" is no amount',
  (text) => {
    expect(parseAmount(text)).toBeUndefined();
  },
);

test.each(['', '1.5', '0x1', '99999999999999999999', '9223372036854775808'])(
  'the text "%s" is no number of nano-units',
  (text) => {
    expect(() => parseNano(text)).toThrow(RangeError);
  },
);

test('an amount beyond an Int64 is refused', () => {
  expect(() => nano(NANO_MAX + 1n)).toThrow(RangeError);
  expect(() => nano(-NANO_MAX - 1n)).toThrow(RangeError);
});

describe('price', () => {
  const prices = { prompt: nano(100n), completion: nano(400n), cachedPrompt: nano(10n) };

  test('is rounded up once for the whole request, not per part', () => {
    // 1 × 100 + 1 × 400 per 1M tokens is far below one nano-unit, and is charged as one.
    expect(priceOf(prices, { prompt: 1, completion: 1, cached: 0 })).toBe(1n);
    expect(priceOf(prices, { prompt: 10_000, completion: 0, cached: 0 })).toBe(1n);
    expect(priceOf(prices, { prompt: 10_001, completion: 0, cached: 0 })).toBe(2n);
    expect(priceOf(prices, { prompt: 0, completion: 0, cached: 0 })).toBe(0n);
  });

  test('takes cached tokens out of the prompt', () => {
    expect(priceOf(prices, { prompt: 1_000_000, completion: 0, cached: 1_000_000 })).toBe(10n);
    expect(priceOf(prices, { prompt: 2_000_000, completion: 0, cached: 1_000_000 })).toBe(110n);
  });

  test('takes what goes into a cache out of the prompt, at a price of its own or the prompt’s', () => {
    const tokens = { prompt: 3_000_000, completion: 0, cached: 1_000_000, cacheWrite: 1_000_000 };
    expect(priceOf(prices, tokens)).toBe(100n + 10n + 100n);
    expect(priceOf({ ...prices, cacheWrite: nano(125n) }, tokens)).toBe(100n + 10n + 125n);
    expect(() => priceOf(prices, { ...tokens, cacheWrite: 2_000_001 })).toThrow(RangeError);
    // The example of docs/vendors.md: 0.00535.
    const unit = {
      prompt: nano(1_000_000_000n),
      completion: nano(0n),
      cachedPrompt: nano(100_000_000n),
    };
    expect(
      priceOf(
        { ...unit, cacheWrite: nano(1_250_000_000n) },
        { prompt: 10_000, completion: 0, cached: 6_000, cacheWrite: 3_000 },
      ),
    ).toBe(5_350_000n);
    const marked = discountedPrices({ ...prices, cacheWrite: nano(125n) }, -10_000);
    expect(marked.cacheWrite).toBe(250n);
  });

  test('never falls when a count grows', () => {
    const count = fc.nat(10_000_000);
    fc.assert(
      fc.property(count, count, count, (prompt, completion, more) => {
        const before = priceOf(prices, { prompt, completion, cached: 0 });
        expect(priceOf(prices, { prompt: prompt + more, completion, cached: 0 }) >= before).toBe(
          true,
        );
      }),
    );
  });

  test.each([
    { prompt: -1, completion: 0, cached: 0 },
    { prompt: 1, completion: 0, cached: 2 },
    { prompt: 1.5, completion: 0, cached: 0 },
    { prompt: Number.NaN, completion: 0, cached: 0 },
  ])('of %j is refused', (tokens) => {
    expect(() => priceOf(prices, tokens)).toThrow(RangeError);
  });

  test('is charged up to what was reserved for it', () => {
    const tokens = { prompt: 500_000, completion: 0, cached: 0 };
    expect(chargeOf(prices, tokens, nano(40n))).toBe(40n);
    expect(chargeOf(prices, tokens, nano(60n))).toBe(50n);
  });
});

test('the smaller and the larger of two amounts', () => {
  expect(minNano(nano(1n), nano(2n))).toBe(1n);
  expect(maxNano(nano(1n), nano(2n))).toBe(2n);
});

describe('a discount', () => {
  const prices = (prompt: bigint, completion = prompt, cachedPrompt = 0n) => ({
    prompt: nano(prompt),
    completion: nano(completion),
    cachedPrompt: nano(cachedPrompt),
  });
  const LIST = prices(1_000_000_000n, 3_000_000_000n, 100_000_001n);

  // The figures of docs/billing.md.
  test.each([
    [0, '1.00', '3.00', '0.100000001', '0.00175'],
    [1_250, '0.875', '2.625', '0.087500001', '0.00153125'],
    [3_333, '0.6667', '2.0001', '0.066670001', '0.001166725'],
    [10_000, '0.00', '0.00', '0.00', '0.00'],
    [-1_000, '1.10', '3.30', '0.110000002', '0.001925'],
  ])('of %s hundredths of a percent is exact to the nano-unit', (discount, ...figures) => {
    const less = discountedPrices(LIST, discount);
    const charge = priceOf(less, { prompt: 1_000, completion: 250, cached: 0 });
    const amounts = [less.prompt, less.completion, less.cachedPrompt, charge];
    expect(amounts.map(formatAmount)).toEqual(figures);
  });

  test('never gives more than its share, and less than a nano-unit of a price less', () => {
    const list = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const share = fc.integer({ min: -90_000, max: 10_000 });
    fc.assert(
      fc.property(list, share, (price, discount) => {
        const charged = discountedPrices(prices(price), discount).prompt;
        const exact = price * BigInt(10_000 - discount);
        return charged * 10_000n >= exact && charged * 10_000n < exact + 10_000n;
      }),
    );
  });
});
