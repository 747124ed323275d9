import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import type { UsageEntry } from '../domain/usage-record';
import { VendorFailure } from '../domain/vendor';
import { answerTooLong } from '../domain/vendor-failures';
import { Spool } from '../spool/spool';
import { PlayedStream } from '../testing/played-stream';
import {
  createRunScene,
  exampleRequest,
  FINISH_FRAME,
  RecordedOutput,
  textFrame,
} from '../testing/run-scene';
import { complete } from './complete';
import { streamCompletion } from './stream-completion';

type Scene = Awaited<ReturnType<typeof createRunScene>>;

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

function begin(scene: Scene, request = exampleRequest()) {
  const vendor = new PlayedStream();
  const out = new RecordedOutput();
  scene.vendors.answers.push(vendor);
  const over = streamCompletion(scene.deps, request, out);
  over.catch(() => {});
  return { vendor, out, over };
}

function failure(retryElsewhere = true): VendorFailure {
  return new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', retryElsewhere);
}

function onlyRecord(scene: Scene): UsageEntry {
  const records = scene.spool.takeBatch(10);
  expect(records).toHaveLength(1);
  return records[0] as UsageEntry;
}

const USAGE_FRAME = { kind: 'usage', usage: { prompt: 5, completion: 2, cached: 0 } } as const;

describe('what leaves, and when', () => {
  it('is nothing before BEGIN is durable, though the vendor answers', async () => {
    const scene = await createRunScene(clock);
    const release = scene.disk.holdSyncs();
    const { vendor, out } = begin(scene);
    await settlePromises();
    expect(scene.vendors.calls).toHaveLength(1);
    expect(out.left).toEqual([]);
    release();
    await settlePromises();
    expect(out.left).toEqual(['head small 1']);
    vendor.send(textFrame('Hi'));
    await settlePromises();
    expect(out.left).toEqual(['head small 1', 'Hi']);
  });

  it('is not the end of the answer before END is durable', async () => {
    const scene = await createRunScene(clock);
    const { vendor, out, over } = begin(scene);
    await settlePromises();
    const release = scene.disk.holdSyncs();
    vendor.send(textFrame('Hi there'), FINISH_FRAME, USAGE_FRAME);
    vendor.end();
    await settlePromises();
    expect(out.left).toEqual(['head small 1', 'Hi there']);
    release();
    await over;
    expect(out.left).toEqual(['head small 1', 'Hi there', 'finish', 'end']);
    expect(out).toMatchObject({ amount: 7n, failure: undefined });
  });

  it('is no unary answer before END is durable', async () => {
    const scene = await createRunScene(clock);
    const answer = { choices: Buffer.from('[]'), text: 'Hi', finishReason: 'stop' as const };
    scene.vendors.answers.push({ ...answer, usage: USAGE_FRAME.usage });
    let answered = false;
    const running = complete(scene.deps, exampleRequest()).then(() => {
      answered = true;
    });
    await settlePromises();
    answered = false;
    expect(onlyRecord(scene)).toMatchObject({ source: 'exact', amount: 7n });
    await running;
    const release = scene.disk.holdSyncs();
    scene.vendors.answers.push({ ...answer, usage: USAGE_FRAME.usage });
    const held = complete(scene.deps, exampleRequest()).then(() => {
      answered = true;
    });
    answered = false;
    await settlePromises();
    expect(answered).toBe(false);
    release();
    await held;
    expect(answered).toBe(true);
  });

  it('stops with an error frame when the spool is poisoned, and nothing new begins', async () => {
    const scene = await createRunScene(clock);
    const { vendor, out, over } = begin(scene);
    await settlePromises();
    vendor.send(textFrame('Hi'));
    scene.disk.failNext('fdatasync');
    await expect(streamCompletion(scene.deps, exampleRequest(), out)).rejects.toBeDefined();
    await over;
    expect(out.left.at(-1)).toBe('end');
    expect(out.failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const calls = scene.vendors.calls.length;
    await expect(complete(scene.deps, exampleRequest())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(scene.vendors.calls).toHaveLength(calls);
  });
});

describe('failover', () => {
  it('tries other channels before the first byte, as one request with one record', async () => {
    const scene = await createRunScene(clock, { channels: 3 });
    scene.vendors.answers.push(failure(), failure());
    const { vendor, out, over } = begin(scene);
    await settlePromises();
    expect(scene.vendors.calls.map((call) => call.offer.channel.id)).toEqual([
      'chn_1',
      'chn_2',
      'chn_3',
    ]);
    vendor.send(textFrame('Hi'), FINISH_FRAME, USAGE_FRAME);
    vendor.end();
    await over;
    expect(out.left[0]).toBe('head small 3');
    expect(onlyRecord(scene)).toMatchObject({ attempts: 3, channelId: 'chn_3', number: 1 });
  });

  it('stops at the bound of attempts and records the failure at zero', async () => {
    const scene = await createRunScene(clock, { channels: 5 });
    scene.vendors.answers.push(failure(), failure(), failure());
    await expect(complete(scene.deps, exampleRequest())).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
    expect(scene.vendors.calls).toHaveLength(3);
    expect(onlyRecord(scene)).toMatchObject({
      amount: 0n,
      source: 'none',
      reason: 'vendor_error',
      status: 'failed',
      errorCode: 'UPSTREAM_ERROR',
    });
  });

  it('does not try elsewhere what the vendor finds wrong with the request', async () => {
    const scene = await createRunScene(clock, { channels: 3 });
    scene.vendors.answers.push(failure(false));
    await expect(complete(scene.deps, exampleRequest())).rejects.toBeInstanceOf(AppError);
    expect(scene.vendors.calls).toHaveLength(1);
  });
});

describe('a request that is cut', () => {
  it.each(['shutdown', 'deadline'] as const)('by %s charges what was delivered', async (how) => {
    const scene = await createRunScene(clock);
    const { vendor, out, over } = begin(scene, exampleRequest({ deadlineMs: 5_000 }));
    await settlePromises();
    vendor.send(textFrame('one two three'));
    if (how === 'shutdown') scene.runs.stopAll('shutdown');
    else await clock.advance(5_000);
    await over;
    expect(out.failure?.code).toBe(how === 'shutdown' ? 'SERVICE_UNAVAILABLE' : 'UPSTREAM_TIMEOUT');
    expect(onlyRecord(scene)).toMatchObject({
      ...{ reason: how, source: 'partial', promptTokens: 5, completionTokens: 3, amount: 8n },
    });
  });

  it('is charged by its length when its tokens cannot be counted', async () => {
    const scene = await createRunScene(clock);
    const broken = async () => Promise.reject(new Error('the counter is broken'));
    const tokens = { countAnswer: broken, countPrompt: broken };
    const vendor = new PlayedStream();
    scene.vendors.answers.push(vendor);
    const deps = { ...scene.deps, tokens };
    const over = streamCompletion(deps, exampleRequest(), new RecordedOutput());
    await settlePromises();
    await clock.advance(300);
    vendor.send(textFrame('one two three'));
    await settlePromises();
    scene.runs.stopAll('shutdown');
    await over;
    expect(onlyRecord(scene)).toMatchObject({ source: 'partial', amount: 12n });
    expect(scene.leases.drawCount).toBe(0);
  });

  it('is charged a token for each word at least when its tokens cannot be counted', async () => {
    const scene = await createRunScene(clock);
    const broken = async () => Promise.reject(new Error('the counter is broken'));
    const vendor = new PlayedStream();
    scene.vendors.answers.push(vendor);
    const deps = { ...scene.deps, tokens: { countAnswer: broken, countPrompt: broken } };
    const over = streamCompletion(deps, exampleRequest(), new RecordedOutput());
    await settlePromises();
    vendor.send(textFrame('a b c d e f g h '.repeat(10)));
    scene.runs.stopAll('shutdown');
    await over;
    expect(onlyRecord(scene)).toMatchObject({ source: 'partial', completionTokens: 80 });
  });

  it('by kill is charged at its last checkpoint after the restart', async () => {
    const scene = await createRunScene(clock);
    const { vendor } = begin(scene);
    await settlePromises();
    await clock.advance(300);
    vendor.send(textFrame('one two three'));
    await settlePromises();
    scene.disk.crash();
    const limits = { segmentBytesMax: 1 << 20, totalBytesMax: 1 << 22 };
    const spool = new Spool({ disk: scene.disk, clock, logger: scene.deps.logger, limits });
    await spool.open();
    await spool.recover();
    expect(spool.takeBatch(10)).toMatchObject([
      // 32 and 13 bytes are judged to be 8 and 4 tokens: nobody is left who could count them.
      { kind: 'usage', reason: 'crash', source: 'partial', amount: 12n, number: 1 },
      { kind: 'close', number: 2 },
    ]);
  });

  it('before its unary answer was sent is free, and the vendor’s cost is counted', async () => {
    const scene = await createRunScene(clock);
    const controller = new AbortController();
    const completion = { choices: Buffer.from('[]'), text: 'Hi', finishReason: 'stop' as const };
    scene.vendors.answers.push({ ...completion, usage: USAGE_FRAME.usage });
    const running = complete(scene.deps, exampleRequest({ signal: controller.signal }));
    running.catch(() => {});
    const release = scene.disk.holdSyncs();
    await settlePromises();
    controller.abort();
    release();
    await expect(running).rejects.toBeInstanceOf(AppError);
    expect(onlyRecord(scene)).toMatchObject({
      ...{ amount: 0n, source: 'none', reason: 'client_gone', vendorAbsorbed: 7n },
    });
  });
});

it('an answer too long to hand over is free, asked for once, and its cost is counted', async () => {
  const scene = await createRunScene(clock, { channels: 3 });
  scene.vendors.answers.push(answerTooLong({ prompt: 5, completion: 200, cached: 0 }));
  await expect(complete(scene.deps, exampleRequest())).rejects.toMatchObject({
    code: 'UPSTREAM_ERROR',
  });
  expect(scene.vendors.calls).toHaveLength(1);
  expect(onlyRecord(scene)).toMatchObject({ amount: 0n, source: 'none', vendorAbsorbed: 205n });
});

describe('limits', () => {
  it('a request that the balance cannot pay leaves no record and calls no vendor', async () => {
    const scene = await createRunScene(clock);
    scene.billing.setAvailable('acc_1', 10n);
    const request = exampleRequest({ maxTokens: 100 });
    await expect(complete(scene.deps, request)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    expect(scene.vendors.calls).toEqual([]);
    expect(scene.spool.takeBatch(10)).toEqual([]);
  });

  it('a poor account’s open-ended answer is capped at what it can pay', async () => {
    const scene = await createRunScene(clock);
    scene.billing.setAvailable('acc_1', 100n);
    begin(scene);
    await settlePromises();
    // 32 bytes of prompt are estimated at 16 + 8 + 8 tokens of one nano-unit each.
    expect(scene.vendors.calls[0]?.maxTokens).toBe(68);
  });

  it('a slow reader pauses its vendor and lets it go on later', async () => {
    const scene = await createRunScene(clock);
    const { vendor, out } = begin(scene);
    await settlePromises();
    out.flowing = false;
    vendor.send(textFrame('Hi'));
    await settlePromises();
    expect(vendor.paused).toBe(true);
    out.drain();
    await settlePromises();
    expect(vendor.paused).toBe(false);
  });

  it('a reader that takes nothing for long is given up', async () => {
    const scene = await createRunScene(clock);
    const { vendor, out, over } = begin(scene);
    await settlePromises();
    out.flowing = false;
    vendor.send(textFrame('Hi'));
    await settlePromises();
    await clock.advance(30_000);
    await over;
    expect(onlyRecord(scene)).toMatchObject({ reason: 'client_gone', source: 'partial' });
  });

  it('nothing new begins once draining began', async () => {
    const scene = await createRunScene(clock);
    scene.runs.refuse();
    await expect(complete(scene.deps, exampleRequest())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(scene.leases.drawCount).toBe(0);
  });
});
