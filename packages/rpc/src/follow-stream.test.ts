import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { followStream } from './follow-stream';
import type { MessageListener, MessageStream } from './message-stream';

const SILENCE_MS = 3_000;
const BACKOFF_MS_MAX = 100;

function createFakeStream() {
  let listener: MessageListener<number> | undefined;
  let cancelled = false;
  const stream: MessageStream<number> = {
    listen(given) {
      listener = given;
    },
    cancel() {
      cancelled = true;
    },
  };
  return {
    stream,
    message: (value: number) => listener?.onMessage(value),
    end: (error?: AppError) => listener?.onEnd(error),
    isCancelled: () => cancelled,
  };
}

function follow() {
  const clock = createFakeClock();
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
    silenceTimeoutMs: SILENCE_MS,
    backoff: { initialMs: 10, maxMs: BACKOFF_MS_MAX },
    clock,
    logger: silentLogger,
  });
  return { clock, opened, messages, states, follower };
}

test('a broken stream is opened again and the state says so', async () => {
  const { clock, opened, messages, states } = follow();
  opened[0]?.message(1);
  opened[0]?.end(new AppError('SERVICE_UNAVAILABLE'));
  await clock.advance(BACKOFF_MS_MAX);
  opened[1]?.message(2);
  expect(messages).toEqual([1, 2]);
  expect(states).toEqual([true, false, true]);
});

test('silence counts as a break and the silent stream is cancelled', async () => {
  const { clock, opened, states } = follow();
  opened[0]?.message(1);
  await clock.advance(SILENCE_MS);
  expect(opened[0]?.isCancelled()).toBe(true);
  expect(states).toEqual([true, false]);
  await clock.advance(BACKOFF_MS_MAX);
  expect(opened).toHaveLength(2);
});

test('messages of a stream that was given up are not delivered', async () => {
  const { clock, opened, messages } = follow();
  await clock.advance(SILENCE_MS);
  opened[0]?.message(9);
  expect(messages).toEqual([]);
});

test('after stop nothing is opened and no timer is left', () => {
  const { clock, opened, follower } = follow();
  follower.stop();
  opened[0]?.end();
  expect(clock.pendingTimers).toBe(0);
  expect(opened[0]?.isCancelled()).toBe(true);
});
