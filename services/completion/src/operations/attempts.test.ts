import { AppError, nano, seededRandom, silentLogger } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { OUTRUN, VendorFailure } from '../domain/vendor';
import { aborted, notSent } from '../domain/vendor-failures';
import type { Candidate } from '../routing/candidate';
import { createRunFixture, exampleRequest } from '../testing/run-fixture';
import { type SimulatedRequest, shareOf, startTraffic } from '../testing/simulated-traffic';
import { createUnreadMetrics } from '../testing/unread-metrics';
import { exampleCall } from '../testing/vendor-call';
import { createDeliveredText } from '../usage/delivered-text';
import type { AttemptLog } from './attempt-log';
import { callVendors } from './attempts';
import { type Ending, usageOutcomeOf } from './ending';
import { createRetryBudget } from './retries';
import { type FinishedRequest, workedTokensOf } from './worked-tokens';

/** By then 95 of 100 came. */
const USUAL_MS = 300;
const LATE_MS = USUAL_MS + 1;
const { candidate } = exampleCall();
const candidateAt = (id: string, ownerAccountId: string | null = null): Candidate => ({
  ...candidate,
  channel: { ...candidate.channel, id, ownerAccountId },
});
const failed = () =>
  new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', { retryElsewhere: true });

/**
 * One request to channels that answer when the test says so; `unsent` never get their call, and
 * those of the channels in `crowded` have their turn when the test says so.
 */
function start(
  candidates: readonly Candidate[],
  hedgeStreams = true,
  unsent: string[] = [],
  covers: (candidate: Candidate) => boolean = () => true,
  crowded: string[] = [],
) {
  const clock = createFakeClock();
  const log: AttemptLog = { startedMs: 0, count: 0, otherAttempts: [], paidByOperator: [] };
  const begun: string[] = [];
  interface Call {
    readonly answer: PromiseWithResolvers<string>;
    readonly signal: AbortSignal;
    readonly onTurn: () => void;
  }
  const calls = new Map<string, Call>();
  const metrics = createUnreadMetrics();
  const answered = callVendors<string>(
    {
      vendors: { lateFirstTokenMs: () => USUAL_MS },
      retries: createRetryBudget(clock),
      random: () => 0,
      clock,
      metrics,
      bounds: { attemptsMax: 3, hedgeStreams },
    },
    {
      candidates,
      stream: true,
      log,
      signal: new AbortController().signal,
      isStopped: () => false,
      covers,
      begin: ({ channel }) => begun.push(channel.id),
      callOf: (each, onTurn) => exampleCall({ candidate: each, onTurn }),
    },
    (call, signal) => {
      const answer = Promise.withResolvers<string>();
      const { id } = call.candidate.channel;
      calls.set(id, { answer, signal, onTurn: call.onTurn });
      if (!crowded.includes(id)) call.onTurn();
      signal.addEventListener('abort', () => answer.reject(aborted(!unsent.includes(id))));
      return answer.promise;
    },
  );
  answered.catch(() => {});
  const at = (id: string) => {
    const call = calls.get(id);
    if (call === undefined) throw new Error(`${id} was not called`);
    return call;
  };
  return { answered, at, begun, calls, clock, log, metrics };
}

test('nothing is hedged unless the operator wants it', async () => {
  const { calls, clock } = start([candidateAt('a'), candidateAt('b')], false);
  await clock.advance(10 * LATE_MS);
  expect([...calls.keys()]).toEqual(['a']);
});

test('a channel is called again whose connection failed when the reservation covers no other', async () => {
  const [cheap, dear] = [candidateAt('cheap'), candidateAt('dear')];
  const { answered, at, clock, log } = start([cheap, dear], false, [], (each) => each === cheap);
  const unreachable = new AppError('UPSTREAM_ERROR');
  at('cheap').answer.reject(
    new VendorFailure(unreachable, 'failure', { retryElsewhere: true, retryHere: true }),
  );
  await settlePromises();
  await clock.advance(1_000);
  expect(log.count).toBe(2);
  at('cheap').answer.resolve('the answer');
  expect(await answered).toBe('the answer');
});

test('calls that did not help are told with when each was made, and what was asked for then', async () => {
  const { answered, at, clock, log } = start([candidateAt('a'), candidateAt('b')], false);
  await clock.advance(30);
  at('a').answer.reject(
    new VendorFailure(new AppError('UPSTREAM_ERROR', { retryAfterMs: 19_999.5 }), 'rate_limited', {
      retryElsewhere: true,
    }),
  );
  await clock.advance(60_000);
  at('b').answer.reject(failed());
  await expect(answered).rejects.toThrow();
  const [first, second] = log.otherAttempts;
  expect(first).toMatchObject({ channelId: 'a', afterMs: 0, tookMs: 30, retryAfterMs: 20_000 });
  expect(second).toMatchObject({ channelId: 'b', retryAfterMs: undefined });
  expect((second?.afterMs ?? 0) + (second?.tookMs ?? 0)).toBe(60_030);
});

test('a second channel is asked when the first is late, and the loser is ended', async () => {
  const { answered, at, begun, calls, clock, log } = start([candidateAt('a'), candidateAt('b')]);
  await clock.advance(USUAL_MS);
  expect([...calls.keys()]).toEqual(['a']);
  await clock.advance(1);
  at('b').answer.resolve('hello of b');
  expect(await answered).toBe('hello of b');
  expect(begun).toEqual(['a', 'b']);
  expect(at('a').signal.reason).toBe(OUTRUN);
  expect(at('b').signal.aborted).toBe(false);
  expect(log).toMatchObject({
    count: 2,
    otherAttempts: [{ channelId: 'a', outcome: 'aborted', tookMs: LATE_MS }],
    paidByOperator: [{ channel: { id: 'a' } }],
  });
  expect(clock.pendingTimers).toBe(0);
});

test('the first channel answers although a second was asked', async () => {
  const { answered, at, begun, clock, log } = start([candidateAt('a'), candidateAt('b')]);
  await clock.advance(LATE_MS);
  at('a').answer.resolve('hello of a');
  expect(await answered).toBe('hello of a');
  expect(begun).toEqual(['a']);
  expect(at('b').signal.reason).toBe(OUTRUN);
  expect(log.paidByOperator).toMatchObject([{ channel: { id: 'b' } }]);
});

test('a second channel that was outrun before it got its call costs the operator nothing', async () => {
  const { answered, at, clock, log } = start([candidateAt('a'), candidateAt('b')], true, ['b']);
  await clock.advance(LATE_MS);
  at('a').answer.resolve('hello of a');
  expect(await answered).toBe('hello of a');
  expect(at('b').signal.reason).toBe(OUTRUN);
  expect(log).toMatchObject({ otherAttempts: [{ channelId: 'b' }], paidByOperator: [] });
});

/** Calls at a and b where those of `crowded` wait in the queue of their account. */
const startInLine = (hedgeStreams: boolean, ...crowded: string[]) =>
  start([candidateAt('a'), candidateAt('b')], hedgeStreams, [], () => true, crowded);

test('a stream that waits in a line is late only when its vendor is', async () => {
  const { at, calls, clock } = startInLine(true, 'a');
  await clock.advance(10 * LATE_MS);
  at('a').onTurn();
  await clock.advance(USUAL_MS);
  expect([...calls.keys()]).toEqual(['a']);
  await clock.advance(1);
  expect([...calls.keys()]).toEqual(['a', 'b']);
});

test('what a call waited in a line is not the time of its vendor', async () => {
  const { answered, at, clock, log, metrics } = startInLine(false, 'a', 'b');
  const observe = jest.spyOn(metrics.vendorFirstToken, 'observe');
  await clock.advance(3_000);
  expect(log.calledMs).toBeUndefined();
  at('a').onTurn();
  expect(log.calledMs).toBe(3_000);
  await clock.advance(30);
  at('a').answer.reject(failed());
  await clock.advance(60_000);
  expect(log.otherAttempts).toMatchObject([{ channelId: 'a', afterMs: 3_000, tookMs: 30 }]);
  at('b').onTurn();
  await clock.advance(40);
  at('b').answer.resolve('hello of b');
  await answered;
  expect(observe).toHaveBeenCalledWith(0.04, expect.anything());
  expect(log.answered).toMatchObject({ calledMs: 63_070 - 40 });
});

test('one that fails leaves the answer to the other, and a third is asked when both fail', async () => {
  const candidates = ['a', 'b', 'c'].map((id) => candidateAt(id));
  const { answered, at, clock, log } = start(candidates);
  await clock.advance(LATE_MS);
  at('a').answer.reject(failed());
  await settlePromises();
  expect(at('b').signal.aborted).toBe(false);
  at('b').answer.reject(failed());
  await settlePromises();
  at('c').answer.resolve('hello of c');
  expect(await answered).toBe('hello of c');
  expect(log.otherAttempts.map(({ channelId }) => channelId)).toEqual(['a', 'b']);
  expect(log).toMatchObject({ count: 3, paidByOperator: [] });
});

test('a second channel that was never called is tried when the first fails', async () => {
  const { answered, at, clock, log } = start([candidateAt('a'), candidateAt('b')]);
  await clock.advance(LATE_MS);
  at('b').answer.reject(notSent('no connection was free'));
  await settlePromises();
  at('a').answer.reject(failed());
  await settlePromises();
  at('b').answer.resolve('hello of b');
  expect(await answered).toBe('hello of b');
  expect(log.otherAttempts.map(({ channelId }) => channelId)).toEqual(['b', 'a']);
  expect(log.count).toBe(3);
});

test.each([
  ['the first', ['a', 'b']],
  ['the last', ['b', 'a']],
])(
  'a request that one of two finds wrong is refused as wrong, though it is %s to say so',
  async (_which, order) => {
    const { answered, at, clock } = start([candidateAt('a'), candidateAt('b'), candidateAt('c')]);
    await clock.advance(LATE_MS);
    const wrong = new VendorFailure(new AppError('VALIDATION_ERROR'), 'request_refused', {
      retryElsewhere: false,
    });
    for (const id of order) {
      at(id).answer.reject(id === 'a' ? wrong : failed());
      await settlePromises();
    }
    await expect(answered).rejects.toBe(wrong);
  },
);

test('a first token that never came costs the operator a prompt, though another channel answers', async () => {
  const { answered, at, log } = start([candidateAt('a'), candidateAt('b'), candidateAt('c')]);
  const error = new AppError('UPSTREAM_TIMEOUT', { retryable: false });
  at('a').answer.reject(new VendorFailure(error, 'timeout', { retryElsewhere: true }));
  await settlePromises();
  at('b').answer.reject(failed());
  await settlePromises();
  at('c').answer.resolve('hello of c');
  expect(await answered).toBe('hello of c');
  // A vendor that says that it failed charges nothing.
  expect(log.paidByOperator.map(({ channel }) => channel.id)).toEqual(['a']);
});

test('an account that pays a vendor itself is not made to pay another one', async () => {
  const { calls, clock } = start([candidateAt('a', 'acc_1'), candidateAt('b')]);
  await clock.advance(LATE_MS);
  expect([...calls.keys()]).toEqual(['a']);
});

test('who is outrun costs the operator a prompt, and the client nothing', async () => {
  const clock = createFakeClock();
  const { tokens } = (await createRunFixture(clock)).deps;
  const prices = { prompt: nano(1_000_000n), completion: nano(2_000_000n), cachedPrompt: nano(0n) };
  const priced = (id: string): Candidate => {
    const at = candidateAt(id);
    return { ...at, model: { ...at.model, prices } };
  };
  const ending: Ending = {
    reason: 'stop',
    status: 'succeeded',
    errorCode: undefined,
    mayHaveWorked: true,
    usage: { prompt: 7, completion: 5, cached: 0 },
    isDelivered: true,
    cut: false,
  };
  const costOf = async (unpaid: Candidate[]) => {
    const finished: FinishedRequest = {
      request: exampleRequest(),
      candidate: priced('b'),
      prices,
      reserved: nano(1_000n),
      text: createDeliveredText(),
      attempts: { startedMs: 0, count: 2, otherAttempts: [], paidByOperator: unpaid },
      startedMs: 0,
      firstTokenMs: 0,
    };
    const worked = await workedTokensOf({ tokens, logger: silentLogger }, ending, finished);
    return usageOutcomeOf(clock, ending, finished, worked);
  };
  expect(await costOf([])).toMatchObject({ amount: 17n, vendorAbsorbed: 0n });
  expect(await costOf([priced('a')])).toMatchObject({ amount: 17n, vendorAbsorbed: 7n });
});

const firstTokenP99Of = (requests: readonly SimulatedRequest[]): number => {
  const times = requests.map(({ firstTokenMs }) => firstTokenMs ?? Infinity).sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
};

test('streams of a channel that stalls begin soon, and each request is charged once', async () => {
  const clock = createFakeClock();
  const random = seededRandom(6);
  const answer = () => ({
    kind: 'answer' as const,
    answerMs: 700,
    firstTokenMs: 200 + 100 * -Math.log(1 - random()),
  });
  const stallsFromMs = 4_000;
  const traffic = await startTraffic(
    clock,
    5,
    [
      { act: (beganMs) => (beganMs < stallsFromMs ? answer() : { kind: 'stall' }) },
      { act: answer },
      { act: answer },
    ],
    { hedgeStreams: true },
  );
  await traffic.send(30, 14_000);
  await traffic.finish();
  const { calls, requests } = traffic;
  const before = requests.filter(({ beganMs }) => beganMs < stallsFromMs);
  const late = requests.filter(({ beganMs }) => beganMs >= stallsFromMs);
  expect(late.filter(({ code }) => code !== undefined)).toEqual([]);
  expect(firstTokenP99Of(late)).toBeLessThanOrEqual(2 * firstTokenP99Of(before));
  expect(calls.length / requests.length).toBeLessThanOrEqual(1.2);
  expect(shareOf(calls, 'chn_1', stallsFromMs + 5_000, 14_000)).toBeLessThan(0.05);
});
