import { type Nano, nano, priceOf } from '@tollgate/core';
import fc from 'fast-check';
import {
  CAPPED_TOKENS_MIN,
  type CostInput,
  costRangeOf,
  coverAll,
  leastCostMax,
  tokensCoveredBy,
} from './cost-range';

const price = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(nano);
const prices = fc.record({
  prompt: price,
  completion: price,
  cachedPrompt: price,
  cacheWrite: fc.option(price, { nil: undefined }),
});
const tokens = (max: number) => fc.integer({ min: 0, max });
const input = fc
  .record({
    prices,
    promptEstimate: tokens(1_000_000),
    promptTokensMax: fc.constant(2_000_000),
    choices: fc.integer({ min: 1, max: 16 }),
    maxTokens: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
    completionTokensMax: fc.integer({ min: 1, max: 200_000 }),
    costMax: fc.constant(undefined),
  })
  .filter(({ maxTokens, completionTokensMax }) => (maxTokens ?? 0) <= completionTokensMax);

const covered = (asked: CostInput, reserved: Nano) =>
  tokensCoveredBy(asked, costRangeOf(asked), reserved);

describe('a reservation', () => {
  it('covers whatever a vendor may count, whatever share was cached or is now', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(input, share, share, (asked, read, written) => {
        const prompt = asked.promptTokensMax;
        const cached = Math.floor(prompt * read);
        const cacheWrite = Math.floor((prompt - cached) * written);
        const completion = (asked.maxTokens ?? asked.completionTokensMax) * asked.choices;
        const cost = priceOf(asked.prices, { prompt, completion, cached, cacheWrite });
        expect(costRangeOf(asked).worst).toBeGreaterThanOrEqual(cost);
      }),
    );
  });

  it('is never capped when the client fixed max_tokens', () => {
    fc.assert(
      fc.property(input, (asked) => {
        const bounds = costRangeOf(asked);
        expect(bounds.minimum).toBeLessThanOrEqual(bounds.worst);
        if (asked.maxTokens === undefined) return;
        expect(covered(asked, bounds.minimum)).toBe(asked.maxTokens);
        expect(covered(asked, bounds.worst)).toBe(asked.maxTokens);
      }),
    );
  });

  it('that is smaller than the worst case caps the answer at what it pays', () => {
    fc.assert(
      fc.property(input, fc.double({ min: 0, max: 1, noNaN: true }), (asked, share) => {
        const free = { ...asked, maxTokens: undefined };
        const { worst, minimum } = costRangeOf(free);
        const steps = 1_000_000n;
        const part = BigInt(Math.floor(share * 1_000_000));
        const reserved = nano(minimum + ((worst - minimum) * part) / steps);
        const cap = covered(free, reserved) ?? free.completionTokensMax;
        expect(cap).toBeLessThanOrEqual(free.completionTokensMax);
        if (cap <= CAPPED_TOKENS_MIN) return;
        const { prompt: unit } = asked.prices;
        const prompt = { ...asked.prices, cachedPrompt: unit, cacheWrite: unit };
        const completion = cap * free.choices;
        const counts = { prompt: free.promptEstimate, completion, cached: 0 };
        expect(priceOf(prompt, counts)).toBeLessThanOrEqual(reserved);
      }),
    );
  });

  it('below the minimum is refused with INSUFFICIENT_BALANCE', () => {
    const asked = {
      prices: { prompt: nano(1_000_000n), completion: nano(1_000_000n), cachedPrompt: nano(0n) },
      promptEstimate: 10,
      promptTokensMax: 15,
      choices: 1,
      maxTokens: undefined,
      completionTokensMax: 1000,
      costMax: undefined,
    };
    expect(costRangeOf(asked)).toEqual({
      worst: 1015n,
      minimum: 26n,
      minimumBesideCredit: 31n,
    });
    expect(costRangeOf({ ...asked, choices: 4 })).toMatchObject({ worst: 4015n, minimum: 74n });
    expect(covered({ ...asked, choices: 4 }, nano(100n))).toBe(22);
    expect(covered(asked, nano(1010n))).toBeUndefined();
    expect(covered(asked, nano(60n))).toBe(50);
    expect(() => covered(asked, nano(25n))).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_BALANCE' }) as Error,
    );
  });

  it('covers the dearest of all that may be tried, and begins with what the first needs', () => {
    fc.assert(
      fc.property(input, input, (first, other) => {
        const bounds = coverAll(costRangeOf(first), [costRangeOf(other)]);
        expect(bounds.minimum).toBe(costRangeOf(first).minimum);
        expect(bounds.worst).toBeGreaterThanOrEqual(costRangeOf(first).worst);
        expect(bounds.worst).toBeGreaterThanOrEqual(costRangeOf(other).worst);
      }),
    );
  });

  it('stays within what the client lets the request cost, to the nano-unit', () => {
    const share = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(input, share, (asked, thousandths) => {
        const { minimum, worst } = costRangeOf(asked);
        const costMax = nano((worst * BigInt(thousandths)) / 1000n);
        const limited = { ...asked, costMax };
        fc.pre(leastCostMax(asked) <= costMax);
        const bounds = costRangeOf(limited);
        expect(bounds.worst).toBeLessThanOrEqual(costMax);
        expect(bounds.minimum).toBeLessThanOrEqual(bounds.worst);
        expect(bounds.minimum).toBeLessThanOrEqual(minimum);
        const most = asked.maxTokens ?? asked.completionTokensMax;
        const sent = covered(limited, bounds.worst) ?? asked.completionTokensMax;
        expect(sent).toBeGreaterThanOrEqual(1);
        expect(sent).toBeLessThanOrEqual(most);
        const costOf = (tokens: number) => costRangeOf({ ...asked, maxTokens: tokens }).worst;
        expect(costOf(sent)).toBe(bounds.worst);
        if (sent < most) expect(costOf(sent + 1)).toBeGreaterThan(costMax);
      }),
    );
  });
});
