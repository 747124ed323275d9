import { Breaker } from './breaker';

const LIMITS = { failurePercent: 50, callsMin: 4, openMs: 1000 };

function startBreaker() {
  const breaker = new Breaker(LIMITS);
  const time = { nowMs: 0 };
  const pass = () => breaker.pass(() => time.nowMs);
  const fail = (count: number) => {
    for (let calls = 0; calls < count; calls += 1) pass()?.settle('failed');
  };
  return { breaker, time, pass, fail, state: () => breaker.stateAt(time.nowMs) };
}

it('counts the share of failures over ten seconds only', () => {
  const { fail, pass, state, time } = startBreaker();
  fail(3);
  time.nowMs = 10_000;
  fail(1);
  expect(state()).toBe('closed');
  for (let calls = 0; calls < 4; calls += 1) pass()?.settle('worked');
  fail(2);
  expect(state()).toBe('closed');
  fail(1);
  expect(state()).toBe('open');
});

it('lets one call at a time through when it is half open', () => {
  const { fail, pass, state, time } = startBreaker();
  fail(4);
  expect(pass()).toBeUndefined();
  time.nowMs = 1000;
  expect(state()).toBe('half_open');
  const trial = pass();
  expect(pass()).toBeUndefined();
  trial?.settle('unknown');
  expect(state()).toBe('half_open');
  pass()?.settle('worked');
  expect(state()).toBe('closed');
});

it('lets another call try when the one that tries takes longer than it was open', () => {
  const { breaker, fail, pass, state, time } = startBreaker();
  fail(4);
  time.nowMs = 1000;
  const slow = pass();
  time.nowMs = 1999;
  expect([pass(), breaker.waitMsAt(time.nowMs)]).toEqual([undefined, 1]);
  time.nowMs = 2000;
  const quick = pass();
  expect(quick).toBeDefined();
  slow?.settle('unknown');
  expect(pass()).toBeUndefined();
  quick?.settle('worked');
  expect(state()).toBe('closed');
});

it('is not moved by calls of an earlier period, nor twice by one', () => {
  const { fail, pass, state, time } = startBreaker();
  const late = [pass(), pass(), pass(), pass(), pass()];
  fail(4);
  time.nowMs = 1000;
  late[0]?.settle('worked');
  expect(state()).toBe('half_open');
  const trial = pass();
  trial?.settle('worked');
  trial?.settle('failed');
  for (const call of late) call?.settle('failed');
  expect(state()).toBe('closed');
});

it('keeps the longest cooldown that was asked for', () => {
  const { breaker, pass, state, time } = startBreaker();
  breaker.coolDown(5000, 0);
  breaker.coolDown(1000, 0);
  time.nowMs = 4999;
  expect([pass(), state()]).toEqual([undefined, 'closed']);
  time.nowMs = 5000;
  expect(pass()).toBeDefined();
});
