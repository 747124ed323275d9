import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import type { EachBatchPayload } from 'kafkajs';
import { type EventHandler, HandledInPart, type OutgoingEvent, silentObserver } from '../event-bus';
import { createSuspects } from '../handle-events';
import { usageOf } from '../testing/events';
import { type ConsumeContext, consumeBatch } from './consume-batch';
import { createConsumerLag } from './consumer-lag';

let clock: FakeClock;
let committed: string[];
let letters: OutgoingEvent[];
let paused: number;

beforeEach(() => {
  clock = createFakeClock();
  [committed, letters, paused] = [[], [], 0];
});

const contextOf = (handle: EventHandler): ConsumeContext => ({
  group: 'stats',
  clock,
  logger: silentLogger,
  observer: silentObserver,
  publishDeadLetter: async (letter) => void letters.push(letter),
  handle,
  batchMax: 100,
  signal: new AbortController().signal,
  suspects: createSuspects(),
  backoff: { initialMs: 100, maxMs: 10_000 },
  heartbeatIntervalMs: 60_000,
  attempts: new Map(),
  lag: createConsumerLag('stats', silentObserver),
});

/** What kafkajs gives of one partition that holds these texts, after what is committed. */
function fetched(...texts: readonly string[]): EachBatchPayload {
  const held = texts.map((text, at) => ({
    key: Buffer.from('acc_0'),
    value: Buffer.from(text),
    offset: `${at}`,
  }));
  const messages = held.slice(Number(committed.at(-1) ?? -1) + 1);
  const batch = { topic: 'usage', partition: 0, highWatermark: `${held.length}`, messages };
  return {
    batch,
    isRunning: () => true,
    isStale: () => false,
    heartbeat: async () => {},
    resolveOffset: (offset: string) => void committed.push(offset),
    commitOffsetsIfNecessary: async () => {},
    pause() {
      paused += 1;
      return () => {
        paused -= 1;
      };
    },
  } as unknown as EachBatchPayload;
}

const usage = (number: number) => JSON.stringify(usageOf(clock, 'acc_0', number).event);

test('a partition whose handler gets on waits no longer from time to time', async () => {
  const context = contextOf(() => Promise.reject(new HandledInPart('there is more')));
  for (let turn = 0; turn < 5; turn += 1) {
    await consumeBatch('tollgate.usage.v1', fetched(usage(1)), context);
    expect(paused).toBe(1);
    await clock.advance(100);
    expect(paused).toBe(0);
  }
  expect(committed).toEqual([]);
});

test('an unusable message leaves one dead letter, however often those beside it come again', async () => {
  let isAway = true;
  const context = contextOf(async (events) => {
    if (isAway && events.some(({ offset }) => offset === '2')) {
      throw new AppError('SERVICE_UNAVAILABLE');
    }
  });
  const texts = ['no JSON', usage(1), usage(2), 'none either'];
  const consume = () => consumeBatch('tollgate.usage.v1', fetched(...texts), context);
  for (let turn = 0; turn < 3; turn += 1) {
    await consume();
    await clock.advance(10_000);
  }
  isAway = false;
  await consume();
  expect(committed.at(-1)).toBe('3');
  expect(letters).toHaveLength(2);
});
