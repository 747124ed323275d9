import { createFakeClock } from '@tollgate/testkit';
import { createLargeBodyTurns } from './large-body-turns';

const LARGE = 1_000_000;
const WORK_MS = 10;

function setUp() {
  const clock = createFakeClock();
  const turns = createLargeBodyTurns(clock);
  const begun: string[] = [];
  // Each takes its time and gives its turn up.
  const send = async (accountId: string, workMs = WORK_MS) => {
    const end = await turns.wait(accountId, LARGE, () => {});
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

it('lets those whose bodies take long use an eighth of the time together, and nobody else wait for it', async () => {
  const { clock, begun, send } = setUp();
  for (const owner of ['s', 't']) for (let body = 0; body < 3; body += 1) void send(owner, 1_000);
  await clock.advance(40_000);
  const times = ['s at 0', 't at 1700', 's at 15000', 't at 23000', 's at 31000', 't at 39000'];
  expect(begun).toEqual(times);
  begun.length = 0;
  void send('a');
  await clock.advance(1_000);
  expect(begun).toEqual(['a at 40700']);
});

it('lets others wait a bounded time for a body that took long, and its owner as long as it costs', async () => {
  const { clock, begun, send } = setUp();
  void send('slow', 1_500);
  void send('slow');
  void send('a');
  await clock.advance(3_000);
  void send('b');
  await clock.advance(20_000);
  expect(begun).toEqual(['slow at 0', 'a at 2200', 'b at 3000', 'slow at 12000']);
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
