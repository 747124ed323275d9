import { type Clock, delay } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createLargeBodyTurns, type LargeBodyTurns } from './large-body-turns';

const LARGE = 1_000_000;
const WORK_MS = 10;

/** `earlyMs` is how much before its time each timer fires. */
function setUp(earlyMs = 0) {
  const clock = createFakeClock();
  const schedule: Clock['schedule'] = (delayMs, run) => clock.schedule(delayMs - earlyMs, run);
  const turns = createLargeBodyTurns({ ...clock, schedule });
  const begun: string[] = [];
  // Each takes its time and gives its turn up.
  const send = async (accountId: string, workMs = WORK_MS, bytes = LARGE) => {
    const end = await turns.wait(accountId, bytes, () => {});
    begun.push(`${accountId} at ${clock.monotonicMs()}`);
    clock.schedule(workMs, () => end?.());
  };
  return { clock, turns, begun, send };
}

it('lets small bodies pass whatever waits', () => {
  const { turns, send } = setUp();
  void send('a');
  expect(turns.wait('b', 1000, () => {})).toBeUndefined();
});

it('leaves seven eighths of the time to everybody else', async () => {
  const { clock, begun, send } = setUp();
  for (let body = 0; body < 3; body += 1) void send('a');
  await clock.advance(1000);
  expect(begun).toEqual(['a at 0', 'a at 80', 'a at 160']);
});

it('lets the accounts take turns, however many bodies one of them sends', async () => {
  const { clock, begun, send } = setUp();
  for (const accountId of ['x', 'a', 'a', 'a', 'b', 'c', 'b']) void send(accountId);
  await clock.advance(1000);
  expect(begun.map((line) => line.slice(0, 1)).join('')).toBe('xabcaba');
});

const SLOW_WORK_MS = 1500;

describe('a body that takes long', () => {
  it('keeps its owner for seven times as long, and everybody else for a moment', async () => {
    const { clock, begun, send } = setUp();
    void send('slow', SLOW_WORK_MS);
    void send('slow');
    void send('a');
    await clock.advance(20_000);
    expect(begun).toEqual(['slow at 0', 'a at 2200', 'slow at 12000']);
  });

  it('keeps its owner as many times longer as owners are kept by then', async () => {
    const { clock, begun, send } = setUp();
    for (const owner of ['s', 't', 's', 't']) void send(owner, SLOW_WORK_MS);
    await clock.advance(25_000);
    expect(begun).toEqual(['s at 0', 't at 2200', 's at 12000', 't at 24700']);
  });

  it('is told by its bytes: a long text may take longer than a short one', async () => {
    const { clock, begun, send } = setUp();
    void send('a', 250, 10 * LARGE);
    void send('a');
    await clock.advance(2_000);
    expect(begun).toEqual(['a at 0', 'a at 950']);
  });

  it('keeps nobody for more than half a minute: who would wait longer is told to come again', async () => {
    const { clock, turns, begun, send } = setUp();
    void send('slow', 5_000);
    const refused = Promise.resolve(turns.wait('slow', LARGE, () => {})).catch(String);
    await clock.advance(30_000);
    expect(await refused).toContain('waited 30000 ms');
    await clock.advance(30_000);
    expect(begun).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not keep its owner for ever when a timer is early', async () => {
    const { clock, begun, send } = setUp(0.5);
    // So that the timer is set for a whole number of milliseconds, and comes too early by half of one.
    void send('slow', 1500.5);
    void send('slow');
    await clock.advance(20_000);
    expect(begun).toEqual(['slow at 0', 'slow at 12004']);
  });
});

describe('many owners whose bodies take long', () => {
  const TEN_MINUTES_MS = 600_000;

  /** Sends one body after the other, each of which works for the next of the times, for ever. */
  function startOwners(turns: LargeBodyTurns, clock: Clock, count: number, worksMs: number[]) {
    let slowMs = 0;
    const work = async (owner: string) => {
      for (let body = 0; ; body += 1) {
        const workMs = worksMs[body % worksMs.length] ?? 0;
        const end = await Promise.resolve(turns.wait(owner, LARGE, () => {})).catch(
          () => undefined,
        );
        if (end === undefined) continue;
        await delay(clock, workMs);
        end();
        if (workMs === SLOW_WORK_MS) slowMs += workMs;
      }
    };
    for (let owner = 0; owner < count; owner += 1) void work(`slow ${owner}`);
    return () => slowMs;
  }

  it.each([
    ['only such bodies', [SLOW_WORK_MS]],
    ['a usual body before each', [WORK_MS, SLOW_WORK_MS]],
  ])('use a seventh of the time together after the first of each: %s', async (_what, worksMs) => {
    const { clock, turns } = setUp();
    const slowMs = startOwners(turns, clock, 20, worksMs);
    await clock.advance(TEN_MINUTES_MS);
    const beforeMs = slowMs();
    await clock.advance(3 * TEN_MINUTES_MS);
    expect(beforeMs / TEN_MINUTES_MS).toBeLessThan(0.2);
    expect((slowMs() - beforeMs) / (3 * TEN_MINUTES_MS)).toBeLessThan(1 / 6.5);
  });

  it('keep nobody else for longer than a few of their bodies, once each had its first', async () => {
    const { clock, turns } = setUp();
    startOwners(turns, clock, 30, [SLOW_WORK_MS]);
    await clock.advance(90_000);
    const waitsMs: number[] = [];
    while (clock.monotonicMs() < TEN_MINUTES_MS) {
      const askedMs = clock.monotonicMs();
      const note = () => waitsMs.push(clock.monotonicMs() - askedMs);
      const turn = turns.wait(`new at ${askedMs}`, LARGE, () => {});
      void turn?.then((end) => {
        note();
        end();
      }, note);
      await clock.advance(5_000);
    }
    expect(waitsMs.length).toBeGreaterThan(100);
    expect(Math.max(...waitsMs)).toBeLessThan(3 * (SLOW_WORK_MS + 700));
  });

  it('keep one that was held up once by its own work and their number, not by their work', async () => {
    const { clock, turns, begun, send } = setUp();
    startOwners(turns, clock, 30, [SLOW_WORK_MS]);
    await clock.advance(120_000);
    void send('a', 101);
    void send('a');
    await clock.advance(30_000);
    expect(begun).toEqual(['a at 120000', `a at ${120_000 + 101 + 31 * 7 * 101}`]);
  });
});

it('serves one that comes after all pauses at once', async () => {
  const { clock, begun, send } = setUp();
  void send('a');
  await clock.advance(500);
  void send('b');
  await clock.advance(0);
  expect(begun).toEqual(['a at 0', 'b at 500']);
});

it('keeps nobody whose client is gone: its body is let go at once', async () => {
  const { clock, turns, begun, send } = setUp();
  void send('a');
  let close = () => {};
  const left = turns.wait('a', LARGE, (listener) => {
    close = listener;
  });
  void send('b');
  close();
  const end = await left;
  expect(clock.monotonicMs()).toBe(0);
  end?.();
  await clock.advance(1000);
  expect(begun).toEqual(['a at 0', 'b at 80']);
  close();
});
