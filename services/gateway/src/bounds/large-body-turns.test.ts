import type { Clock } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createLargeBodyTurns } from './large-body-turns';

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

describe('a body that takes long', () => {
  const SLOW_WORK_MS = 1500;

  it('keeps its owner for seven times as long, and those who are known by a usual one for a moment', async () => {
    const { clock, begun, send } = setUp();
    void send('a');
    await clock.advance(1_000);
    void send('slow', SLOW_WORK_MS);
    void send('slow');
    void send('a');
    await clock.advance(20_000);
    expect(begun).toEqual(['a at 0', 'slow at 1000', 'a at 3200', 'slow at 13000']);
  });

  it('keeps new owners as long when it is the first of its own, so that many of them take no more', async () => {
    const { clock, begun, send } = setUp();
    for (const owner of ['s', 't', 'u']) void send(owner, SLOW_WORK_MS);
    await clock.advance(25_000);
    expect(begun).toEqual(['s at 0', 't at 12000', 'u at 24000']);
  });

  it('keeps no new owner when it is not the first of its own', async () => {
    const { clock, begun, send } = setUp();
    void send('slow', SLOW_WORK_MS);
    await clock.advance(12_000);
    void send('slow', SLOW_WORK_MS);
    void send('new');
    await clock.advance(5_000);
    expect(begun).toEqual(['slow at 0', 'slow at 12000', 'new at 14200']);
  });

  it('is told by its bytes: a long text may take longer than a short one', async () => {
    const { clock, begun, send } = setUp();
    void send('a', 250, 10 * LARGE);
    void send('a');
    await clock.advance(2_000);
    expect(begun).toEqual(['a at 0', 'a at 950']);
  });

  it('costs an owner that was held up once no more than seven times its work', async () => {
    const { clock, begun, send } = setUp();
    for (const owner of ['s', 't']) void send(owner, SLOW_WORK_MS);
    await clock.advance(26_000);
    void send('a', 101);
    void send('a');
    await clock.advance(2_000);
    expect(begun.slice(2)).toEqual(['a at 26000', 'a at 26808']);
  });

  it('is forgotten after a minute', async () => {
    const { clock, begun, send } = setUp();
    void send('s', SLOW_WORK_MS);
    await clock.advance(62_000);
    void send('t');
    await clock.advance(1_000);
    void send('t', SLOW_WORK_MS);
    void send('s');
    await clock.advance(3_000);
    expect(begun).toEqual(['s at 0', 't at 62000', 't at 63000', 's at 65200']);
  });

  it('keeps nobody for more than half a minute: who would wait longer is told to come again', async () => {
    const { clock, turns, begun, send } = setUp();
    for (const owner of ['s', 't', 'u']) void send(owner, SLOW_WORK_MS);
    const refused = Promise.resolve(turns.wait('v', LARGE, () => {})).catch(String);
    await clock.advance(30_000);
    expect(await refused).toContain('waited 30000 ms');
    await clock.advance(30_000);
    expect(begun).toHaveLength(3);
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
