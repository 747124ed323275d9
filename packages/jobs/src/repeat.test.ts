import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import { createWakeup, NOTHING_FOUND, repeat } from './index';

const INTERVAL_MS = 1000;

let clock: FakeClock;
let stopping: AbortController;
let logger: ReturnType<typeof createRecordingLogger>;
let rounds: number;

beforeEach(() => {
  clock = createFakeClock();
  stopping = new AbortController();
  logger = createRecordingLogger();
  rounds = 0;
});

afterEach(() => stopping.abort());

function start(more: Partial<Parameters<typeof repeat>[0]> = {}): Promise<void> {
  const run = async () => {
    rounds += 1;
  };
  const work = { name: 'work', intervalMs: INTERVAL_MS, run, ...more };
  return repeat(work, { clock, logger }, stopping.signal);
}

test('work is done at once and then at its interval, until it is stopped', async () => {
  const ended = start();
  await clock.advance(INTERVAL_MS * 2);
  expect(rounds).toBe(3);
  stopping.abort();
  await ended;
  await clock.advance(INTERVAL_MS * 2);
  expect(rounds).toBe(3);
});

test('work that waits first is not done at once', async () => {
  void start({ firstAfterMs: INTERVAL_MS });
  await clock.advance(INTERVAL_MS - 1);
  expect(rounds).toBe(0);
  await clock.advance(1);
  expect(rounds).toBe(1);
});

test('of failures that follow each other one is a warning, and the work goes on', async () => {
  let isAway = true;
  void start({
    async run() {
      rounds += 1;
      if (isAway) throw new Error('away');
    },
  });
  await clock.advance(INTERVAL_MS * 2);
  isAway = false;
  await clock.advance(INTERVAL_MS);
  isAway = true;
  await clock.advance(INTERVAL_MS);
  expect(rounds).toBe(5);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
});

test('work that is woken does not wait, whether it pauses or runs at that moment', async () => {
  const wakeup = createWakeup();
  void start({
    wakeup,
    async run() {
      rounds += 1;
      if (rounds === 2) wakeup.wake();
    },
  });
  await clock.advance(0);
  expect(rounds).toBe(1);
  wakeup.wake();
  await clock.advance(0);
  expect(rounds).toBe(3);
});

test('work that fails waits, however often it is woken meanwhile', async () => {
  const wakeup = createWakeup();
  void start({
    wakeup,
    async run() {
      rounds += 1;
      wakeup.wake();
      throw new Error('away');
    },
  });
  await clock.advance(INTERVAL_MS - 1);
  wakeup.wake();
  await clock.advance(0);
  expect(rounds).toBe(1);
  await clock.advance(1);
  expect(rounds).toBe(2);
});

it('pauses for longer while it finds nothing, and as usual after it found something', async () => {
  const atMs: number[] = [];
  const startMs = clock.monotonicMs();
  void start({
    restingMs: 4 * INTERVAL_MS,
    async run() {
      atMs.push((clock.monotonicMs() - startMs) / INTERVAL_MS);
      return atMs.length === 5 ? undefined : NOTHING_FOUND;
    },
  });
  await clock.advance(16 * INTERVAL_MS);
  expect(atMs).toEqual([0, 2, 6, 10, 14, 15]);
});

it('rests no longer than usual when it is woken by what it cannot have seen', async () => {
  const wakeup = createWakeup();
  void start({
    wakeup,
    restingMs: 60 * INTERVAL_MS,
    async run() {
      rounds += 1;
      if (rounds === 6) wakeup.wake();
      return NOTHING_FOUND;
    },
  });
  await clock.advance(62 * INTERVAL_MS);
  const before = rounds;
  expect(before).toBe(7);
  await clock.advance(2 * INTERVAL_MS);
  expect(rounds).toBe(8);
});
