import { AppError, nano, priceOf } from '@tollgate/core';
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
import { mediaTokensUsual, promptTokensMax, promptTokensToReserve } from '../usage/estimate';
import { brokenOff } from '../vendors/protocol/failures';
import { complete } from './complete';
import { type CompletionRequest, promptTextBytesOf } from './request';

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

/** A request for `choices` answers, as the gateway sends it. */
function requestFor(choices: number, changes: Partial<CompletionRequest> = {}): CompletionRequest {
  const { parameters } = exampleCall();
  const capabilityMembers = choices > 1 ? Buffer.from(`{"n":${choices}}`) : Buffer.alloc(0);
  return exampleRequest({
    maxTokens: 100,
    choices,
    parameters: { ...parameters, capabilityMembers },
    ...changes,
  });
}

const ALL_CHOICES = Array.from({ length: 16 }, (_, index) => index + 1);

describe('several answers to one request', () => {
  it.each(ALL_CHOICES)('%i whole ones are charged as the vendor counts them', async (choices) => {
    const fixture = await createRunFixture(clock);
    fixture.vendors.answers.push(wholeAnswer(9, 100 * choices));
    await complete(fixture.deps, requestFor(choices));
    expect(fixture.vendors.calls[0]?.maxTokens).toBe(100);
    const amount = BigInt(9 + 100 * choices);
    expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount });
  });

  it.each(ALL_CHOICES)(
    '%i streamed ones are charged as the vendor counts them',
    async (choices) => {
      const fixture = await createRunFixture(clock);
      const { vendor, over } = fixture.stream(requestFor(choices));
      await settlePromises();
      const usage = { prompt: 9, completion: 100 * choices, cached: 0 };
      for (let index = 0; index < choices; index += 1) vendor.send(textPiece('Hi'), FINISH_PIECE);
      vendor.send({ kind: 'usage', usage });
      vendor.end();
      await over;
      const amount = BigInt(9 + 100 * choices);
      expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount });
    },
  );

  it('are counted together when the vendor counts nothing', async () => {
    const fixture = await createRunFixture(clock);
    const text = Array.from({ length: 20 }, () => 'word').join(' ');
    fixture.vendors.answers.push({ ...wholeAnswer(9, 0, text), usage: undefined });
    await complete(fixture.deps, requestFor(4));
    expect(fixture.onlyRecord()).toMatchObject({ source: 'counted', amount: 25n });
  });

  it('share what a poor account can pay', async () => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 200n);
    fixture.vendors.answers.push(wholeAnswer(9, 120));
    await complete(fixture.deps, requestFor(4, { maxTokens: undefined }));
    const maxTokens = fixture.vendors.calls[0]?.maxTokens ?? 0;
    expect(maxTokens).toBeGreaterThanOrEqual(16);
    expect(4 * maxTokens).toBeLessThanOrEqual(200);
  });

  it('of which one broke off are no complete answer', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream(requestFor(2));
    await settlePromises();
    vendor.send(textPiece('Hi'), FINISH_PIECE, textPiece('there'));
    vendor.end(brokenOff());
    await over;
    expect(out.failure).toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(fixture.onlyRecord()).toMatchObject({ source: 'partial', reason: 'vendor_gone' });
  });

  it('are reserved together: of 200 clients with money for one, one is served', async () => {
    const fixture = await createRunFixture(clock, { waitersMax: 200 });
    fixture.billing.setAvailable('acc_1', 450n);
    fixture.vendors.answers.push(wholeAnswer(9, 400));
    const asked = Array.from({ length: 200 }, () => complete(fixture.deps, requestFor(4)));
    const results = await Promise.allSettled(asked);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(fixture.vendors.calls).toHaveLength(1);
    expect(fixture.onlyRecord()).toMatchObject({ amount: 409n });
  });
});

describe('a vendor that counts more than we expect', () => {
  it('is believed about tokens of reasoning beyond max_tokens, within what is reserved', async () => {
    const fixture = await createRunFixture(clock);
    fixture.vendors.answers.push(wholeAnswer(9, 700));
    await complete(fixture.deps, requestFor(1));
    const { reserved, ...record } = fixture.onlyRecord();
    expect(record).toMatchObject({ source: 'exact', completionTokens: 700, amount: reserved });
  });

  it('is paid for a prompt of which each byte is a token', async () => {
    const fixture = await createRunFixture(clock);
    const messages = Buffer.from(`[{"role":"user","content":"${'Zm9v'.repeat(10_000)}"}]`);
    fixture.vendors.answers.push(wholeAnswer(40_000, 5));
    await complete(fixture.deps, requestFor(1, { messages, maxTokens: 10 }));
    expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 40_005n });
  });
});

it('a prompt beyond the context is refused before credit is asked for or a vendor is called', async () => {
  const fixture = await createRunFixture(clock);
  const { candidate } = exampleCall();
  const model = { ...candidate.model, contextTokensMax: 100 };
  const table = createRouteTable([candidate.channel], [model]);
  const deps = { ...fixture.deps, routeTable: () => table };
  const messages = Buffer.from(`[{"role":"user","content":"${'word '.repeat(101)}"}]`);
  await expect(complete(deps, exampleRequest({ messages }))).rejects.toMatchObject({
    code: 'CONTEXT_LENGTH_EXCEEDED',
    param: 'messages',
  });
  expect([fixture.vendors.calls, fixture.billing.acquires]).toEqual([[], []]);
});

describe('channels of different prices', () => {
  const model = (name: string, price: bigint): RouteModel => {
    const unit = nano(price * 1_000_000n);
    const prices = { prompt: unit, completion: unit, cachedPrompt: unit };
    return { ...exampleCall().candidate.model, name, prices };
  };
  const failing = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
    retryElsewhere: true,
  });

  async function createTwoPrices() {
    const fixture = await createRunFixture(clock);
    const { channel } = exampleCall().candidate;
    const models = ['cheap', 'dear'].map((name) => ({ name, upstreamName: name, healthy: true }));
    const channels = models.map((each, index) => ({
      ...channel,
      id: `chn_${each.name}`,
      models: [each],
      priority: index,
    }));
    const table = createRouteTable(channels, [model('cheap', 1n), model('dear', 10n)]);
    return { ...fixture, deps: { ...fixture.deps, routeTable: () => table } };
  }

  it('are reserved for at the dearest that may be tried', async () => {
    const fixture = await createTwoPrices();
    fixture.vendors.answers.push(failing, wholeAnswer(9, 100));
    await complete(fixture.deps, requestFor(1, { model: 'auto', maxTokens: undefined }));
    const [first, second] = fixture.vendors.calls;
    expect([first?.candidate.model.name, second?.candidate.model.name]).toEqual(['cheap', 'dear']);
    expect(second?.maxTokens).toBeUndefined();
    expect(fixture.onlyRecord()).toMatchObject({ amount: 1090n, model: 'dear' });
  });

  it('are tried when the client fixed max_tokens', async () => {
    const fixture = await createTwoPrices();
    fixture.vendors.answers.push(failing, wholeAnswer(9, 100));
    await complete(fixture.deps, requestFor(1, { model: 'auto' }));
    expect(fixture.onlyRecord()).toMatchObject({ amount: 1090n, model: 'dear' });
  });

  it('do not keep an account from the cheap one that it can pay', async () => {
    const fixture = await createTwoPrices();
    fixture.billing.setAvailable('acc_1', 200n);
    fixture.vendors.answers.push(wholeAnswer(9, 100));
    await complete(fixture.deps, requestFor(1, { model: 'auto' }));
    expect(fixture.onlyRecord()).toMatchObject({ amount: 109n, model: 'cheap' });
  });
});

it('a file is answered by a model whose context is shorter than what files usually count', async () => {
  const fixture = await createRunFixture(clock);
  const { candidate } = exampleCall();
  const unit = nano(1_000_000n);
  const prices = { prompt: unit, completion: unit, cachedPrompt: unit };
  const model = { ...candidate.model, contextTokensMax: 8192, vendorTokensMax: 8192, prices };
  const table = createRouteTable([candidate.channel], [model]);
  const deps = { ...fixture.deps, routeTable: () => table };
  fixture.vendors.answers.push(wholeAnswer(5_000, 3));
  await complete(deps, requestFor(1, { media: { bytes: 0, images: 0, files: 1 } }));
  expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 5_003n });
});

it('a file is paid as its vendor counts it, though the context of the catalogue ends before', async () => {
  const fixture = await createRunFixture(clock);
  fixture.billing.setAvailable('acc_1', 10_000_000n);
  const { candidate } = exampleCall();
  const unit = nano(1_000_000n);
  const prices = { prompt: unit, completion: unit, cachedPrompt: unit };
  const bounds = { contextTokensMax: 200_000, vendorTokensMax: 1_048_576 };
  const table = createRouteTable([candidate.channel], [{ ...candidate.model, ...bounds, prices }]);
  const deps = { ...fixture.deps, routeTable: () => table };
  fixture.vendors.answers.push(wholeAnswer(650_000, 3));
  await complete(deps, requestFor(1, { media: { bytes: 0, images: 0, files: 1 } }));
  expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 650_003n });
});

describe('images', () => {
  const content = [{ type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }];
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content }]));
  const asked = { messages, media: { bytes: 0, images: 1, files: 0 } };

  it('are charged as the vendor counts them, though their address is short', async () => {
    const fixture = await createRunFixture(clock);
    fixture.vendors.answers.push(wholeAnswer(40_000, 3));
    await complete(fixture.deps, requestFor(1, asked));
    expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 40_003n });
  });

  it('let an account begin that has enough for a usual one', async () => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 3000n);
    fixture.vendors.answers.push(wholeAnswer(1500, 3));
    await complete(fixture.deps, requestFor(1, asked));
    expect(fixture.onlyRecord()).toMatchObject({ amount: 1503n });
    fixture.billing.setAvailable('acc_1', 1000n);
    const refusal = complete(fixture.deps, requestFor(1, asked));
    await expect(refusal).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });
});

/** A request with a prompt that vendors may count much higher than is usual. */
const DEAR_PROMPTS = {
  'a file': { media: { bytes: 0, images: 0, files: 1 } },
  'many images': { media: { bytes: 0, images: 64, files: 0 } },
  'dense text': {
    messages: Buffer.from(`[{"role":"user","content":"${'Zm9v'.repeat(10_000)}"}]`),
  },
};
const dearPrompts = Object.entries<Partial<CompletionRequest>>(DEAR_PROMPTS);

/** What the prompt costs as it is usually counted, and at its most; a nano-unit for each token. */
function promptCostOf(request: CompletionRequest): {
  readonly usual: bigint;
  readonly most: bigint;
} {
  const bytes = promptTextBytesOf(request);
  const { images, files } = request.media;
  const usual = promptTokensToReserve(bytes, 1) + mediaTokensUsual(request.media);
  return {
    usual: BigInt(usual),
    most: BigInt(promptTokensMax(bytes, 1) + images * 50_000 + files * 1_000_000),
  };
}

describe('a key whose budget is set by who pays', () => {
  const keyed = (limit: bigint, changes: Partial<CompletionRequest>): CompletionRequest => {
    const request = requestFor(1, changes);
    const budget = { keyId: 'key_1', limit: nano(limit), period: 'none' as const };
    return { ...request, caller: { ...request.caller, budget } };
  };

  it.each(dearPrompts)('gets no cheaper prompt of %s by a small one', async (_what, changes) => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 1_000_000_000n);
    const { most, usual } = promptCostOf(requestFor(1, changes));
    for (const limit of [usual + 100n, most + 99n]) {
      await expect(complete(fixture.deps, keyed(limit, changes))).rejects.toMatchObject({
        code: 'KEY_BUDGET_EXCEEDED',
        publicMessage: expect.stringContaining('this request needs at least') as string,
      });
    }
    expect(fixture.vendors.calls).toEqual([]);
    // The refusal is remembered for so long.
    await clock.advance(1_000);
    fixture.vendors.answers.push(wholeAnswer(Number(most), 100));
    await complete(fixture.deps, keyed(most + 100n, changes));
    expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: most + 100n });
  });

  it('is served where it covers the prompt, and then nothing of it is left unpaid', async () => {
    const drafts = fc.record({
      text: fc.integer({ min: 0, max: 400 }),
      images: fc.integer({ min: 0, max: 2 }),
      maxTokens: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      spare: fc.bigInt({ min: 0n, max: 1_200n }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const seen = { refused: 0, capped: 0, uncapped: 0 };
    await fc.assert(
      fc.asyncProperty(drafts, async ({ text, images, maxTokens, spare, share }) => {
        const fixture = await createRunFixture(clock);
        fixture.billing.setAvailable('acc_1', 1_000_000_000n);
        const messages = Buffer.from(`[{"role":"user","content":"${'x'.repeat(text)}"}]`);
        const changes = { messages, media: { bytes: 0, images, files: 0 }, maxTokens };
        const { most } = promptCostOf(requestFor(1, changes));
        const vendorStream = fixture.stream(keyed(most + spare, changes));
        if (spare < BigInt(maxTokens ?? 16)) {
          await expect(vendorStream.over).rejects.toMatchObject({ code: 'KEY_BUDGET_EXCEEDED' });
          seen.refused += 1;
          return;
        }
        await settlePromises();
        const sent = fixture.vendors.calls[0]?.maxTokens ?? 1_000;
        if (sent < (maxTokens ?? 1_000)) seen.capped += 1;
        else seen.uncapped += 1;
        // A token of the prompt at the least, and all of the answer that was asked for.
        const prompt = 1 + Math.floor(share * (Number(most) - 1));
        const usage = { prompt, completion: sent, cached: 0 };
        vendorStream.vendor.send(textPiece('Hi'), FINISH_PIECE, { kind: 'usage', usage });
        vendorStream.vendor.end();
        await vendorStream.over;
        const { amount, prices, source } = fixture.onlyRecord();
        expect([source, amount]).toEqual(['exact', priceOf(prices, usage)]);
      }),
      { numRuns: 150 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });
});

describe('a balance of which other requests hold the rest', () => {
  /** Holds all of the balance but so much, and asks its vendor for little. */
  async function hold(left: bigint) {
    const fixture = await createRunFixture(clock);
    const holding = requestFor(1, { maxTokens: 1_000 });
    fixture.billing.setAvailable('acc_1', promptCostOf(holding).most + 1_000n + left);
    const held = fixture.stream(holding);
    await settlePromises();
    const release = async () => {
      held.vendor.send(textPiece('Hi'), FINISH_PIECE);
      held.vendor.end();
      await held.over;
    };
    return { ...fixture, release };
  }

  it.each(dearPrompts)('does not make a prompt of %s cheap', async (_what, changes) => {
    const { most, usual } = promptCostOf(requestFor(1, changes));
    const { deps, release, vendors } = await hold(usual + 200n);
    const ask = () => complete(deps, requestFor(1, changes));
    await expect(ask()).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      publicMessage: expect.stringContaining('held by other requests') as string,
    });
    expect(vendors.calls).toHaveLength(1);
    await release();
    // Alone it may begin with what there is, as ever.
    vendors.answers.push(wholeAnswer(Number(most), 100));
    await expect(ask()).resolves.toBeDefined();
  });

  it('caps an answer there by what is left when its prompt is counted at its most', async () => {
    const { most } = promptCostOf(requestFor(1));
    const { deps, vendors } = await hold(most + 40n);
    vendors.answers.push(wholeAnswer(Number(most), 40));
    await complete(deps, requestFor(1, { maxTokens: undefined }));
    expect(vendors.calls[1]?.maxTokens).toBe(40);
  });
});
