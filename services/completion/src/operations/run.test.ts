import { AppError, type ErrorCode, type Logger, silentLogger, ZERO_NANO } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import { VendorFailure } from '../domain/vendor';
import { aborted, answerTooLong, notSent } from '../domain/vendor-failures';
import {
  createRunFixture,
  exampleRequest,
  FINISH_PIECE,
  textPiece,
  wholeAnswer,
} from '../testing/run-fixture';
import { complete } from './complete';
import { streamCompletion } from './stream';

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

function failure(retryElsewhere = true): VendorFailure {
  return new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', { retryElsewhere });
}

const USAGE_PIECE = { kind: 'usage', usage: { prompt: 5, completion: 2, cached: 0 } } as const;
const BROKEN_TOKENS = {
  countAnswer: async () => Promise.reject(new Error('the counter is broken')),
  countPrompt: async () => Promise.reject(new Error('the counter is broken')),
};

describe('what leaves, and when', () => {
  it('is nothing before BEGIN is durable, though the vendor answers', async () => {
    const fixture = await createRunFixture(clock);
    const release = fixture.disk.holdSyncs();
    const { vendor, out } = fixture.stream();
    await settlePromises();
    expect(fixture.vendors.calls).toHaveLength(1);
    expect(out.left).toEqual([]);
    release();
    await settlePromises();
    expect(out.left).toEqual(['head small 1']);
    vendor.send(textPiece('Hi'));
    await settlePromises();
    expect(out.left).toEqual(['head small 1', 'Hi']);
  });

  it('is not the end of the answer before END is durable', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream();
    await settlePromises();
    const release = fixture.disk.holdSyncs();
    vendor.send(textPiece('Hi there'), FINISH_PIECE, USAGE_PIECE);
    vendor.end();
    await settlePromises();
    expect(out.left).toEqual(['head small 1', 'Hi there']);
    release();
    await over;
    expect(out.left).toEqual(['head small 1', 'Hi there', 'finish', 'end']);
    expect(out).toMatchObject({ amount: 7n, failure: undefined });
  });

  it('ends every choice, also one that its vendor left open when it said that it was done', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream(exampleRequest({ choices: 3 }));
    await settlePromises();
    vendor.send(textPiece('Hi'), { ...FINISH_PIECE, choice: 1 }, USAGE_PIECE);
    vendor.end();
    await over;
    const stopped = (index: number) => `[{"index":${index},"delta":{},"finish_reason":"stop"}]`;
    expect(out.left.slice(2)).toEqual(['finish', stopped(0), stopped(2), 'end']);
  });

  it('is no whole answer before END is durable', async () => {
    const fixture = await createRunFixture(clock);
    fixture.vendors.answers.push(wholeAnswer(5, 2));
    const running = complete(fixture.deps, exampleRequest());
    await settlePromises();
    expect(fixture.onlyRecord()).toMatchObject({ source: 'exact', amount: 7n });
    await running;
    let answered = false;
    const release = fixture.disk.holdSyncs();
    fixture.vendors.answers.push(wholeAnswer(5, 2));
    const held = complete(fixture.deps, exampleRequest()).then(() => {
      answered = true;
    });
    await settlePromises();
    expect(answered).toBe(false);
    release();
    await held;
    expect(answered).toBe(true);
  });

  it('stops with an error frame when the spool is poisoned, and nothing new begins', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream();
    await settlePromises();
    vendor.send(textPiece('Hi'));
    fixture.disk.failNext('fdatasync');
    const begun = { code: 'SERVICE_UNAVAILABLE', recorded: true };
    await expect(streamCompletion(fixture.deps, exampleRequest(), out)).rejects.toMatchObject(
      begun,
    );
    await over;
    expect(out.left.at(-1)).toBe('end');
    expect(out.failure).toMatchObject(begun);
    const calls = fixture.vendors.calls.length;
    await expect(complete(fixture.deps, exampleRequest())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      recorded: false,
    });
    expect(fixture.vendors.calls).toHaveLength(calls);
  });

  it('is not said to be refused before a vendor was asked, when its END cannot be written', async () => {
    const fixture = await createRunFixture(clock);
    fixture.vendors.answers.push(wholeAnswer(5, 2));
    fixture.disk.failNext('fdatasync');
    await expect(complete(fixture.deps, exampleRequest())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      recorded: true,
      retryable: true,
    });
    expect(fixture.vendors.calls).toHaveLength(1);
  });
});

describe('failover', () => {
  it('tries other channels before the first byte, as one request with one record', async () => {
    const fixture = await createRunFixture(clock, { channels: 3 });
    fixture.vendors.answers.push(failure(), failure());
    const { vendor, out, over } = fixture.stream();
    await settlePromises();
    expect(fixture.vendors.calls.map((call) => call.candidate.channel.id)).toEqual([
      'chn_1',
      'chn_2',
      'chn_3',
    ]);
    vendor.send(textPiece('Hi'), FINISH_PIECE, USAGE_PIECE);
    vendor.end();
    await over;
    expect(out.left[0]).toBe('head small 3');
    expect(fixture.onlyRecord()).toMatchObject({ attempts: 3, channelId: 'chn_3', number: 1 });
  });

  it('stops at the bound of attempts and records the failure at zero', async () => {
    const fixture = await createRunFixture(clock, { channels: 5 });
    fixture.vendors.answers.push(failure(), failure(), failure());
    await expect(complete(fixture.deps, exampleRequest())).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
    expect(fixture.vendors.calls).toHaveLength(3);
    expect(fixture.onlyRecord()).toMatchObject({
      amount: 0n,
      source: 'none',
      reason: 'vendor_error',
      status: 'failed',
      errorCode: 'UPSTREAM_ERROR',
    });
  });

  it('calls the same channel again only when no connection came about and no other is left', async () => {
    const fixture = await createRunFixture(clock, { channels: 2 });
    const unconnected = () =>
      new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
        retryElsewhere: true,
        retryHere: true,
      });
    fixture.vendors.answers.push(unconnected(), unconnected(), wholeAnswer(5, 2));
    await complete(fixture.deps, exampleRequest());
    const called = () => fixture.vendors.calls.map((call) => call.candidate.channel.id);
    expect(called()).toEqual(['chn_1', 'chn_2', 'chn_2']);
    expect(fixture.onlyRecord()).toMatchObject({ attempts: 3, status: 'succeeded' });
    fixture.vendors.calls.length = 0;
    fixture.vendors.answers.push(failure(), failure());
    await expect(complete(fixture.deps, exampleRequest())).rejects.toBeInstanceOf(AppError);
    expect(called()).toEqual(['chn_1', 'chn_2']);
  });

  it('waits longer before each further one, and not at all once it is stopped', async () => {
    const fixture = await createRunFixture(clock, { channels: 3 });
    const deps = { ...fixture.deps, random: () => 0.5 };
    fixture.vendors.answers.push(failure(), failure(), failure());
    const running = complete(deps, exampleRequest());
    running.catch(() => {});
    const callsAfter = async (ms: number) => {
      await clock.advance(ms);
      return fixture.vendors.calls.length;
    };
    expect(await callsAfter(24)).toBe(1);
    expect(await callsAfter(1)).toBe(2);
    expect(await callsAfter(49)).toBe(2);
    fixture.runs.stopAll('shutdown');
    await expect(running).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await callsAfter(1_000)).toBe(2);
  });

  it('makes no retry beyond those that its model has saved up, and tells operators of every attempt', async () => {
    const fixture = await createRunFixture(clock, { channels: 3 });
    const lines: unknown[] = [];
    const logger = {
      ...silentLogger,
      warn: (fields: unknown) => void lines.push(fields),
    } as Logger;
    const retries = { noteRequest: () => {}, take: (_model: string) => lines.length > 0 };
    fixture.vendors.answers.push(failure(), failure(), failure(), failure());
    for (const requestId of ['req_a', 'req_b']) {
      const request = exampleRequest({ requestId });
      const running = complete({ ...fixture.deps, retries, logger }, request);
      await expect(running).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    }
    const attempt = (id: number) => ({
      channelId: `chn_${id}`,
      model: 'small',
      outcome: 'failure',
    });
    expect(lines).toMatchObject([
      { requestId: 'req_a', attempts: [attempt(1)] },
      { requestId: 'req_b', attempts: [attempt(1), attempt(2), attempt(3)] },
    ]);
  });

  it('does not try elsewhere what the vendor finds wrong with the request', async () => {
    const fixture = await createRunFixture(clock, { channels: 3 });
    fixture.vendors.answers.push(failure(false));
    await expect(complete(fixture.deps, exampleRequest())).rejects.toBeInstanceOf(AppError);
    expect(fixture.vendors.calls).toHaveLength(1);
  });
});

describe('a request that is cut', () => {
  it.each(['shutdown', 'deadline'] as const)('by %s charges what was delivered', async (how) => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream(exampleRequest({ deadlineMs: 5_000 }));
    await settlePromises();
    vendor.send(textPiece('one two three'));
    if (how === 'shutdown') fixture.runs.stopAll('shutdown');
    else await clock.advance(5_000);
    await over;
    expect(out.failure?.code).toBe(how === 'shutdown' ? 'SERVICE_UNAVAILABLE' : 'UPSTREAM_TIMEOUT');
    expect(fixture.onlyRecord()).toMatchObject({
      reason: how,
      source: 'partial',
      promptTokens: 5,
      completionTokens: 3,
      amount: 8n,
    });
  });

  it('by its deadline is cut in time, also when it waited for credit', async () => {
    const fixture = await createRunFixture(clock);
    const grant = fixture.billing.hold();
    const { out } = fixture.stream(exampleRequest({ deadlineMs: 5_000 }));
    await clock.advance(3_000);
    grant();
    await settlePromises();
    await clock.advance(1_990);
    await settlePromises();
    expect(out.failure?.code).toBe('UPSTREAM_TIMEOUT');
    expect(fixture.onlyRecord()).toMatchObject({ reason: 'deadline', latencyMs: 4_950 });
  });

  it('is charged the prompt as its vendor had counted it, and what was delivered', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, over } = fixture.stream();
    await settlePromises();
    const usage = { prompt: 20, completion: 1, cached: 4, cacheWrite: 8 };
    vendor.send({ kind: 'prompt', usage });
    vendor.send(textPiece('one two three'));
    fixture.runs.stopAll('shutdown');
    await over;
    expect(fixture.onlyRecord()).toMatchObject({
      source: 'partial',
      promptTokens: 20,
      cachedTokens: 4,
      cacheWriteTokens: 8,
      completionTokens: 3,
      amount: 23n,
    });
  });

  it('before its vendor said anything is free, and the operator pays for its prompt', async () => {
    const fixture = await createRunFixture(clock);
    const gone = new VendorFailure(
      new AppError('UPSTREAM_TIMEOUT', { retryable: false }),
      'timeout',
      { retryElsewhere: false },
    );
    fixture.vendors.answers.push(gone, aborted(true), aborted(false));
    fixture.vendors.answers.push(notSent('no room'), failure(false));
    for (let request = 0; request < 5; request += 1) {
      await expect(complete(fixture.deps, exampleRequest())).rejects.toBeInstanceOf(AppError);
    }
    const records = fixture.spool.takeBatch(10);
    // The counter of the fixture takes no text for one word.
    expect(records).toMatchObject(
      [6n, 6n, 0n, 0n, 0n].map((vendorAbsorbed) => ({
        vendorAbsorbed,
        amount: 0n,
        source: 'none',
      })),
    );
  });

  it('is charged by its length when its tokens cannot be counted', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, over } = fixture.stream(exampleRequest(), { tokens: BROKEN_TOKENS });
    await settlePromises();
    await clock.advance(300);
    vendor.send(textPiece('one two three'));
    await settlePromises();
    fixture.runs.stopAll('shutdown');
    await over;
    expect(fixture.onlyRecord()).toMatchObject({ source: 'partial', amount: 12n });
    expect(fixture.leases.reservationCount).toBe(0);
  });

  it('is charged a token for each word at least when its tokens cannot be counted', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, over } = fixture.stream(exampleRequest(), { tokens: BROKEN_TOKENS });
    await settlePromises();
    vendor.send(textPiece('a b c d e f g h '.repeat(10)));
    fixture.runs.stopAll('shutdown');
    await over;
    expect(fixture.onlyRecord()).toMatchObject({ source: 'partial', completionTokens: 80 });
  });

  it('that is whole has in its record what of it was cached, thought and audio', async () => {
    const fixture = await createRunFixture(clock);
    const ofPrompt = { prompt: 20, cached: 5, cacheWrite: 8, promptAudio: 6 };
    const usage = { ...ofPrompt, completion: 3, reasoning: 2, completionAudio: 1 };
    fixture.vendors.answers.push({ ...wholeAnswer(20, 3), usage });
    const answer = await complete(fixture.deps, exampleRequest());
    const parts = { cachedTokens: 5, cacheWriteTokens: 8, reasoningTokens: 2 };
    const audio = { promptAudioTokens: 6, completionAudioTokens: 1 };
    expect(answer.usage).toEqual({ promptTokens: 20, completionTokens: 3, ...parts, ...audio });
    // Audio costs what other tokens do.
    expect(fixture.onlyRecord()).toMatchObject({ ...parts, ...audio, amount: 23n });
  });

  it('by a client that leaves while the END of its whole answer is synced is charged', async () => {
    const fixture = await createRunFixture(clock);
    const leaving = new AbortController();
    fixture.vendors.answers.push(wholeAnswer(5, 2));
    const running = complete(fixture.deps, exampleRequest({ signal: leaving.signal }));
    const release = fixture.disk.holdSyncs();
    await settlePromises();
    leaving.abort();
    release();
    await expect(running).resolves.toMatchObject({ amount: 7n });
    expect(fixture.onlyRecord()).toMatchObject({ amount: 7n, source: 'exact', reason: 'stop' });
  });

  it.each(['client_gone', 'deadline'] as const)(
    'by %s while its whole answer is counted is free, and the vendor’s cost is counted once',
    async (how) => {
      const fixture = await createRunFixture(clock);
      const counted = Promise.withResolvers<number>();
      const countAnswer = jest.fn(() => counted.promise);
      const deps = { ...fixture.deps, tokens: { ...fixture.deps.tokens, countAnswer } };
      const leaving = new AbortController();
      const request = exampleRequest({ deadlineMs: 5_000, signal: leaving.signal });
      fixture.vendors.answers.push({ ...wholeAnswer(5, 2), usage: undefined });
      const running = complete(deps, request);
      running.catch(() => {});
      await settlePromises();
      if (how === 'client_gone') leaving.abort();
      else await clock.advance(5_000);
      counted.resolve(2);
      await expect(running).rejects.toBeInstanceOf(AppError);
      const free = { amount: 0n, source: 'none', status: 'failed', completionTokens: 0 };
      // A client that left was told nothing.
      const errorCode = how === 'client_gone' ? undefined : 'UPSTREAM_TIMEOUT';
      const record = { ...free, reason: how, errorCode, vendorAbsorbed: 7n };
      expect(fixture.onlyRecord()).toMatchObject(record);
      expect(countAnswer).toHaveBeenCalledTimes(1);
    },
  );
});

it('an answer too long to hand over is free, asked for once, and its cost is counted', async () => {
  const fixture = await createRunFixture(clock, { channels: 3 });
  fixture.vendors.answers.push(answerTooLong({ prompt: 5, completion: 200, cached: 0 }, 'less'));
  await expect(complete(fixture.deps, exampleRequest())).rejects.toMatchObject({
    code: 'UPSTREAM_ERROR',
  });
  expect(fixture.vendors.calls).toHaveLength(1);
  expect(fixture.onlyRecord()).toMatchObject({ amount: 0n, source: 'none', vendorAbsorbed: 205n });
});

describe('limits', () => {
  it('a request that the balance cannot pay leaves no record and calls no vendor', async () => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 10n);
    const request = exampleRequest({ maxTokens: 100 });
    // 32 tokens of prompt at most likely, and 100 of an answer, of one nano-unit each.
    await expect(complete(fixture.deps, request)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      publicMessage:
        'The balance is too low: this request needs at least 0.000000132 EUR. ' +
        'Please top up, or lower max_tokens.',
    });
    expect(fixture.vendors.calls).toEqual([]);
    expect(fixture.spool.takeBatch(10)).toEqual([]);
  });

  it('who has nothing left is not told to ask for less', async () => {
    const fixture = await createRunFixture(clock);
    const nothing = new AppError('INSUFFICIENT_BALANCE', { balance: ZERO_NANO });
    fixture.billing.failNextAcquire(nothing);
    await expect(complete(fixture.deps, exampleRequest({ maxTokens: 100 }))).rejects.toMatchObject({
      publicMessage:
        'The balance is too low: this request needs at least 0.000000132 EUR. Please top up.',
    });
  });

  it('money that other requests hold is told as that, and not as too little', async () => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 150n);
    fixture.stream(exampleRequest({ maxTokens: 100 }));
    await settlePromises();
    const refused = (maxTokens: number) =>
      expect(complete(fixture.deps, exampleRequest({ maxTokens }))).rejects;
    await refused(100).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      publicMessage:
        'What is left of the balance is held by other requests: this request needs at least ' +
        '0.000000132 EUR. Wait until they have ended, or lower max_tokens.',
    });
    // Of no use to wait for.
    await refused(1_000).toMatchObject({
      publicMessage: expect.stringContaining('too low') as string,
    });
  });

  it.each<readonly [ErrorCode, string | undefined, string]>([
    [
      'KEY_BUDGET_EXCEEDED',
      undefined,
      'The budget of this API key has too little left in its current period: this request needs at ' +
        'least 0.000000132 EUR. Raise max_budget, or lower max_tokens.',
    ],
    ['INSUFFICIENT_BALANCE', 'what billing says', 'what billing says'],
  ])('a refusal for want of money is told with its reason: %s', async (code, said, told) => {
    const fixture = await createRunFixture(clock);
    const options = said === undefined ? {} : { publicMessage: said };
    fixture.billing.failNextAcquire(new AppError(code, options));
    const answer = complete(fixture.deps, exampleRequest({ maxTokens: 100 }));
    await expect(answer).rejects.toMatchObject({ code, publicMessage: told });
  });

  it('a poor account’s open-ended answer is capped at what it can pay', async () => {
    const fixture = await createRunFixture(clock);
    fixture.billing.setAvailable('acc_1', 100n);
    fixture.stream();
    await settlePromises();
    // 32 bytes of prompt are estimated at 16 + 8 + 8 tokens of one nano-unit each.
    expect(fixture.vendors.calls[0]?.maxTokens).toBe(68);
  });
});

describe('a stream', () => {
  it('pauses its vendor while its reader is slow, and lets it go on later', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out } = fixture.stream();
    await settlePromises();
    out.flowing = false;
    vendor.send(textPiece('Hi'));
    await settlePromises();
    expect(vendor.paused).toBe(true);
    out.drain();
    await settlePromises();
    expect(vendor.paused).toBe(false);
  });

  it.each([
    ['a quick reader tells', true, 1],
    ['a slow reader does not tell', false, 0],
  ])('of %s the speed of its channel', async (_how, isQuick, noted) => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream();
    await settlePromises();
    out.flowing = isQuick;
    vendor.send(textPiece('Hi'));
    await settlePromises();
    out.drain();
    vendor.send(FINISH_PIECE, USAGE_PIECE);
    vendor.end();
    await over;
    expect(fixture.vendors.speeds).toHaveLength(noted);
  });

  it.each([false, true])(
    'whose vendor finished before its client left is complete only when it is kept: %s',
    async (isKept) => {
      const fixture = await createRunFixture(clock);
      const leaving = new AbortController();
      const request = exampleRequest({ signal: leaving.signal, isKept });
      const { vendor, out, over } = fixture.stream(request);
      await settlePromises();
      out.flowing = false;
      vendor.send(textPiece('One'));
      await settlePromises();
      vendor.send(textPiece('two'), FINISH_PIECE, USAGE_PIECE);
      vendor.end();
      leaving.abort();
      await over;
      const left = isKept ? ['One', 'two', 'finish', 'end'] : ['One', 'end'];
      expect(out.left.slice(1)).toEqual(left);
      const [reason, source, amount] = isKept
        ? ['stop', 'exact', 7n]
        : ['client_gone', 'partial', 6n];
      expect(fixture.onlyRecord()).toMatchObject({ reason, source, amount });
    },
  );

  it('that nobody reads for long is given up', async () => {
    const fixture = await createRunFixture(clock);
    const { vendor, out, over } = fixture.stream();
    await settlePromises();
    out.flowing = false;
    vendor.send(textPiece('Hi'));
    await settlePromises();
    await clock.advance(30_000);
    await over;
    expect(fixture.onlyRecord()).toMatchObject({
      reason: 'client_gone',
      source: 'partial',
      status: 'failed',
      errorCode: undefined,
    });
  });

  it.each([
    ['reasoning_content', `{"role":"assistant","content":"Hi","thinking_blocks":[]}`],
    ['vision', `{"role":"assistant","content":"Hi"}`],
  ])(
    'that is cut is counted with the prompt that a channel of %s got',
    async (ability, counted) => {
      const fixture = await createRunFixture(clock, { capabilities: [ability] });
      const countPrompt = jest.fn<Promise<number>, [Buffer]>(async () => 5);
      const messages = Buffer.from('[{"role":"assistant","content":"Hi","thinking_blocks":[]}]');
      const client = new AbortController();
      const { vendor, over } = fixture.stream(exampleRequest({ messages, signal: client.signal }), {
        tokens: { ...fixture.deps.tokens, countPrompt },
      });
      await settlePromises();
      vendor.send(textPiece('Hi'));
      await settlePromises();
      client.abort();
      await over;
      expect(String(countPrompt.mock.calls[0]?.[0])).toBe(`[${counted}]`);
    },
  );
});

describe('a request', () => {
  it('is refused at once by a full channel: without a timer, a credit lease, a call or a record', async () => {
    const fixture = await createRunFixture(clock);
    const busy = {
      obstacle: { kind: 'busy', retryAfterMs: 1000 },
      firstTokenMs: undefined,
    } as const;
    const noteRejected = jest.fn();
    const vendors = Object.assign(fixture.vendors, { healthOf: () => busy, noteRejected });
    const before = { timers: clock.pendingTimers, syncs: fixture.disk.syncCount };
    // Neither is waited for.
    fixture.billing.hold();
    fixture.disk.holdSyncs();
    const { out, over } = fixture.stream(exampleRequest(), { vendors });
    await expect(over).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 });
    expect(noteRejected).toHaveBeenCalledWith([expect.objectContaining({ reason: 'busy' })]);
    expect({ timers: clock.pendingTimers, syncs: fixture.disk.syncCount }).toEqual(before);
    expect(fixture.billing.acquires).toEqual([]);
    expect(fixture.vendors.calls).toEqual([]);
    expect(fixture.spool.takeBatch(10)).toEqual([]);
    expect(out.left).toEqual([]);
  });

  it('does not begin once draining began', async () => {
    const fixture = await createRunFixture(clock);
    fixture.runs.refuse();
    await expect(complete(fixture.deps, exampleRequest())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(fixture.leases.reservationCount).toBe(0);
  });
});
