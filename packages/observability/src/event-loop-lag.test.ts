import type { Clock } from '@tollgate/core';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { exposeEventLoopLag } from './event-loop-lag';
import { createMetrics } from './metrics';

const NAMES = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (part) => `nodejs_eventloop_lag${part}_seconds`,
);

/** The value of each sample without labels. */
function valuesIn(text: string): ReadonlyMap<string, number> {
  const samples = [...text.matchAll(/^(\w+) (\S+)$/gm)];
  return new Map(samples.map(([, name = '', value]) => [name, Number(value)]));
}

/** A clock whose only timer fires `lateMs` after its time, when it is told to. */
function createLateClock() {
  let elapsedMs = 0;
  let timer = (_lateMs: number): void => {};
  const clock: Clock = {
    now: () => elapsedMs,
    monotonicMs: () => elapsedMs,
    schedule(delayMs, callback) {
      timer = (lateMs) => {
        elapsedMs += delayMs + lateMs;
        callback();
      };
      return { cancel() {} };
    },
  };
  return { clock, fire: (lateMs: number) => timer(lateMs) };
}

test('a loop that nothing holds has no lag, and one that is held shows for how long', async () => {
  const { clock, fire } = createLateClock();
  const registry = new Registry();
  exposeEventLoopLag(registry, clock);
  const scrape = async () => valuesIn(await registry.metrics());
  for (let look = 0; look < 10; look += 1) fire(0);
  expect((await scrape()).get('nodejs_eventloop_lag_p99_seconds')).toBeLessThan(0.001);
  fire(250);
  const held = await scrape();
  expect(held.get('nodejs_eventloop_lag_seconds')).toBeCloseTo(0.25, 3);
  expect(held.get('nodejs_eventloop_lag_max_seconds')).toBeCloseTo(0.25, 3);
  expect((await scrape()).get('nodejs_eventloop_lag_max_seconds')).toBe(0);
});

test('the names are those of the client library', async () => {
  const library = new Registry();
  collectDefaultMetrics({ register: library });
  const theirs = library.getMetricsAsArray().map(({ name }) => name);
  const ours = [...valuesIn(await createMetrics({ processMetrics: true }).expose()).keys()];
  const ofTheLoop = (names: readonly string[]) =>
    names.filter((name) => name.startsWith('nodejs_eventloop_lag')).sort();
  expect(ofTheLoop(theirs)).toEqual([...NAMES].sort());
  expect(ofTheLoop(ours)).toEqual([...NAMES].sort());
});
