import type { CallSummary } from '@tollgate/core';
import { type ChannelHealth, UNKNOWN_HEALTH } from './channel';
import { errorAfterCheck, observeCalls, withSuccessRates } from './health';

describe('health', () => {
  const served = ['m', 'n'].map((name) => ({ name, upstreamName: name }));
  const seen: CallSummary = {
    channelId: 'c',
    model: 'm',
    kind: 'success',
    count: 1,
    latencyMs: 100,
    firstTokenMs: 20,
    breaker: 'closed',
    cooldownMs: 0,
    detail: '',
  };
  const observeReport = (
    health: ChannelHealth,
    report: readonly Partial<CallSummary>[],
    models = served,
  ) =>
    withSuccessRates(report.map((changes) => ({ ...seen, ...changes }))).reduce(
      (before, calls) => observeCalls(before, calls, 1000, models),
      health,
    );
  const observe = (health: ChannelHealth, changes: Partial<CallSummary>, models = served) =>
    observeReport(health, [changes], models);

  test('failures degrade a channel and do not touch its latency', () => {
    let health = observe(UNKNOWN_HEALTH, {});
    expect(health).toMatchObject({ state: 'healthy', latencyMs: 100, firstTokenMs: 20 });
    for (let turn = 0; turn < 10; turn += 1) {
      health = observe(health, { kind: 'failure', latencyMs: 9999 });
    }
    expect(health).toMatchObject({ state: 'unhealthy', latencyMs: 100 });
  });

  test('what a report says weighs by its calls, not by the kinds of their ends', () => {
    let health = UNKNOWN_HEALTH;
    for (let second = 0; second < 30; second += 1) {
      health = observeReport(health, [
        { kind: 'failure', count: 1 },
        { kind: 'timeout', count: 1 },
        { kind: 'success', count: 198 },
        { kind: 'failure', count: 1, model: 'n' },
        { kind: 'rate_limited', count: 50, model: 'n' },
      ]);
    }
    expect(health.successRate).toBeCloseTo(198 / 201);
    expect(health.state).toBe('healthy');
    const rates = health.models.map(({ model, successRate }) => [model, successRate]);
    expect(rates).toEqual([
      ['m', expect.closeTo(0.99)],
      ['n', 0],
    ]);
  });

  test('what failed stays told while the report leaves the channel degraded', () => {
    const health = observeReport(observe(UNKNOWN_HEALTH, {}), [
      { kind: 'failure', count: 60, detail: 'it said no' },
      { kind: 'success', count: 1 },
      { kind: 'success', count: 40, model: 'n' },
    ]);
    expect(health).toMatchObject({ state: 'degraded', lastErrorKind: 'failure' });
  });

  test('a channel that had no room is told when, and works as before', () => {
    const before = observe(observe(UNKNOWN_HEALTH, {}), { kind: 'failure' });
    const health = observe(before, { kind: 'no_room', latencyMs: 0, firstTokenMs: 0 });
    expect(health).toEqual({ ...before, noRoomAtMs: 1000 });
    expect(observe(health, {}).noRoomAtMs).toBe(1000);
  });

  test('what a call that failed met is told until the channel is healthy again', () => {
    let health = observe(UNKNOWN_HEALTH, {});
    expect(health.lastError).toBeNull();
    health = observe(observe(health, { kind: 'timeout' }), {});
    expect(health).toMatchObject({
      state: 'degraded',
      lastError: 'The vendor did not answer in time a call of “m”.',
      lastErrorKind: 'timeout',
      lastErrorAtMs: 1000,
    });
    for (let turn = 0; turn < 10; turn += 1) health = observe(health, {});
    expect(health).toMatchObject({
      state: 'healthy',
      lastError: null,
      lastErrorKind: null,
      lastErrorAtMs: null,
    });
  });

  test("what a call met is told in the vendor's words, and a refused credential in the check's", () => {
    const detail = 'the vendor answered 503, overloaded_error: The server is overloaded';
    const failed = observe(UNKNOWN_HEALTH, { kind: 'failure', detail });
    expect(failed).toMatchObject({
      lastError: `The vendor failed a call of “m”: ${detail}.`,
      lastErrorKind: 'failure',
    });
    expect(observe(failed, { kind: 'credential_refused' }).lastError).toBe(failed.lastError);
    const refused = { kind: 'credential_refused', detail: 'the vendor answered 401' } as const;
    expect(observe(failed, refused).lastError).toBe(
      'The vendor refused the credential, or wants credit, at a call of “m”: the vendor answered 401.',
    );
  });

  test('an open breaker makes its model unhealthy, and the channel when it is the last', () => {
    const open = observe(UNKNOWN_HEALTH, { breaker: 'open' });
    expect(open).toMatchObject({ state: 'healthy', breaker: 'closed' });
    expect(open.models).toMatchObject([{ model: 'm', state: 'unhealthy', breaker: 'open' }]);
    const both = observe(open, { model: 'n', breaker: 'open' });
    expect(both).toMatchObject({ state: 'unhealthy', breaker: 'open' });
  });

  test('a vendor that limits us stays healthy, and is left alone until the time it named', () => {
    const healthy = observe(UNKNOWN_HEALTH, {});
    const limited = observe(healthy, { kind: 'rate_limited', cooldownMs: 5000 });
    expect(limited).toMatchObject({ state: 'healthy', successRate: 1 });
    expect(limited.models).toMatchObject([
      { state: 'healthy', successRate: 1, cooldownUntilMs: 6000 },
    ]);
    expect(observe(limited, {}).models).toMatchObject([{ cooldownUntilMs: null }]);
  });

  test('models that the channel does not serve any more are forgotten', () => {
    const both = observe(observe(UNKNOWN_HEALTH, {}), { model: 'n' });
    expect(both.models.map(({ model: name }) => name)).toEqual(['m', 'n']);
    expect(observe(both, {}, served.slice(0, 1)).models).toHaveLength(1);
    expect(observe(UNKNOWN_HEALTH, { model: 'invented' }).models).toEqual([]);
  });
});

test('a failed check keeps what a call met', () => {
  const words = 'The vendor refused the credential, or wants credit, at a call of “m”: no.';
  const told = errorAfterCheck(words, { error: 'It answered 401.', model: 'm' });
  expect(told).toBe(`It answered 401, asked for “m”. Before the check: ${words}`);
});
