import { createFakeClock } from '@tollgate/testkit';
import type { Candidate } from '../routing/route-table';
import { exampleCall } from '../testing/vendor-call';
import { createChannelMonitor } from './channel-monitor';

function startMonitor(breakersMax: number, models: readonly string[]) {
  const clock = createFakeClock();
  const limits = { failurePercent: 50, callsMin: 1, openMs: 1000, breakersMax };
  const monitor = createChannelMonitor(limits, clock);
  const { candidate } = exampleCall();
  const channelOf = (names: readonly string[]) => ({
    ...{ ...candidate.channel, models: names.map((name) => ({ ...SERVED, name })) },
  });
  monitor.setChannels([channelOf(models)]);
  const offerOf = (name: string): Candidate => ({
    ...candidate,
    model: { ...candidate.model, name },
  });
  const fail = (name: string) => {
    const permit = monitor.enter(offerOf(name));
    permit.leave();
    permit.settle({ outcome: 'failure', latencyMs: 1 });
  };
  const obstacle = (name: string) => monitor.views(offerOf(name)).obstacle?.kind;
  return { channelOf, fail, monitor, obstacle, offerOf };
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

it('reports the breaker and the cooldown of each model', () => {
  const { fail, monitor, offerOf } = startMonitor(9, ['a', 'b']);
  fail('a');
  const limited = monitor.enter(offerOf('b'));
  limited.settle({ outcome: 'rate_limited', latencyMs: 1, cooldownMs: 3000 });
  expect(monitor.takeOutcomes()).toMatchObject([
    { model: 'a', kind: 'failure', breaker: 'open', cooldownMs: 0 },
    { model: 'b', kind: 'rate_limited', breaker: 'closed', cooldownMs: 3000 },
  ]);
  expect(monitor.takeOutcomes()).toEqual([]);
});

it('holds the channel’s concurrency over all its models', () => {
  const { channelOf, monitor, obstacle, offerOf } = startMonitor(9, ['a', 'b']);
  monitor.setChannels([{ ...channelOf(['a', 'b']), concurrencyMax: 1 }]);
  const { leave } = monitor.enter(offerOf('a'));
  expect(obstacle('b')).toBe('busy');
  leave();
  leave();
  expect(obstacle('b')).toBeUndefined();
});
