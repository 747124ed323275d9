import { AppError, silentLogger } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createByteBound } from '../../bounds/byte-bound';
import { createListener } from '../../testing/completion-listener';
import { answer, completionInput } from '../../testing/fixtures';
import { InFlightCompletion } from './in-flight-completion';
import type { SessionStream } from './session';
import { SessionLink } from './session-link';

const away = new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'nobody listens' });

/** A stream whose other end a test plays. */
function createFakeStream() {
  const on = {
    accept: () => {},
    message: (_message: completionV1.SessionResponse) => {},
    end: (_error?: AppError) => {},
  };
  const sent: completionV1.SessionRequestFrame[] = [];
  const state = { closed: false, cancelled: false };
  const stream: SessionStream = {
    onAccept(listener) {
      on.accept = listener;
    },
    onMessage(listener) {
      on.message = listener;
    },
    onEnd(listener) {
      on.end = listener;
    },
    onDrain() {},
    write({ frames }) {
      sent.push(...frames);
      return true;
    },
    end() {
      state.closed = true;
    },
    cancel() {
      state.cancelled = true;
    },
  };
  const say = (...frames: completionV1.SessionResponseFrame[]) =>
    on.message({ frames, draining: false, unready: false });
  return { stream, on, sent, state, say };
}

function createLink(numberMax?: number) {
  const clock = createFakeClock();
  const streams: ReturnType<typeof createFakeStream>[] = [];
  const openedMs: number[] = [];
  const link = new SessionLink({
    open() {
      openedMs.push(clock.monotonicMs());
      const fake = createFakeStream();
      streams.push(fake);
      return fake.stream;
    },
    connectTimeoutMs: 3000,
    queueBytesMax: 1_000_000,
    ...(numberMax === undefined ? {} : { numberMax }),
    clock,
    logger: silentLogger,
  });
  const newest = () => {
    const fake = streams.at(-1);
    if (fake === undefined) throw new Error('no stream was opened');
    return fake;
  };
  const ask = () => {
    const listener = createListener();
    const request = new InFlightCompletion({
      toOpen: { input: completionInput(), stream: false },
      untilMs: Number.POSITIVE_INFINITY,
      listener,
      heldBytesMax: 1000,
      unreadBytes: createByteBound(1000),
    });
    link.send(request);
    return { request, ends: listener.ends };
  };
  return { clock, link, streams, openedMs, newest, ask };
}

test('requests wait for the first session, and leave in one message when it is accepted', async () => {
  const { ask, newest } = createLink();
  const asked = [ask(), ask()];
  await settlePromises();
  expect(newest().sent).toEqual([]);
  newest().on.accept();
  expect(newest().sent.map(({ number }) => number)).toEqual([1, 2]);
  newest().say({ number: 2, event: { $case: 'complete', value: answer('two') } });
  expect(asked[1]?.ends).toHaveLength(1);
  expect(asked[0]?.ends).toHaveLength(0);
});

test('an instance that is away is tried again with pauses that grow to a second', async () => {
  const { clock, link, newest, openedMs, streams } = createLink();
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const failedMs = clock.monotonicMs();
    newest().on.end(away);
    expect(link.available).toBe(false);
    const opened = streams.length;
    while (streams.length === opened) await clock.advance(1);
    pauses.push((openedMs.at(-1) ?? 0) - failedMs);
  }
  expect(pauses[0]).toBeLessThanOrEqual(50);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(25);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(500);
  newest().on.accept();
  expect(link.available).toBe(true);
  // A good session ends the growth.
  await clock.advance(1000);
  newest().on.end(away);
  newest().on.end(away);
  const opened = streams.length;
  await clock.advance(50);
  expect(streams).toHaveLength(opened + 1);
});

test('a session that is not accepted in time is given up', async () => {
  const { ask, clock, newest, streams } = createLink();
  const first = newest();
  const { ends } = ask();
  await clock.advance(2999);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(first.state.cancelled).toBe(true);
  expect(ends).toMatchObject([{ kind: 'failed', error: { retryable: true } }]);
  await clock.advance(50);
  expect(streams).toHaveLength(2);
});

test('a session that was good and broke is replaced at once, and requests wait for it', async () => {
  const { ask, clock, link, newest, streams } = createLink();
  newest().on.accept();
  await clock.advance(1000);
  newest().on.end(away);
  expect(streams).toHaveLength(2);
  expect(link.available).toBe(true);
  const { ends } = ask();
  newest().on.accept();
  expect(newest().sent).toHaveLength(1);
  expect(ends).toEqual([]);
});

test('a session that breaks as soon as it is accepted is not opened again in a tight loop', async () => {
  const { clock, newest, streams } = createLink();
  for (let round = 0; round < 3; round += 1) {
    newest().on.accept();
    newest().on.end(away);
    const opened = streams.length;
    await settlePromises();
    expect(streams).toHaveLength(opened);
    await clock.advance(1000);
    expect(streams).toHaveLength(opened + 1);
  }
});

test('a session whose numbers are used up is followed by another, and ends when it is idle', async () => {
  const { ask, clock, newest, streams } = createLink(2);
  const first = newest();
  first.on.accept();
  await clock.advance(1000);
  ask();
  const last = ask();
  expect(streams).toHaveLength(2);
  await settlePromises();
  first.say({ number: 1, event: { $case: 'complete', value: answer('one') } });
  expect(first.state.closed).toBe(false);
  first.say({ number: 2, event: { $case: 'complete', value: answer('two') } });
  expect(last.ends).toHaveLength(1);
  expect(first.state.closed).toBe(true);
});

test('what is dropped is cancelled where it runs, and its late frames are not heard', async () => {
  const { ask, newest } = createLink();
  newest().on.accept();
  const { ends, request } = ask();
  await settlePromises();
  request.cancel();
  await settlePromises();
  expect(newest().sent.at(-1)).toEqual({ number: 1, action: { $case: 'cancel', value: true } });
  newest().say({ number: 1, event: { $case: 'complete', value: answer('late') } });
  expect(ends.map(({ kind }) => kind)).toEqual(['failed']);
});

test('closing fails what runs, and opens nothing more', async () => {
  const { ask, clock, link, newest, streams } = createLink();
  newest().on.accept();
  const { ends } = ask();
  await clock.advance(1000);
  link.close();
  await clock.advance(10_000);
  expect(ends).toMatchObject([{ kind: 'failed', error: { retryable: false } }]);
  expect(streams).toHaveLength(1);
  expect(newest().state.cancelled).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});
