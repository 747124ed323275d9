import { Breaker } from './breaker';

const BOUNDS = { failurePercent: 50, callsMin: 4, openMs: 1000 };

function startBreaker() {
  const breaker = new Breaker(BOUNDS);
  const time = { monotonicMs: 0 };
  const pass = () => breaker.pass(() => time.monotonicMs);
  const fail = (count: number) => {
    for (let calls = 0; calls < count; calls += 1) pass()?.report('failed');
  };
  return { breaker, time, pass, fail, state: () => breaker.stateAt(time.monotonicMs) };
}

it('counts the share of failures over ten seconds only', () => {
  const { fail, pass, state, time } = startBreaker();
  fail(3);
  time.monotonicMs = 10_000;
  fail(1);
  expect(state()).toBe('closed');
  for (let calls = 0; calls < 4; calls += 1) pass()?.report('succeeded');
  fail(2);
  expect(state()).toBe('closed');
  fail(1);
  expect(state()).toBe('open');
});

it('lets one call at a time through when it is half open', () => {
  const { fail, pass, state, time } = startBreaker();
  fail(4);
  expect(pass()).toBeUndefined();
  time.monotonicMs = 1000;
  expect(state()).toBe('half_open');
  const trial = pass();
  expect(pass()).toBeUndefined();
  trial?.report('unknown');
  expect(state()).toBe('half_open');
  pass()?.report('succeeded');
  expect(state()).toBe('closed');
});

it('lets another call try when the one that tries takes longer than it was open', () => {
  const { breaker, fail, pass, state, time } = startBreaker();
  fail(4);
  time.monotonicMs = 1000;
  const slow = pass();
  time.monotonicMs = 1999;
  expect([pass(), breaker.waitMsAt(time.monotonicMs)]).toEqual([undefined, 1]);
  time.monotonicMs = 2000;
  const quick = pass();
  expect(quick).toBeDefined();
  slow?.report('unknown');
  expect(pass()).toBeUndefined();
  quick?.report('succeeded');
  expect(state()).toBe('closed');
});

it('lets another call try when the exchange of the one that tries is over, and the first result decides', () => {
  const { fail, pass, state, time } = startBreaker();
  fail(4);
  time.monotonicMs = 1000;
  const first = pass();
  time.monotonicMs = 1001;
  first?.leave();
  const second = pass();
  first?.leave();
  expect(pass()).toBeUndefined();
  first?.report('failed');
  expect(state()).toBe('open');
  second?.report('succeeded');
  expect(state()).toBe('open');
});

it('waits for no call that tried before it closed', () => {
  const { breaker, fail, pass, time } = startBreaker();
  fail(4);
  time.monotonicMs = 1000;
  fail(1);
  time.monotonicMs = 3000;
  const quick = pass();
  time.monotonicMs = 5000;
  // The second one that tries is waited for until 7000.
  expect(pass()).toBeDefined();
  quick?.report('succeeded');
  for (let calls = 0; calls < 4; calls += 1) pass()?.report('succeeded');
  fail(5);
  expect(breaker.waitMsAt(time.monotonicMs)).toBe(1000);
});

it('waits for the call that tries as long as it was open, after a relapse too', () => {
  const { breaker, fail, pass, time } = startBreaker();
  fail(4);
  time.monotonicMs = 1000;
  fail(1);
  time.monotonicMs += 2000;
  expect(pass()).toBeDefined();
  time.monotonicMs += 1999;
  expect([pass(), breaker.waitMsAt(time.monotonicMs)]).toEqual([undefined, 1]);
  time.monotonicMs += 1;
  expect(pass()).toBeDefined();
});

it('is not moved by calls of an earlier period, nor twice by one', () => {
  const { fail, pass, state, time } = startBreaker();
  const late = [pass(), pass(), pass(), pass(), pass()];
  fail(4);
  time.monotonicMs = 1000;
  late[0]?.report('succeeded');
  expect(state()).toBe('half_open');
  const trial = pass();
  trial?.report('succeeded');
  trial?.report('failed');
  for (const call of late) call?.report('failed');
  expect(state()).toBe('closed');
});

it('stays open twice as long after a relapse, and four times at most', () => {
  const { breaker, fail, pass, time } = startBreaker();
  const waits: number[] = [];
  fail(4);
  for (let round = 0; round < 4; round += 1) {
    const waitMs = breaker.waitMsAt(time.monotonicMs);
    waits.push(waitMs);
    time.monotonicMs += waitMs;
    fail(1);
  }
  expect(waits).toEqual([1000, 2000, 4000, 4000]);
  time.monotonicMs += 4000;
  pass()?.report('succeeded');
  // On probation three calls decide.
  pass()?.report('succeeded');
  fail(1);
  expect(breaker.stateAt(time.monotonicMs)).toBe('closed');
  fail(1);
  expect(breaker.waitMsAt(time.monotonicMs)).toBe(4000);
  time.monotonicMs += 4000;
  for (let calls = 0; calls < 6; calls += 1) pass()?.report('succeeded');
  fail(4);
  expect(breaker.stateAt(time.monotonicMs)).toBe('closed');
  fail(1);
  expect(breaker.waitMsAt(time.monotonicMs)).toBe(1000);
});

it('lets calls pass while it is only demoted, and one that succeeds ends that', () => {
  const { breaker, pass, state, time } = startBreaker();
  breaker.demote(0);
  expect([state(), breaker.isDemotedAt(0), breaker.waitMsAt(0)]).toEqual(['open', true, 0]);
  const silent = pass();
  silent?.fallSilent();
  time.monotonicMs = 1500;
  expect(breaker.isDemotedAt(time.monotonicMs)).toBe(true);
  pass()?.report('succeeded');
  expect([state(), breaker.isDemotedAt(time.monotonicMs)]).toEqual(['closed', false]);
  silent?.report('failed');
  expect(breaker.tallyAt(time.monotonicMs).calls).toBe(0);
});

describe('a call that falls silent', () => {
  const startStrict = () => {
    const breaker = new Breaker({ ...BOUNDS, failurePercent: 60 });
    const time = { monotonicMs: 0 };
    const silent = (count: number) => {
      const calls = Array.from({ length: count }, () => breaker.pass(() => time.monotonicMs));
      for (const call of calls) call?.fallSilent();
      return calls;
    };
    return { breaker, time, silent };
  };

  it('is one call when it fails, which opens the breaker like any other', () => {
    const { breaker, silent } = startStrict();
    const calls = silent(4);
    expect(breaker.tallyAt(0)).toMatchObject({ calls: 4, failures: 0, suspicions: 4, inRow: 4 });
    for (const call of calls.slice(1)) call?.report('failed');
    expect(breaker.tallyAt(0)).toMatchObject({ calls: 4, failures: 3, suspicions: 4, inRow: 4 });
    calls[0]?.report('failed');
    expect(breaker.stateAt(0)).toBe('open');
  });

  it('opens the breaker where calls hang before they fail', () => {
    const { breaker, silent, time } = startStrict();
    const hanging: ReturnType<typeof silent>[] = [];
    while (breaker.stateAt(time.monotonicMs) === 'closed' && time.monotonicMs < 300_000) {
      hanging.push(silent(5));
      if (time.monotonicMs >= 60_000) {
        const [succeeds, ...fails] = hanging.shift() ?? [];
        succeeds?.report('succeeded');
        for (const call of fails) call?.report('failed');
      }
      time.monotonicMs += 1000;
    }
    expect(time.monotonicMs).toBe(61_000);
  });

  it('is counted in the ten seconds in which it fails, however long it was silent', () => {
    const { breaker, silent, time } = startStrict();
    const calls = silent(3);
    time.monotonicMs = 60_000;
    for (const call of calls) call?.report('failed');
    expect(breaker.tallyAt(time.monotonicMs)).toMatchObject({
      calls: 3,
      failures: 3,
      suspicions: 3,
      inRow: 3,
    });
    silent(1)[0]?.report('failed');
    expect(breaker.stateAt(time.monotonicMs)).toBe('open');
  });

  it('is no suspicion of the time at which it succeeds after all', () => {
    const { breaker, silent, time } = startStrict();
    const calls = silent(3);
    time.monotonicMs = 60_000;
    for (const call of calls) call?.report('succeeded');
    expect(breaker.tallyAt(time.monotonicMs)).toMatchObject({
      failures: 0,
      suspicions: 0,
      inRow: 0,
    });
  });

  it('stays a suspicion when it succeeds after all, and ends the row', () => {
    const { breaker, silent } = startStrict();
    const [succeeds, aborted, fails] = silent(3);
    succeeds?.report('succeeded');
    expect(breaker.tallyAt(0)).toMatchObject({ calls: 3, failures: 0, suspicions: 3, inRow: 0 });
    aborted?.report('unknown');
    fails?.report('failed');
    expect(breaker.tallyAt(0)).toMatchObject({ calls: 3, failures: 1, suspicions: 3, inRow: 1 });
  });

  it('is no part of the share of failures before it has a result', () => {
    const { breaker, silent, time } = startStrict();
    const calls = silent(4);
    time.monotonicMs = 5000;
    silent(4);
    for (const call of calls.slice(1)) call?.report('succeeded');
    calls[0]?.report('failed');
    expect(breaker.weighedAt(time.monotonicMs, 'failures')).toMatchObject({ calls: 4, bad: 1 });
    expect(breaker.weighedAt(time.monotonicMs, 'suspicions')).toMatchObject({ calls: 8, bad: 8 });
  });

  it('weighs once among the calls of its account', () => {
    const { breaker, silent } = startStrict();
    for (const call of silent(3)) call?.report('failed');
    expect(breaker.weighedAt(0, 'suspicions')).toEqual({ calls: 3, bad: 3, account: '' });
  });
});

it('keeps the longest cooldown that was asked for', () => {
  const { breaker, pass, state, time } = startBreaker();
  breaker.coolDown(5000, 0);
  breaker.coolDown(1000, 0);
  time.monotonicMs = 4999;
  expect([pass(), state()]).toEqual([undefined, 'closed']);
  time.monotonicMs = 5000;
  expect(pass()).toBeDefined();
});

describe('the requests of one account', () => {
  const fail = (breaker: Breaker, account: string, count: number) => {
    for (let calls = 0; calls < count; calls += 1) breaker.pass(() => 0, account)?.report('failed');
  };
  const succeed = (breaker: Breaker, account: string, count: number) => {
    for (let calls = 0; calls < count; calls += 1)
      breaker.pass(() => 0, account)?.report('succeeded');
  };

  it('open nothing while those of others succeed, however many fail', () => {
    const { breaker } = startBreaker();
    succeed(breaker, 'b', 1);
    fail(breaker, 'a', 100);
    expect(breaker.stateAt(0)).toBe('closed');
    fail(breaker, 'b', 1);
    succeed(breaker, 'b', 2);
    fail(breaker, 'a', 100);
    expect(breaker.stateAt(0)).toBe('closed');
  });

  it('open it for everybody together with the failures of others', () => {
    const { breaker } = startBreaker();
    succeed(breaker, 'b', 1);
    fail(breaker, 'a', 100);
    fail(breaker, 'b', 2);
    fail(breaker, 'c', 1);
    expect(['a', 'b', 'd'].map((account) => breaker.waitMsAt(0, account))).toEqual([
      1000, 1000, 1000,
    ]);
  });

  it('open it for that account alone when nobody else calls, and the next one decides for all', () => {
    const { breaker } = startBreaker();
    fail(breaker, 'a', 4);
    expect([breaker.stateAt(0), breaker.waitMsAt(0, 'a'), breaker.waitMsAt(0, 'b')]).toEqual([
      'open',
      1000,
      0,
    ]);
    const together = [breaker.pass(() => 0, 'b'), breaker.pass(() => 0, 'c')];
    together[0]?.report('succeeded');
    expect(breaker.stateAt(0)).toBe('closed');
    fail(breaker, 'a', 100);
    expect(breaker.waitMsAt(0, 'a')).toBe(0);
  });

  it('open it for all when the first call of another account fails as well', () => {
    const { breaker } = startBreaker();
    fail(breaker, 'a', 4);
    fail(breaker, 'b', 1);
    expect(breaker.waitMsAt(0, 'c')).toBe(2000);
  });
});
