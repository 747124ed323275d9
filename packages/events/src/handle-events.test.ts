import { AppError } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import {
  type EventHandler,
  HandledInPart,
  type OutgoingEvent,
  type ReceivedEvent,
  silentObserver,
} from './event-bus';
import { createSuspects, handleUntilDone } from './handle-events';
import { numberOf, usageOf } from './testing/events';

const BACKOFF = { initialMs: 100, maxMs: 10_000 };

let clock: FakeClock;
let letters: OutgoingEvent[];
let calls: { readonly size: number; readonly isPart: boolean }[];
let handled: string[];
let failures: number;
let logger = createRecordingLogger();
const suspects = createSuspects();

beforeEach(() => {
  clock = createFakeClock();
  [letters, calls, handled] = [[], [], []];
  failures = 0;
  logger = createRecordingLogger();
});

function received(key: string, number: number): ReceivedEvent {
  const { event } = usageOf(clock, key, number);
  return { topic: 'tollgate.usage.v1', partition: 0, key, event, offset: `${number}` };
}

/** Events of so many accounts in turn. */
function batchOf(accounts: number, each: number): readonly ReceivedEvent[] {
  const numbers = Array.from({ length: each }, (_, at) => at + 1);
  const keys = Array.from({ length: accounts }, (_, at) => `acc_${at}`);
  return numbers.flatMap((number) => keys.map((key) => received(key, number)));
}

/** Hands them over to a handler that takes none that is bad; lets time pass meanwhile. */
async function handle(
  events: readonly ReceivedEvent[],
  isBad: (event: ReceivedEvent) => Error | undefined,
): Promise<{ readonly elapsedMs: number }> {
  const begunMonotonicMs = clock.monotonicMs();
  const handler: EventHandler = async (some, { isPart }) => {
    calls.push({ size: some.length, isPart });
    const fault = some.map(isBad).find((error) => error !== undefined);
    if (fault !== undefined) throw fault;
    handled.push(...some.map((event) => `${event.key}/${numberOf(event)}`));
  };
  let isDone = false;
  const done = handleUntilDone(events, {
    group: 'stats',
    clock,
    logger,
    observer: {
      ...silentObserver,
      handlerFailed() {
        failures += 1;
      },
    },
    suspects,
    publishDeadLetter: async (letter) => void letters.push(letter),
    handle: handler,
    batchMax: 1_000,
    backoff: BACKOFF,
    signal: new AbortController().signal,
  }).then(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(100);
  await done;
  return { elapsedMs: clock.monotonicMs() - begunMonotonicMs };
}

const ofAccount = (bad: string) => (event: ReceivedEvent) =>
  event.key === bad ? new TypeError('damaged') : undefined;

test('one bad event of a thousand is found by halves, not by handing over each', async () => {
  const isBad = (event: ReceivedEvent) =>
    event.key === 'acc_7' && numberOf(event) === 1 ? new TypeError('damaged') : undefined;
  await handle(batchOf(500, 2), isBad);
  expect(letters).toHaveLength(1);
  expect(handled).toHaveLength(999);
  expect(calls.length).toBeLessThanOrEqual(5 + 2 * Math.ceil(Math.log2(1_000)));
});

test('the order of a key stays while one of its events is found out', async () => {
  const isBad = (event: ReceivedEvent) => (numberOf(event) === 3 ? new TypeError('3') : undefined);
  await handle(batchOf(2, 5), isBad);
  for (const key of ['acc_0', 'acc_1']) {
    const own = handled.filter((one) => one.startsWith(key));
    expect(own).toEqual([1, 2, 4, 5].map((number) => `${key}/${number}`));
  }
});

test('a handler knows a part of a batch that failed from a batch', async () => {
  await handle(batchOf(2, 1), ofAccount('acc_1'));
  const parts = calls.map(({ size, isPart }) => [size, isPart]);
  expect(parts.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => [2, false]));
  expect(parts.slice(5)).toEqual([
    [1, true],
    [1, true],
  ]);
});

test('an account that was bad delays the others of later batches no more', async () => {
  await handle(batchOf(10, 2), ofAccount('acc_bad'));
  const first = await handle([...batchOf(10, 2), received('acc_bad', 1)], ofAccount('acc_bad'));
  expect(first.elapsedMs).toBeGreaterThan(500);
  calls = [];
  const next = [received('acc_bad', 2), ...batchOf(10, 3), received('acc_bad', 3)];
  expect(await handle(next, ofAccount('acc_bad'))).toEqual({ elapsedMs: 100 });
  expect(calls.map(({ size }) => size)).toEqual([30, 2, 1, 1]);
  expect(letters).toHaveLength(3);
});

test('an account that is mended is handled with the others again', async () => {
  await handle([received('acc_once', 1)], ofAccount('acc_once'));
  await handle([received('acc_once', 2)], () => undefined);
  calls = [];
  await handle([received('acc_once', 3), received('acc_0', 1)], () => undefined);
  expect(calls.map(({ size }) => size)).toEqual([2]);
});

test.each([
  ['a batch', 'acc_0'],
  ['a part of one, whose key was bad', 'acc_part'],
])(
  'a handler that gets on with %s waits no longer from time to time, and does not fail',
  async (_, key) => {
    await handle([received('acc_part', 1)], ofAccount('acc_part'));
    [failures, letters, logger] = [0, [], createRecordingLogger()];
    let turnsLeft = 8;
    const { elapsedMs } = await handle([received(key, 2)], () => {
      turnsLeft -= 1;
      return turnsLeft >= 0 ? new HandledInPart('there is more') : undefined;
    });
    expect(elapsedMs).toBeLessThanOrEqual(800);
    expect(letters).toEqual([]);
    expect(failures).toBe(0);
    expect(logger.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  },
);

test('nobody becomes suspect, and no letter is written, while the store is away', async () => {
  let failuresLeft = 12;
  await handle(batchOf(3, 2), () =>
    failuresLeft-- > 0 ? new AppError('SERVICE_UNAVAILABLE') : undefined,
  );
  expect([letters.length, handled.length]).toEqual([0, 6]);
});
