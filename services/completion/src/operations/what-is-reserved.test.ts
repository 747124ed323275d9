import { AppError, nano } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import type { CompletionRequest } from '../domain/completion-request';
import { createRouteTable, type RouteModel } from '../domain/route-table';
import type { UsageEntry } from '../domain/usage-record';
import { VendorFailure } from '../domain/vendor';
import { brokenOff } from '../domain/vendor-failures';
import { PlayedStream } from '../testing/played-stream';
import {
  createRunScene,
  exampleRequest,
  FINISH_FRAME,
  RecordedOutput,
  textFrame,
} from '../testing/run-scene';
import { exampleCall } from '../testing/vendor-call';
import { complete } from './complete';
import { streamCompletion } from './stream-completion';

type Scene = Awaited<ReturnType<typeof createRunScene>>;

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

/** A request for `choices` answers, as the edge sends it. */
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

function answerOf(prompt: number, completion: number, text = 'Hi') {
  const usage = { prompt, completion, cached: 0 };
  return { choices: Buffer.from('[]'), text, finishReason: 'stop' as const, usage };
}

function onlyRecord(scene: Scene): UsageEntry {
  const records = scene.spool.takeBatch(10);
  expect(records).toHaveLength(1);
  return records[0] as UsageEntry;
}

const ALL_CHOICES = Array.from({ length: 16 }, (_, index) => index + 1);

describe('several answers to one request', () => {
  it.each(ALL_CHOICES)('%i whole ones are charged as the vendor counts them', async (choices) => {
    const scene = await createRunScene(clock);
    scene.vendors.answers.push(answerOf(9, 100 * choices));
    await complete(scene.deps, requestFor(choices));
    expect(scene.vendors.calls[0]?.maxTokens).toBe(100);
    const amount = BigInt(9 + 100 * choices);
    expect(onlyRecord(scene)).toMatchObject({ source: 'exact', amount });
  });

  it.each(ALL_CHOICES)(
    '%i streamed ones are charged as the vendor counts them',
    async (choices) => {
      const scene = await createRunScene(clock);
      const vendor = new PlayedStream();
      scene.vendors.answers.push(vendor);
      const over = streamCompletion(scene.deps, requestFor(choices), new RecordedOutput());
      await settlePromises();
      const usage = { prompt: 9, completion: 100 * choices, cached: 0 };
      for (let index = 0; index < choices; index += 1) vendor.send(textFrame('Hi'), FINISH_FRAME);
      vendor.send({ kind: 'usage', usage });
      vendor.end();
      await over;
      const amount = BigInt(9 + 100 * choices);
      expect(onlyRecord(scene)).toMatchObject({ source: 'exact', amount });
    },
  );

  it('are counted together when the vendor counts nothing', async () => {
    const scene = await createRunScene(clock);
    const text = Array.from({ length: 20 }, () => 'word').join(' ');
    scene.vendors.answers.push({ ...answerOf(9, 0, text), usage: undefined });
    await complete(scene.deps, requestFor(4));
    expect(onlyRecord(scene)).toMatchObject({ source: 'counted', amount: 25n });
  });

  it('share what a poor account can pay', async () => {
    const scene = await createRunScene(clock);
    scene.billing.setAvailable('acc_1', 200n);
    scene.vendors.answers.push(answerOf(9, 120));
    await complete(scene.deps, requestFor(4, { maxTokens: undefined }));
    const maxTokens = scene.vendors.calls[0]?.maxTokens ?? 0;
    expect(maxTokens).toBeGreaterThanOrEqual(16);
    expect(4 * maxTokens).toBeLessThanOrEqual(200);
  });

  it('of which one broke off are no whole answer', async () => {
    const scene = await createRunScene(clock);
    const vendor = new PlayedStream();
    scene.vendors.answers.push(vendor);
    const out = new RecordedOutput();
    const over = streamCompletion(scene.deps, requestFor(2), out);
    await settlePromises();
    vendor.send(textFrame('Hi'), FINISH_FRAME, textFrame('there'));
    vendor.end(brokenOff());
    await over;
    expect(out.failure).toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(onlyRecord(scene)).toMatchObject({ source: 'partial', reason: 'vendor_gone' });
  });

  it('are reserved together: of 200 callers with money for one, one is served', async () => {
    const scene = await createRunScene(clock, { waitersMax: 200 });
    scene.billing.setAvailable('acc_1', 450n);
    scene.vendors.answers.push(answerOf(9, 400));
    const asked = Array.from({ length: 200 }, () => complete(scene.deps, requestFor(4)));
    const results = await Promise.allSettled(asked);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(scene.vendors.calls).toHaveLength(1);
    expect(onlyRecord(scene)).toMatchObject({ amount: 409n });
  });
});

describe('a vendor that counts more than we expect', () => {
  it('is believed about tokens of reasoning beyond max_tokens, within what is reserved', async () => {
    const scene = await createRunScene(clock);
    scene.vendors.answers.push(answerOf(9, 700));
    await complete(scene.deps, requestFor(1));
    const { drawn, ...record } = onlyRecord(scene);
    expect(record).toMatchObject({ source: 'exact', completionTokens: 700, amount: drawn });
  });

  it('is paid for a prompt of which each byte is a token', async () => {
    const scene = await createRunScene(clock);
    const messages = Buffer.from(`[{"role":"user","content":"${'Zm9v'.repeat(10_000)}"}]`);
    scene.vendors.answers.push(answerOf(40_000, 5));
    await complete(scene.deps, requestFor(1, { messages, maxTokens: 10 }));
    expect(onlyRecord(scene)).toMatchObject({ source: 'exact', amount: 40_005n });
  });
});

it('a prompt beyond the context is refused before credit is asked for or a vendor is called', async () => {
  const scene = await createRunScene(clock);
  const { offer } = exampleCall();
  const model = { ...offer.model, contextTokensMax: 100 };
  const table = createRouteTable(1n, [offer.channel], [model]);
  const deps = { ...scene.deps, routeTable: () => table };
  const messages = Buffer.from(`[{"role":"user","content":"${'word '.repeat(101)}"}]`);
  await expect(complete(deps, exampleRequest({ messages }))).rejects.toMatchObject({
    ...{ code: 'CONTEXT_LENGTH_EXCEEDED', param: 'messages' },
  });
  expect([scene.vendors.calls, scene.billing.acquires]).toEqual([[], []]);
});

describe('channels of different prices', () => {
  const model = (name: string, price: bigint): RouteModel => {
    const unit = nano(price * 1_000_000n);
    const prices = { prompt: unit, completion: unit, cachedPrompt: unit };
    return { ...exampleCall().offer.model, name, prices };
  };
  const failing = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', true);

  async function createTwoPrices() {
    const scene = await createRunScene(clock);
    const { channel } = exampleCall().offer;
    const models = ['cheap', 'dear'].map((name) => ({ name, upstreamName: name, healthy: true }));
    const channels = models.map((each, index) => ({
      ...{ ...channel, id: `chn_${each.name}`, models: [each], priority: index },
    }));
    const table = createRouteTable(1n, channels, [model('cheap', 1n), model('dear', 10n)]);
    return { ...scene, deps: { ...scene.deps, routeTable: () => table } };
  }

  it('are reserved for at the dearest that may be tried', async () => {
    const scene = await createTwoPrices();
    scene.vendors.answers.push(failing, answerOf(9, 100));
    await complete(scene.deps, requestFor(1, { model: 'auto', maxTokens: undefined }));
    const [first, second] = scene.vendors.calls;
    expect([first?.offer.model.name, second?.offer.model.name]).toEqual(['cheap', 'dear']);
    expect(second?.maxTokens).toBeUndefined();
    expect(onlyRecord(scene)).toMatchObject({ amount: 1090n, model: 'dear' });
  });

  it('are tried when the caller fixed max_tokens', async () => {
    const scene = await createTwoPrices();
    scene.vendors.answers.push(failing, answerOf(9, 100));
    await complete(scene.deps, requestFor(1, { model: 'auto' }));
    expect(onlyRecord(scene)).toMatchObject({ amount: 1090n, model: 'dear' });
  });

  it('do not keep an account from the cheap one that it can pay', async () => {
    const scene = await createTwoPrices();
    scene.billing.setAvailable('acc_1', 200n);
    scene.vendors.answers.push(answerOf(9, 100));
    await complete(scene.deps, requestFor(1, { model: 'auto' }));
    expect(onlyRecord(scene)).toMatchObject({ amount: 109n, model: 'cheap' });
  });
});
