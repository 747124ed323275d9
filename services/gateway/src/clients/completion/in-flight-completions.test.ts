import { createFakeClock } from '@tollgate/testkit';
import { createByteBound } from '../../bounds/byte-bound';
import { createListener } from '../../testing/completion-listener';
import { completionInput } from '../../testing/fixtures';
import { InFlightCompletion } from './in-flight-completion';
import { InFlightCompletions } from './in-flight-completions';

function setUp() {
  const clock = createFakeClock();
  const completions = new InFlightCompletions(clock);
  const open = (afterMs: number) => {
    const listener = createListener();
    const completion = new InFlightCompletion({
      toOpen: { input: completionInput(), stream: true },
      untilMs: clock.monotonicMs() + afterMs,
      listener,
      heldBytesMax: 1000,
      unreadBytes: createByteBound(1000),
    });
    completions.add(completion);
    return { ends: listener.ends, listener, completion };
  };
  return { clock, open, completions };
}

test('each request ends at its own deadline, whatever the order in which they came', async () => {
  const { clock, open, completions } = setUp();
  const late = open(500);
  const soon = open(100);
  const middle = open(300);
  const codes = () =>
    [soon, middle, late].map(({ ends: [ended] }) =>
      ended?.kind === 'failed' ? ended.error.code : undefined,
    );
  await clock.advance(99);
  expect(codes()).toEqual([undefined, undefined, undefined]);
  await clock.advance(1);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', undefined, undefined]);
  await clock.advance(200);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT', undefined]);
  await clock.advance(200);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
  await completions.idle();
  expect(clock.pendingTimers).toBe(0);
});

test('one timer serves a thousand requests, and none when all deadlines have passed', async () => {
  const { clock, open, completions } = setUp();
  const opened = Array.from({ length: 1000 }, (_, index) => open(1000 + index));
  expect(clock.pendingTimers).toBe(1);
  const bothIdle = Promise.all([completions.idle(), completions.idle()]);
  for (const { completion } of opened) completion.cancel();
  await bothIdle;
  await clock.advance(3000);
  expect(clock.pendingTimers).toBe(0);
});

test('a whole answer that waits for its reader is not late', async () => {
  const { clock, open, completions } = setUp();
  const { ends, listener, completion } = open(100);
  listener.takes = false;
  const say = () => completion.accept({ $case: 'chunk', value: { choices: [Buffer.from('[]')] } });
  say();
  say();
  completion.accept({ $case: 'end', value: { usage: undefined, amount: 5n, failure: undefined } });
  let isIdle = false;
  const idle = completions.idle().then(() => {
    isIdle = true;
  });
  await clock.advance(1_000);
  expect([ends, isIdle]).toEqual([[], false]);
  listener.takes = true;
  completion.resume();
  expect(ends).toMatchObject([{ kind: 'streamed', amount: 5n }]);
  await idle;
  expect(clock.pendingTimers).toBe(0);
});
