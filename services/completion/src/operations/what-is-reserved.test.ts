import { AppError, nano } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import { VendorFailure } from '../domain/vendor';
import { brokenOff } from '../domain/vendor-failures';
import type { RouteModel } from '../routing/candidate';
import { createRouteTable } from '../routing/route-table';
import {
  createRunFixture,
  exampleRequest,
  FINISH_FRAME,
  textFrame,
  wholeAnswer,
} from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { complete } from './complete';
import type { CompletionRequest } from './request';

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
      for (let index = 0; index < choices; index += 1) vendor.send(textFrame('Hi'), FINISH_FRAME);
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

  it('of which one broke off are no whole answer', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream(requestFor(2));
    await settlePromises();
    vendor.send(textFrame('Hi'), FINISH_FRAME, textFrame('there'));
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
  const table = createRouteTable(1n, [candidate.channel], [model]);
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
  const failing = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', true);

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
    const table = createRouteTable(1n, channels, [model('cheap', 1n), model('dear', 10n)]);
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
  const model = { ...candidate.model, contextTokensMax: 8192, prices };
  const table = createRouteTable(1n, [candidate.channel], [model]);
  const deps = { ...fixture.deps, routeTable: () => table };
  fixture.vendors.answers.push(wholeAnswer(5_000, 3));
  await complete(deps, requestFor(1, { media: { bytes: 0, images: 0, files: 1 } }));
  expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 5_003n });
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
