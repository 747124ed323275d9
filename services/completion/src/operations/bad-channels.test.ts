import { AppError, seededRandom } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { VendorFailure } from '../domain/vendor';
import {
  type SimulatedRequest,
  shareOf,
  startTraffic,
  type VendorDeed,
} from '../testing/simulated-traffic';

/** Two minutes of traffic are much work for a machine that is busy. */
jest.setTimeout(180_000);

const ANSWER: VendorDeed = { kind: 'answer', firstTokenMs: 300, answerMs: 700 };
/** As vendors do: most answers begin soon, one in fifty takes twice as long or longer. */
const answerOf = (luck: number): VendorDeed => ({
  kind: 'answer',
  answerMs: 700,
  firstTokenMs: 200 + 100 * -Math.log(1 - luck),
});
const FAIL: VendorDeed = {
  kind: 'fail',
  afterMs: 50,
  failure: () =>
    new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', { retryElsewhere: true }),
};

describe('one of three channels fails half of its calls and one stalls before its first token', () => {
  it.each([1])('seed %i: nearly everybody is answered, by the good one', async (seed) => {
    const clock = createFakeClock();
    const random = seededRandom(seed + 1000);
    let healed = false;
    const traffic = await startTraffic(clock, seed, [
      { act: () => (healed || random() < 0.5 ? answerOf(random()) : FAIL) },
      { act: () => (healed ? answerOf(random()) : { kind: 'stall' }) },
      { act: () => answerOf(random()) },
    ]);
    await traffic.send(20, 50_000);
    healed = true;
    await traffic.send(10, 30_000);
    await traffic.send(20, 10_000);
    await traffic.finish();
    const { calls, requests } = traffic;
    const during = requests.filter(({ beganMs }) => beganMs < 50_000);
    const healthy = requests.filter(({ beganMs }) => beganMs >= 80_000);
    const figures = {
      requests: during.length,
      failed: during.filter(({ code }) => code !== undefined).length,
      callsPerRequest: calls.filter(({ beganMs }) => beganMs < 50_000).length / during.length,
      halfFailing: shareOf(calls, 'chn_1', 5_000, 50_000),
      stalling: shareOf(calls, 'chn_2', 5_000, 50_000),
      healedHalf: shareOf(calls, 'chn_1', 80_000, 90_000),
      healedStalled: shareOf(calls, 'chn_2', 80_000, 90_000),
      firstTokenRatio: firstTokenP99Of(during) / firstTokenP99Of(healthy),
    };
    expect(figures.failed / figures.requests).toBeLessThanOrEqual(0.005);
    expect(figures.callsPerRequest).toBeLessThanOrEqual(1.2);
    expect(figures.firstTokenRatio).toBeLessThanOrEqual(2);
    expect(figures.halfFailing).toBeLessThan(0.05);
    expect(figures.stalling).toBeLessThan(0.05);
    expect(figures.healedHalf).toBeGreaterThan(0.2);
    expect(figures.healedStalled).toBeGreaterThan(0.2);
  });
});

describe('three times more requests than a capped channel may take', () => {
  it('are served up to the cap and refused at once beyond it', async () => {
    const clock = createFakeClock();
    // The vendor does worse than to refuse above 20 at once: it answers ten times slower.
    const traffic = await startTraffic(clock, 7, [
      {
        channel: { concurrencyMax: 20 },
        act: (_atMs, inFlight) =>
          inFlight > 20 ? { kind: 'answer', firstTokenMs: 3_000, answerMs: 7_000 } : ANSWER,
      },
    ]);
    const peak = 20;
    await traffic.send(3 * peak, 20_000);
    await traffic.send(peak / 2, 10_000);
    await traffic.finish();
    const { requests } = traffic;
    const within = (from: number, until: number) =>
      requests.filter(({ beganMs }) => beganMs >= from && beganMs < until);
    const overload = within(2_000, 20_000);
    const good = overload.filter(({ code }) => code === undefined);
    const refused = overload.filter(({ code }) => code !== undefined);
    const after = within(22_000, 30_000);
    const figures = {
      goodput: good.length / 18 / peak,
      refused: refused.length,
      slowestRefusal: Math.max(...refused.map(({ tookMs }) => tookMs)),
      failedAfter: after.filter(({ code }) => code !== undefined).length,
      slowestAfter: Math.max(...after.map(({ tookMs }) => tookMs)),
    };
    expect(figures.goodput).toBeGreaterThanOrEqual(0.8);
    expect(figures.slowestRefusal).toBeLessThanOrEqual(10);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(figures.failedAfter).toBe(0);
    expect(figures.slowestAfter).toBeLessThanOrEqual(1_000);
  });
});

function firstTokenP99Of(requests: readonly SimulatedRequest[]): number {
  const times = requests.map(({ firstTokenMs }) => firstTokenMs ?? Infinity).sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}
