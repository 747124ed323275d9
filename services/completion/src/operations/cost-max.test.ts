import { AppError, maxNano, nano, priceOf, type UnitPrices } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import fc from 'fast-check';
import { VendorFailure } from '../domain/vendor';
import type { RouteModel } from '../routing/candidate';
import { createRouteTable } from '../routing/route-table';
import {
  createRunFixture,
  exampleRequest,
  FINISH_PIECE,
  textPiece,
  wholeAnswer,
} from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { promptTokensMax } from '../usage/estimate';
import { complete } from './complete';
import { explainRoute } from './explain';
import { type CompletionRequest, promptTextBytesOf } from './request';

// What a client lets one request cost is not passed, whatever a vendor counts.

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const COMPLETION_TOKENS_MAX = 300;
const samePrice = (price: bigint): UnitPrices => {
  const unit = nano(price);
  return { prompt: unit, completion: unit, cachedPrompt: unit };
};

/** A channel for each model, in the order of the list; with an owner they are the account's own. */
function tableOf(
  prices: Readonly<Record<string, UnitPrices>>,
  ownerAccountId: string | null = null,
) {
  const { channel, model } = exampleCall().candidate;
  const channels = Object.keys(prices).map((name, priority) => ({
    ...channel,
    id: `chn_${name}`,
    priority,
    ownerAccountId,
    models: [{ name, upstreamName: name, healthy: true }],
  }));
  const models = Object.entries(prices).map(([name, each]): RouteModel => {
    return { ...model, name, prices: each, completionTokensMax: COMPLETION_TOKENS_MAX };
  });
  return createRouteTable(channels, models);
}

async function createPriced(
  prices: Readonly<Record<string, UnitPrices>>,
  ownerAccountId: string | null = null,
) {
  const fixture = await createRunFixture(clock);
  fixture.billing.setAvailable('acc_1', 10n ** 15n);
  const table = tableOf(prices, ownerAccountId);
  return { ...fixture, deps: { ...fixture.deps, routeTable: () => table } };
}

function requestOf(changes: Partial<CompletionRequest>): CompletionRequest {
  return exampleRequest({ model: 'auto', ...changes });
}

/** What the prompt and so many tokens of each answer cost at most, whatever share was cached. */
function dearest(prices: UnitPrices, request: CompletionRequest, completion: number): bigint {
  const prompt = promptTokensMax(promptTextBytesOf(request), request.messageCount);
  const costs = [0, prompt].map((cached) => priceOf(prices, { prompt, completion, cached }));
  return costs.reduce(maxNano);
}

const price = fc.bigInt({ min: 0n, max: 10n ** 10n }).map(nano);
const drafts = fc.record({
  prices: fc.record({ prompt: price, completion: price, cachedPrompt: price }),
  text: fc.integer({ min: 0, max: 400 }),
  choices: fc.integer({ min: 1, max: 8 }),
  maxTokens: fc.option(fc.integer({ min: 1, max: COMPLETION_TOKENS_MAX }), { nil: undefined }),
  /** The limit, in thousandths of what the request could cost without one. */
  thousandths: fc.integer({ min: 0, max: 1_200 }),
  usage: fc.record({
    prompt: fc.integer({ min: 1, max: 2_000 }),
    completion: fc.integer({ min: 1, max: COMPLETION_TOKENS_MAX }),
  }),
});

it('no request is charged more, and none is refused that could be answered', async () => {
  const seen = { refused: 0, capped: 0, uncapped: 0, overrun: 0 };
  await fc.assert(
    fc.asyncProperty(drafts, async ({ prices, text, choices, maxTokens, thousandths, usage }) => {
      const { billing, deps, onlyRecord, vendors } = await createPriced({ small: prices });
      const content = 'x'.repeat(text);
      const messages = Buffer.from(JSON.stringify([{ role: 'user', content }]));
      const unlimited = requestOf({ messages, choices, maxTokens });
      const asked = maxTokens ?? COMPLETION_TOKENS_MAX;
      const worst = dearest(prices, unlimited, asked * choices);
      const costMax = nano((worst * BigInt(thousandths)) / 1000n);
      const request = { ...unlimited, costMax };
      vendors.answers.push(wholeAnswer(usage.prompt, usage.completion * choices));
      const mustRefuse = dearest(prices, request, choices) > costMax;
      const outcome = await complete(deps, request).then(
        ({ amount }) => amount,
        (error: AppError) => error.code,
      );
      if (mustRefuse) {
        seen.refused += 1;
        expect([outcome, vendors.calls, billing.acquires]).toEqual(['COST_LIMIT', [], []]);
        return;
      }
      const record = onlyRecord();
      expect(outcome).toBe(record.amount);
      expect(record.reserved).toBeLessThanOrEqual(costMax);
      expect(record.amount).toBeLessThanOrEqual(record.reserved);
      const sent = vendors.calls[0]?.maxTokens ?? COMPLETION_TOKENS_MAX;
      expect(sent).toBeGreaterThanOrEqual(1);
      expect(sent).toBeLessThanOrEqual(asked);
      expect(dearest(prices, request, sent * choices)).toBeLessThanOrEqual(costMax);
      if (sent < asked) {
        seen.capped += 1;
        expect(dearest(prices, request, (sent + 1) * choices)).toBeGreaterThan(costMax);
      } else seen.uncapped += 1;
      const { promptTokens: prompt, completionTokens: completion } = record;
      if (priceOf(prices, { prompt, completion, cached: 0 }) > record.amount) seen.overrun += 1;
    }),
    { numRuns: 400 },
  );
  // Each came often enough to mean something.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

it('a stream whose vendor heeds no max_tokens costs no more', async () => {
  const costMax = nano(100n);
  const { deps, onlyRecord, stream, vendors } = await createPriced({
    small: samePrice(1_000_000n),
  });
  const { vendor, out, over } = stream(requestOf({ costMax }), deps);
  await settlePromises();
  for (let piece = 0; piece < 50; piece += 1) vendor.send(textPiece('word '.repeat(5)));
  vendor.send(FINISH_PIECE, { kind: 'usage', usage: { prompt: 9, completion: 250, cached: 0 } });
  vendor.end();
  await over;
  expect(vendors.calls[0]?.maxTokens).toBe(52);
  expect(out.amount).toBe(100n);
  expect(onlyRecord()).toMatchObject({ amount: 100n, completionTokens: 250, source: 'exact' });
});

it('several answers share the amount', async () => {
  const { deps, vendors } = await createPriced({ small: samePrice(1_000_000n) });
  vendors.answers.push(wholeAnswer(9, 50));
  await complete(deps, requestOf({ costMax: nano(248n), choices: 4, maxTokens: 100 }));
  expect(vendors.calls[0]?.maxTokens).toBe(50);
});

it('a balance that pays less caps the answer further', async () => {
  const { billing, deps, vendors } = await createPriced({ small: samePrice(1_000_000n) });
  billing.setAvailable('acc_1', 60n);
  vendors.answers.push(wholeAnswer(9, 20));
  await complete(deps, requestOf({ costMax: nano(200n) }));
  const sent = vendors.calls[0]?.maxTokens ?? 0;
  expect(sent).toBeGreaterThanOrEqual(16);
  expect(sent).toBeLessThan(60);
});

describe('channels of different prices', () => {
  const prices = { cheap: samePrice(1_000_000n), dear: samePrice(10_000_000n) };

  it('are left out when they cost too much, as first choice and after a failure', async () => {
    const { deps, vendors } = await createPriced({ dear: prices.dear, cheap: prices.cheap });
    const failing = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
      retryElsewhere: true,
    });
    vendors.answers.push(failing, wholeAnswer(9, 1));
    const answering = complete(deps, requestOf({ costMax: nano(400n) }));
    await expect(answering).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(vendors.calls.map(({ candidate }) => candidate.model.name)).toEqual(['cheap']);
  });

  it('each cap the answer by their own price', async () => {
    const { deps, onlyRecord, vendors } = await createPriced(prices);
    const failing = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
      retryElsewhere: true,
    });
    vendors.answers.push(failing, wholeAnswer(9, 53));
    await complete(deps, requestOf({ costMax: nano(1_000n) }));
    expect(vendors.calls.map(({ maxTokens }) => maxTokens)).toEqual([undefined, 52]);
    expect(onlyRecord()).toMatchObject({ model: 'dear', amount: 620n, reserved: 1000n });
  });

  it('are explained with the reason', async () => {
    const { deps } = await createPriced(prices);
    const reasonsAt = (costMax: bigint) =>
      explainRoute(deps, requestOf({ costMax: nano(costMax) })).map(
        ({ candidate, eligible, reasons }) => [candidate.model.name, eligible, reasons[0]],
      );
    const tooDear = 'the answer would cost more than X-Tollgate-Max-Cost allows';
    expect(reasonsAt(400n)).toEqual([
      ['cheap', true, expect.stringMatching(/^priority/)],
      ['dear', false, tooDear],
    ]);
    expect(reasonsAt(48n).map(([, eligible]) => eligible)).toEqual([false, false]);
  });

  it('are all too dear: the refusal names the least that would do', async () => {
    const { deps } = await createPriced(prices);
    await expect(complete(deps, requestOf({ costMax: nano(48n) }))).rejects.toMatchObject({
      code: 'COST_LIMIT',
      param: 'X-Tollgate-Max-Cost',
      publicMessage: 'X-Tollgate-Max-Cost must be at least 0.000000049 for this prompt.',
    });
    const { deps: again, onlyRecord, vendors } = await createPriced(prices);
    vendors.answers.push(wholeAnswer(9, 1));
    await complete(again, requestOf({ costMax: nano(49n) }));
    expect([vendors.calls[0]?.maxTokens, onlyRecord().amount]).toEqual([1, 10n]);
  });

  it('of the account itself cost nothing: they answer within a limit of 0', async () => {
    const { deps, onlyRecord, vendors } = await createPriced(prices, 'acc_1');
    vendors.answers.push(wholeAnswer(9, 250));
    await complete(deps, requestOf({ model: 'self:dear', costMax: nano(0n) }));
    expect(vendors.calls[0]?.maxTokens).toBeUndefined();
    expect(onlyRecord()).toMatchObject({ amount: 0n, model: 'dear' });
  });
});
