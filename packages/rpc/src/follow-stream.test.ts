import { AppError, type Clock, silentLogger } from '@tollgate/core';
import { followStream } from './follow-stream';
import type { MessageListener, MessageStream } from './message-stream';

/** A clock whose timers fire when the test says so. */
function createManualClock(): Clock & { fire(): void; pending(): number } {
  const timers: { cancelled: boolean; callback: () => void }[] = [];
  return {
    now: () => 0,
    monotonicMs: () => 0,
    schedule(_delayMs, callback) {
      const timer = { cancelled: false, callback };
      timers.push(timer);
      return {
        cancel() {
          timer.cancelled = true;
        },
      };
    },
    fire() {
      const due = timers.splice(0).filter((timer) => !timer.cancelled);
      for (const timer of due) timer.callback();
    },
    pending: () => timers.filter((timer) => !timer.cancelled).length,
  };
}

function createFakeStream() {
  let listener: MessageListener<number> | undefined;
  let cancelled = false;
  const stream: MessageStream<number> = {
    listen(given) {
      listener = given;
    },
    pause() {},
    resume() {},
    cancel() {
      cancelled = true;
    },
    async *[Symbol.asyncIterator]() {},
  };
  return {
    stream,
    message: (value: number) => listener?.onMessage(value),
    end: (error?: AppError) => listener?.onEnd(error),
    isCancelled: () => cancelled,
  };
}

function follow() {
  const clock = createManualClock();
  const opened: ReturnType<typeof createFakeStream>[] = [];
  const messages: number[] = [];
  const states: boolean[] = [];
  const follower = followStream<number>({
    name: 'test',
    open() {
      const fake = createFakeStream();
      opened.push(fake);
      return fake.stream;
    },
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
    silenceTimeoutMs: 3000,
    backoff: { initialMs: 10, maxMs: 100 },
    clock,
    logger: silentLogger,
  });
  return { clock, opened, messages, states, follower };
}

test('a broken stream is opened again and the state says so', () => {
  const { clock, opened, messages, states } = follow();
  opened[0]?.message(1);
  opened[0]?.end(new AppError('SERVICE_UNAVAILABLE'));
  clock.fire();
  opened[1]?.message(2);
  expect(messages).toEqual([1, 2]);
  expect(states).toEqual([true, false, true]);
});

test('silence counts as a break and the silent stream is cancelled', () => {
  const { clock, opened, states } = follow();
  opened[0]?.message(1);
  clock.fire();
  expect(opened[0]?.isCancelled()).toBe(true);
  expect(states).toEqual([true, false]);
  clock.fire();
  expect(opened).toHaveLength(2);
});

test('messages of a stream that was given up are not delivered', () => {
  const { clock, opened, messages } = follow();
  clock.fire();
  opened[0]?.message(9);
  expect(messages).toEqual([]);
});

test('after stop nothing is opened and no timer is left', () => {
  const { clock, opened, follower } = follow();
  follower.stop();
  opened[0]?.end();
  expect(clock.pending()).toBe(0);
  expect(opened[0]?.isCancelled()).toBe(true);
});
