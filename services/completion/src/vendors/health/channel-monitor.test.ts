import { AppError } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { OUTRUN, VendorFailure } from '../../domain/vendor';
import { aborted } from '../../domain/vendor-failures';
import type { Candidate } from '../../routing/candidate';
import { exampleCall } from '../../testing/vendor-call';
import { type ChannelMonitor, createChannelMonitor, guarded } from './channel-monitor';

function startMonitor(breakersMax: number, models: readonly string[]) {
  const clock = createFakeClock();
  const bounds = { failurePercent: 50, callsMin: 1, openMs: 1000, breakersMax };
  const monitor = createChannelMonitor(bounds, clock);
  const { candidate } = exampleCall();
  const channelOf = (names: readonly string[]) => ({
    ...candidate.channel,
    models: names.map((name) => ({ ...SERVED, name })),
  });
  monitor.setChannels([channelOf(models)]);
  const candidateOf = (name: string): Candidate => ({
    ...candidate,
    model: { ...candidate.model, name },
  });
  const fail = (name: string) => {
    const call = enter(monitor, candidateOf(name));
    call.leave();
    call.report({ outcome: 'failure', latencyMs: 1 });
  };
  const obstacle = (name: string) => monitor.healthOf(candidateOf(name)).obstacle?.kind;
  return { channelOf, clock, fail, monitor, obstacle, candidateOf };
}

/** Begins a call of an account like any other, in one piece when nothing else is said. */
function enter(monitor: ChannelMonitor, candidate: Candidate, stream = false, accountId = '') {
  return monitor.enter(candidate, stream, accountId);
}

const SERVED = { name: '', upstreamName: 'up', healthy: true };

it('remembers so many breakers, and forgets the one that was called longest ago', () => {
  const { fail, obstacle } = startMonitor(2, ['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) fail(name);
  expect(['a', 'b', 'c'].map(obstacle)).toEqual([undefined, 'failing', 'failing']);
});

it('forgets the breaker of a model that its channel does not serve any more', () => {
  const { channelOf, fail, monitor, obstacle } = startMonitor(9, ['a']);
  fail('a');
  monitor.setChannels([channelOf(['b'])]);
  monitor.setChannels([channelOf(['a', 'b'])]);
  expect(obstacle('a')).toBeUndefined();
  monitor.setChannels([]);
  expect(obstacle('a')).toBe('gone');
});

it('counts the models that are left alone, until a trial shows that they succeed', async () => {
  const { fail, monitor, candidateOf, clock } = startMonitor(9, ['a', 'b']);
  expect(monitor.openBreakerCount).toBe(0);
  fail('a');
  expect(monitor.openBreakerCount).toBe(1);
  await clock.advance(1001);
  const trial = enter(monitor, candidateOf('a'));
  trial.leave();
  trial.report({ outcome: 'success', latencyMs: 1 });
  expect(monitor.openBreakerCount).toBe(0);
});

it('reports the breaker and the cooldown of each model', () => {
  const { fail, monitor, candidateOf } = startMonitor(9, ['a', 'b']);
  fail('a');
  const limited = enter(monitor, candidateOf('b'));
  limited.report({ outcome: 'rate_limited', latencyMs: 1, cooldownMs: 3000 });
  expect(monitor.takeOutcomes()).toMatchObject([
    { model: 'a', kind: 'failure', breaker: 'open', cooldownMs: 0 },
    { model: 'b', kind: 'rate_limited', breaker: 'closed', cooldownMs: 3000 },
  ]);
  expect(monitor.takeOutcomes()).toEqual([]);
});

it('reports the newest call last, whatever was met before it', () => {
  const { monitor, candidateOf } = startMonitor(9, ['a', 'b']);
  const outcomes = [
    ['a', 'rate_limited'],
    ['b', 'credential_refused'],
    ['a', 'rate_limited'],
  ] as const;
  for (const [model, outcome] of outcomes) {
    const call = enter(monitor, candidateOf(model));
    call.report({ outcome, latencyMs: 1 });
    call.leave();
  }
  expect(monitor.takeOutcomes()).toMatchObject([
    { model: 'b', kind: 'credential_refused', count: 1 },
    { model: 'a', kind: 'rate_limited', count: 2 },
  ]);
});

it('knows how many calls of a model succeeded, the newer weighing more', async () => {
  const { clock, fail, monitor, candidateOf } = startMonitor(9, ['a']);
  const health = () => monitor.healthOf(candidateOf('a'));
  expect(health().successRate).toBeUndefined();
  const succeed = () =>
    enter(monitor, candidateOf('a')).report({ outcome: 'success', latencyMs: 1 });
  succeed();
  expect(health()).toMatchObject({ calls: 1, successRate: 1 });
  await clock.advance(60_000);
  fail('a');
  // The older one counts half: 0.5 of 1.5.
  expect(health()).toMatchObject({ calls: 2, successRate: 1 / 3 });
});

it('demotes at most half of a model’s channels, rounded up, and never the last', () => {
  const { channelOf, monitor, candidateOf } = startMonitor(9, ['a']);
  const ids = ['chn_1', 'chn_2', 'chn_3'];
  const candidateAt = (id: string): Candidate => {
    const candidate = candidateOf('a');
    return { ...candidate, channel: { ...candidate.channel, id } };
  };
  const settle = (id: string, outcome: 'failure' | 'success') => {
    const call = enter(monitor, candidateAt(id));
    call.leave();
    call.report({ outcome, latencyMs: 1 });
  };
  const standings = () => ids.map((id) => monitor.healthOf(candidateAt(id)).standing);
  monitor.setChannels(ids.map((id) => ({ ...channelOf(['a']), id })));
  // A fourth of the calls fails: too few for the breaker, too many for an outlier.
  for (const id of ids) {
    for (let call = 0; call < 3; call += 1) settle(id, 'success');
    settle(id, 'failure');
  }
  expect(standings()).toEqual(['demoted', 'demoted', undefined]);
  settle('chn_1', 'success');
  expect(standings()).toEqual(['trusted', 'demoted', undefined]);
});

it('counts a stream against its channel that is silent for five times as long as is usual', async () => {
  const { channelOf, clock, monitor, candidateOf } = startMonitor(9, ['a']);
  const candidate = candidateOf('a');
  const other = { ...candidate, channel: { ...candidate.channel, id: 'chn_2' } };
  monitor.setChannels([channelOf(['a']), { ...channelOf(['a']), id: 'chn_2' }]);
  const usual = { outcome: 'success', latencyMs: 600, firstTokenMs: 600 } as const;
  enter(monitor, other, true).report(usual);
  const silent = enter(monitor, candidate, true);
  const whole = enter(monitor, other);
  await clock.advance(2_999);
  expect(monitor.healthOf(candidate).standing).toBeUndefined();
  await clock.advance(1);
  expect(monitor.healthOf(candidate).standing).toBe('demoted');
  expect(monitor.healthOf(other).standing).toBe('trusted');
  silent.report({ outcome: 'aborted', latencyMs: 0 });
  whole.report({ outcome: 'aborted', latencyMs: 0 });
  expect(clock.pendingTimers).toBe(0);
});

it('asks others first while five streams wait for twice as long as usual, up to the next token', async () => {
  const { channelOf, clock, monitor, candidateOf } = startMonitor(9, ['a']);
  const candidate = candidateOf('a');
  const other = { ...candidate, channel: { ...candidate.channel, id: 'chn_2' } };
  monitor.setChannels([channelOf(['a']), { ...channelOf(['a']), id: 'chn_2' }]);
  enter(monitor, other, true).report({ outcome: 'success', latencyMs: 300, firstTokenMs: 300 });
  const [first, ...rest] = Array.from({ length: 5 }, () => enter(monitor, candidate, true));
  await clock.advance(599);
  expect(monitor.healthOf(candidate).standing).toBeUndefined();
  await clock.advance(1);
  expect(monitor.healthOf(candidate).standing).toBe('demoted');
  rest[0]?.report({ outcome: 'success', latencyMs: 600, firstTokenMs: 600 });
  expect(monitor.healthOf(candidate).standing).toBe('trusted');
  for (const call of [first, ...rest]) call?.report({ outcome: 'aborted', latencyMs: 0 });
});

/** Two channels of a model, of which the second one has answered in 300 ms. */
function startPair() {
  const { channelOf, clock, monitor, candidateOf } = startMonitor(9, ['a']);
  const candidate = candidateOf('a');
  const other = { ...candidate, channel: { ...candidate.channel, id: 'chn_2' } };
  monitor.setChannels([channelOf(['a']), { ...channelOf(['a']), id: 'chn_2' }]);
  const usual = { outcome: 'success', latencyMs: 300, firstTokenMs: 300 } as const;
  enter(monitor, other, true, 'others').report(usual);
  const standing = (accountId: string) => monitor.healthOf(candidate, accountId).standing;
  return { candidate, clock, monitor, standing, usual };
}

it('asks others first for the one account whose streams alone wait', async () => {
  const { candidate, clock, monitor, standing } = startPair();
  for (let call = 0; call < 12; call += 1) enter(monitor, candidate, true, 'slow');
  await clock.advance(600);
  expect([standing('slow'), standing('others')]).toEqual(['demoted', undefined]);
  // With three of others, as many of its own weigh as theirs.
  for (let call = 0; call < 3; call += 1) enter(monitor, candidate, true, `other ${call}`);
  expect(standing('others')).toBe('demoted');
});

it('is no outlier for what one account suffers from alone while the calls of others succeed', () => {
  const { candidate, monitor, standing, usual } = startPair();
  const silent = () => {
    for (let call = 0; call < 3; call += 1) enter(monitor, candidate, true, 'slow').fallSilent();
  };
  silent();
  enter(monitor, candidate, true, 'others').report(usual);
  silent();
  expect(standing('others')).toBe('trusted');
  for (const account of ['third', 'fourth']) enter(monitor, candidate, true, account).fallSilent();
  expect(standing('others')).toBe('demoted');
});

it('is no outlier for a row of one account and one failure of another among many good calls', () => {
  const { candidate, monitor, standing, usual } = startPair();
  for (let call = 0; call < 200; call += 1) enter(monitor, candidate, true, 'others').report(usual);
  enter(monitor, candidate, true, 'unlucky').report({ outcome: 'failure', latencyMs: 1 });
  for (let call = 0; call < 12; call += 1) enter(monitor, candidate, true, 'slow').fallSilent();
  expect(standing('others')).not.toBe('demoted');
  for (let call = 0; call < 60; call += 1) enter(monitor, candidate, true, `${call}`).fallSilent();
  expect(standing('others')).toBe('demoted');
});

it('finds a stream silent that was outrun only when its first token was late', async () => {
  const { candidateOf, clock, fail, monitor, obstacle } = startMonitor(9, ['a']);
  const usual = { outcome: 'success', latencyMs: 100, firstTokenMs: 100 } as const;
  for (let call = 0; call < 20; call += 1) enter(monitor, candidateOf('a'), true).report(usual);
  while (obstacle('a') === undefined) fail('a');
  await clock.advance(1_000);
  const outrunAfter = async (durationMs: number) => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = guarded(
      { clock, monitor },
      exampleCall({ candidate: candidateOf('a'), stream: true }),
      signal,
      ({ onTurn }) => {
        onTurn();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(aborted(true)));
        });
      },
    );
    over.catch(() => {});
    await clock.advance(durationMs);
    controller.abort(OUTRUN);
    await expect(over).rejects.toMatchObject({ outcome: 'aborted' });
    return obstacle('a');
  };
  expect(await outrunAfter(100)).toBeUndefined();
  expect(await outrunAfter(101)).toBe('failing');
});

it('never has more calls in flight at a channel than it may', () => {
  const { channelOf, monitor, candidateOf } = startMonitor(9, ['a']);
  monitor.setChannels([{ ...channelOf(['a']), concurrencyMax: 2 }]);
  const calls = [enter(monitor, candidateOf('a')), enter(monitor, candidateOf('a'))];
  expect(() => enter(monitor, candidateOf('a'))).toThrow(VendorFailure);
  calls[0]?.leave();
  calls.push(enter(monitor, candidateOf('a')));
});

it('holds the channel’s concurrency over all its models', () => {
  const { channelOf, monitor, obstacle, candidateOf } = startMonitor(9, ['a', 'b']);
  monitor.setChannels([{ ...channelOf(['a', 'b']), concurrencyMax: 1 }]);
  const { leave } = enter(monitor, candidateOf('a'));
  expect(obstacle('b')).toBe('busy');
  leave();
  leave();
  expect(obstacle('b')).toBeUndefined();
});

it('reports what the newest failed call met, also in words that come after the failure', () => {
  const { monitor, candidateOf } = startMonitor(9, ['a']);
  const error = new AppError('UPSTREAM_ERROR', { internalMessage: 'the vendor answered 503' });
  const failure = new VendorFailure(error, 'failure', { retryElsewhere: true });
  const latencyMs = 1;
  enter(monitor, candidateOf('a')).report({ outcome: 'success', latencyMs });
  enter(monitor, candidateOf('a')).report({ outcome: 'failure', latencyMs, failure });
  failure.words = { status: 503, error: 'overloaded_error', message: 'We are overloaded.' };
  expect(monitor.takeOutcomes()).toMatchObject([
    { kind: 'success', detail: '' },
    { kind: 'failure', detail: 'the vendor answered 503, overloaded_error: We are overloaded' },
  ]);
});

it('tells routing of requests that found no room, whether they were chosen for it or not', () => {
  const { channelOf, monitor, candidateOf } = startMonitor(9, ['a']);
  monitor.setChannels([{ ...channelOf(['a']), concurrencyMax: 1 }]);
  enter(monitor, candidateOf('a'));
  expect(() => enter(monitor, candidateOf('a'))).toThrow(VendorFailure);
  const rejected = { channelId: candidateOf('a').channel.id, model: 'a', reason: 'busy' } as const;
  monitor.noteRejected([
    rejected,
    { ...rejected, reason: 'unfit' },
    { ...rejected, channelId: 'gone' },
  ]);
  expect(monitor.takeOutcomes()).toMatchObject([{ kind: 'no_room', model: 'a', count: 2 }]);
});

it('tells routing of a refused request as a success without a time, which would be no answer’s', () => {
  const { monitor, candidateOf } = startMonitor(9, ['a']);
  enter(monitor, candidateOf('a')).report({ outcome: 'request_refused', latencyMs: 20 });
  expect(monitor.takeOutcomes()).toMatchObject([{ kind: 'success', count: 1, latencyMs: 0 }]);
});

it('tells routing nothing of a call whose client left', () => {
  const { monitor, candidateOf, obstacle } = startMonitor(9, ['a']);
  for (const stream of [false, true]) {
    const call = enter(monitor, candidateOf('a'), stream);
    call.leave();
    call.report({ outcome: 'aborted', latencyMs: 9000 });
  }
  expect([obstacle('a'), monitor.takeOutcomes()]).toEqual([undefined, []]);
});

it('tries a channel ever later that loses answers in one piece, and at once when it succeeds', async () => {
  const { clock, monitor, candidateOf } = startMonitor(9, ['a']);
  const begin = (stream: boolean) => {
    const call = enter(monitor, candidateOf('a'), stream);
    call.leave();
    return call;
  };
  /** Seconds until it is tried again. */
  const untried = async () => {
    let seconds = 0;
    for (; monitor.healthOf(candidateOf('a')).standing !== 'trusted'; seconds += 1) {
      await clock.advance(1000);
    }
    return seconds;
  };
  const waits: number[] = [];
  for (let lost = 0; lost < 7; lost += 1) {
    begin(false).report({ outcome: 'timeout', latencyMs: 1 });
    waits.push(await untried());
  }
  expect(waits).toEqual([20, 40, 80, 160, 320, 320, 320]);
  begin(false).report({ outcome: 'success', latencyMs: 1 });
  // A stream that gets nothing goes on elsewhere: it may find out soon.
  begin(true).report({ outcome: 'timeout', latencyMs: 1 });
  expect(await untried()).toBe(10);
});
