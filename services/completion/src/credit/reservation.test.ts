import { type Nano, nano, priceOf } from '@tollgate/core';
import fc from 'fast-check';
import { chargeOf } from '../usage/price';
import {
  CAPPED_TOKENS_MIN,
  coverAll,
  leastCostMax,
  planReservation,
  type ReservationInput,
  tokensCoveredBy,
} from './reservation';

const price = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(nano);
const prices = fc.record({
  ...{ prompt: price, completion: price, cachedPrompt: price },
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

const covered = (asked: ReservationInput, reserved: Nano) =>
  tokensCoveredBy(asked, planReservation(asked), reserved);

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
        expect(planReservation(asked).worst).toBeGreaterThanOrEqual(cost);
      }),
    );
  });

  it('is never capped when the client fixed max_tokens', () => {
    fc.assert(
      fc.property(input, (asked) => {
        const plan = planReservation(asked);
        expect(plan.minimum).toBeLessThanOrEqual(plan.worst);
        if (asked.maxTokens === undefined) return;
        expect(covered(asked, plan.minimum)).toBe(asked.maxTokens);
        expect(covered(asked, plan.worst)).toBe(asked.maxTokens);
      }),
    );
  });

  it('that is smaller than the worst case caps the answer at what it pays', () => {
    fc.assert(
      fc.property(input, fc.double({ min: 0, max: 1, noNaN: true }), (asked, share) => {
        const free = { ...asked, maxTokens: undefined };
        const { worst, minimum } = planReservation(free);
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
    expect(planReservation(asked)).toEqual({ worst: 1015n, minimum: 26n });
    expect(planReservation({ ...asked, choices: 4 })).toEqual({ worst: 4015n, minimum: 74n });
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
        const plan = coverAll(planReservation(first), [planReservation(other)]);
        expect(plan.minimum).toBe(planReservation(first).minimum);
        expect(plan.worst).toBeGreaterThanOrEqual(planReservation(first).worst);
        expect(plan.worst).toBeGreaterThanOrEqual(planReservation(other).worst);
      }),
    );
  });

  it('stays within what the client lets the request cost, to the nano-unit', () => {
    const share = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(input, share, (asked, thousandths) => {
        const { minimum, worst } = planReservation(asked);
        const costMax = nano((worst * BigInt(thousandths)) / 1000n);
        const limited = { ...asked, costMax };
        fc.pre(leastCostMax(asked) <= costMax);
        const plan = planReservation(limited);
        expect(plan.worst).toBeLessThanOrEqual(costMax);
        expect(plan.minimum).toBeLessThanOrEqual(plan.worst);
        expect(plan.minimum).toBeLessThanOrEqual(minimum);
        const most = asked.maxTokens ?? asked.completionTokensMax;
        const sent = covered(limited, plan.worst) ?? asked.completionTokensMax;
        expect(sent).toBeGreaterThanOrEqual(1);
        expect(sent).toBeLessThanOrEqual(most);
        const costOf = (tokens: number) => planReservation({ ...asked, maxTokens: tokens }).worst;
        expect(costOf(sent)).toBe(plan.worst);
        if (sent < most) expect(costOf(sent + 1)).toBeGreaterThan(costMax);
      }),
    );
  });

  it('bounds the charge', () => {
    const prices = { prompt: nano(1_000_000n), completion: nano(0n), cachedPrompt: nano(0n) };
    const counts = { prompt: 50, completion: 0, cached: 0 };
    expect(chargeOf(prices, counts, nano(40n))).toBe(40n);
    expect(chargeOf(prices, counts, nano(60n))).toBe(50n);
  });
});
