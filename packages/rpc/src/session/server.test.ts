import { AppError } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { createFakeClock, createRecordingLogger, settlePromises } from '@tollgate/testkit';
import type { CallInfo } from '../call-info';
import { type SessionCall, type SessionHandlers, type SessionOutput, serveSession } from '../index';
import type { ServerDuplex } from '../server';

const EMPTY = Buffer.alloc(0);
const ANSWER = completionV1.CompleteResponse.decode(EMPTY);
const HEAD = completionV1.StreamHead.decode(EMPTY);
const END = completionV1.StreamEnd.decode(EMPTY);
const KILOBYTE = 1024;

/** Lets handlers end, and then their frames leave. */
async function settle(): Promise<void> {
  await settlePromises();
  await settlePromises();
}

/** Handlers that a test steers from outside. */
function createHandlers() {
  const calls = new Map<string, SessionCall>();
  const outputs = new Map<string, SessionOutput>();
  const endings = new Map<string, (error?: unknown) => void>();
  const begin = (input: completionV1.CompletionInput | undefined, call: SessionCall) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const model = input?.model ?? '';
    calls.set(model, call);
    endings.set(model, (error) => (error === undefined ? resolve() : reject(error)));
    return promise;
  };
  const handlers: SessionHandlers = {
    complete: (input, call) => begin(input, call).then(() => ANSWER),
    stream(input, call, out) {
      outputs.set(input?.model ?? '', out);
      return begin(input, call);
    },
  };
  const get = <Value>(map: ReadonlyMap<string, Value>, model: string): Value => {
    const value = map.get(model);
    if (value === undefined) throw new Error(`${model} was not begun`);
    return value;
  };
  return {
    handlers,
    begun: () => [...calls.keys()],
    call: (model: string) => get(calls, model),
    out: (model: string) => get(outputs, model),
    end: (model: string, error?: unknown) => get(endings, model)(error),
  };
}

function openSession() {
  const on = {
    message: (_message: completionV1.SessionRequest) => {},
    end: () => {},
    drain: () => {},
  };
  const messages: completionV1.SessionResponse[] = [];
  const clock = createFakeClock();
  const state = { accepted: false, takes: true, reading: true, ended: false, ready: true };
  const stream: ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse> = {
    accept() {
      state.accepted = true;
    },
    onMessage(listener) {
      on.message = listener;
    },
    onEnd(listener) {
      on.end = listener;
    },
    onDrain(listener) {
      on.drain = listener;
    },
    write(message) {
      messages.push(message);
      return state.takes;
    },
    pause() {
      state.reading = false;
    },
    resume() {
      state.reading = true;
    },
  };
  const controllers = { call: new AbortController(), draining: new AbortController() };
  const call: CallInfo = {
    peer: 'gateway',
    requestId: '',
    accountId: '',
    traceparent: '',
    deadlineMs: Number.POSITIVE_INFINITY,
    signal: controllers.call.signal,
    draining: new AbortController().signal,
  };
  const logger = createRecordingLogger();
  const played = createHandlers();
  const serve = async () => {
    const options = {
      handlers: played.handlers,
      draining: controllers.draining.signal,
      logger,
      clock,
      ready: () => state.ready,
    };
    await serveSession(call, stream, options);
    state.ended = true;
  };
  let number = 0;
  const numbers = new Map<string, number>();
  const act = (model: string, $case: 'cancel' | 'pause' | 'resume') =>
    on.message({
      frames: [{ number: numbers.get(model) ?? 0, action: { $case, value: true } }],
    });
  const open = (model: string, streamed: boolean, changes = {}) => {
    number += 1;
    numbers.set(model, number);
    const input = { ...completionV1.CompletionInput.decode(EMPTY), model, ...changes };
    const action = { $case: 'open' as const, value: { input, stream: streamed } };
    on.message({ frames: [{ number, action }] });
  };
  const heard = (model: string) =>
    messages
      .flatMap(({ frames }) => frames)
      .filter((frame) => frame.number === numbers.get(model))
      .map(({ event }) => event);
  const kinds = (model: string) => heard(model).map((event) => event?.$case);
  return {
    act,
    clock,
    controllers,
    heard,
    kinds,
    logger,
    messages,
    on,
    open,
    serve,
    state,
    ...played,
  };
}

test('answers of one tick leave in one message', async () => {
  const { end, messages, open, serve, state } = openSession();
  void serve();
  expect(state.accepted).toBe(true);
  for (const model of ['a', 'b', 'c']) open(model, false);
  for (const model of ['a', 'b', 'c']) end(model);
  await settle();
  expect(messages.map(({ frames }) => frames.length)).toEqual([3]);
});

test('a handler hears when its answer has left, and when it never will', async () => {
  const { act, call, controllers, end, on, open, serve, state } = openSession();
  void serve();
  const left: string[] = [];
  const ask = (model: string) => {
    open(model, false);
    call(model).onLeft(() => void left.push(model));
  };
  state.takes = false;
  for (const model of ['written', 'waits']) {
    ask(model);
    end(model);
    await settle();
  }
  expect(left).toEqual(['written']);
  on.drain();
  expect(left).toEqual(['written', 'waits']);
  ask('dropped');
  end('dropped');
  ask('cancelled');
  act('cancelled', 'cancel');
  end('cancelled');
  await settle();
  expect(left).toEqual(['written', 'waits', 'cancelled']);
  controllers.call.abort();
  await settle();
  expect(left).toEqual(['written', 'waits', 'cancelled', 'dropped']);
});

test('a request knows its deadline, its ids and its trace from its own frame', async () => {
  const { call, open, serve } = openSession();
  void serve();
  const caller = { ...completionV1.Caller.decode(EMPTY), accountId: 'acc_1' };
  open('a', false, { deadlineMs: 700, requestId: 'req_1', traceparent: '00-1', caller });
  open('b', false);
  expect(call('a')).toMatchObject({
    accountId: 'acc_1',
    deadlineMs: 700,
    requestId: 'req_1',
    traceparent: '00-1',
  });
  expect(call('b').deadlineMs).toBe(Number.POSITIVE_INFINITY);
});

test('a slow reader makes its own request wait and no other', async () => {
  const { act, open, out, serve } = openSession();
  void serve();
  open('slow', true);
  open('quick', true);
  act('slow', 'pause');
  expect(out('slow').chunk([Buffer.from('x')])).toBe(false);
  expect(out('quick').chunk([Buffer.from('x')])).toBe(true);
  let drained = false;
  const waiting = out('slow')
    .drained()
    .then(() => {
      drained = true;
    });
  await settle();
  expect(drained).toBe(false);
  act('slow', 'resume');
  await waiting;
  expect(out('slow').chunk([Buffer.from('x')])).toBe(true);
});

test('while the transport takes nothing all writers wait, and no more is read beyond a bound', async () => {
  const { messages, on, open, out, serve, state } = openSession();
  void serve();
  open('a', true);
  open('b', true);
  state.takes = false;
  out('a').head(HEAD);
  await settle();
  expect(out('a').chunk([Buffer.alloc(KILOBYTE)])).toBe(false);
  expect(out('b').chunk([Buffer.alloc(KILOBYTE)])).toBe(false);
  const drained = Promise.all([out('a').drained(), out('b').drained()]);
  await settle();
  expect(messages).toHaveLength(1);
  expect(state.reading).toBe(true);
  out('a').chunk([Buffer.alloc(9 * KILOBYTE * KILOBYTE)]);
  expect(state.reading).toBe(false);
  state.takes = true;
  on.drain();
  await drained;
  expect(state.reading).toBe(true);
  expect(messages.flatMap(({ frames }) => frames)).toHaveLength(4);
});

test('what a handler throws is the failure of its request alone, without internal text', async () => {
  const { end, heard, kinds, logger, open, serve } = openSession();
  void serve();
  open('refused', false);
  open('broken', true);
  open('fine', false);
  end('refused', new AppError('NOT_FOUND', { param: 'model', internalMessage: 'secret' }));
  end('broken', new Error('secret'));
  end('fine');
  await settle();
  expect(heard('refused')).toMatchObject([{ value: { code: 'NOT_FOUND', param: 'model' } }]);
  expect(heard('broken')).toMatchObject([{ value: { code: 'INTERNAL_ERROR' } }]);
  expect(JSON.stringify([...heard('refused'), ...heard('broken')])).not.toContain('secret');
  expect(kinds('fine')).toEqual(['complete']);
  // Refusals are the peer's business; faults are ours to see.
  expect(logger.lines.map(({ message }) => message)).toEqual(['call failed']);
});

describe('an answer that no message can carry', () => {
  const LARGE = Buffer.alloc(16 * KILOBYTE * KILOBYTE);

  test('in one piece fails its request, and the others of the session go on', async () => {
    const { end, handlers, heard, kinds, logger, open, out, serve } = openSession();
    handlers.complete = () => Promise.resolve({ ...ANSWER, choices: LARGE });
    void serve();
    open('other', true);
    open('large', false);
    await settle();
    expect(kinds('large')).toEqual(['failure']);
    expect(heard('large')).toMatchObject([{ value: { code: 'INTERNAL_ERROR' } }]);
    expect(logger.lines.map(({ message }) => message)).toEqual(['no frame can carry an answer']);
    out('other').end(END);
    end('other');
    await settle();
    expect(kinds('other')).toEqual(['end']);
  });

  test('as a part of a stream ends that stream, and what makes it', async () => {
    const { call, end, heard, kinds, open, out, serve } = openSession();
    void serve();
    open('large', true);
    out('large').head(HEAD);
    expect(out('large').chunk([LARGE])).toBe(true);
    expect(call('large').signal.aborted).toBe(true);
    out('large').end(END);
    end('large');
    await settle();
    expect(kinds('large')).toEqual(['head', 'failure']);
    expect(heard('large')[1]).toMatchObject({ value: { code: 'INTERNAL_ERROR' } });
  });
});

test('a stream whose handler ends without a last frame fails', async () => {
  const { end, kinds, open, out, serve } = openSession();
  void serve();
  open('a', true);
  out('a').head(HEAD);
  end('a');
  await settle();
  expect(kinds('a')).toEqual(['head', 'failure']);
});

test('a request that was cancelled stops waiting, is aborted, and says nothing more', async () => {
  const { act, call, end, kinds, logger, open, out, serve } = openSession();
  void serve();
  open('a', true);
  act('a', 'pause');
  const drained = out('a').drained();
  act('a', 'cancel');
  await drained;
  expect(call('a').signal.aborted).toBe(true);
  out('a').chunk([Buffer.from('late')]);
  out('a').end(END);
  end('a', new AppError('UPSTREAM_ERROR'));
  await settle();
  expect(kinds('a')).toEqual([]);
  expect(logger.lines).toEqual([]);
});

test('a peer hears that the service takes no work, and that it takes it again', async () => {
  const { clock, messages, serve, state } = openSession();
  void serve();
  await clock.advance(1000);
  expect(messages).toEqual([]);
  state.ready = false;
  await clock.advance(500);
  expect(messages.at(-1)).toEqual({ frames: [], draining: false, unready: true });
  state.ready = true;
  await clock.advance(1000);
  expect(messages.slice(1)).toEqual([{ frames: [], draining: false, unready: false }]);
});

describe('a service that drains', () => {
  test('says so, begins nothing more, finishes what runs, and then ends', async () => {
    const { begun, controllers, end, heard, kinds, messages, open, serve, state } = openSession();
    void serve();
    open('running', false);
    controllers.draining.abort();
    expect(messages.at(-1)).toEqual({ frames: [], draining: true, unready: false });
    open('late', false);
    await settle();
    expect(begun()).toEqual(['running']);
    expect(heard('late')).toEqual([undefined]);
    expect(state.ended).toBe(false);
    end('running');
    await settle();
    expect(kinds('running')).toEqual(['complete']);
    expect(state.ended).toBe(true);
  });

  test('ends a session that is idle, and one that comes later before it is accepted', async () => {
    const idle = openSession();
    void idle.serve();
    idle.controllers.draining.abort();
    await settle();
    expect(idle.state.ended).toBe(true);
    const late = openSession();
    late.controllers.draining.abort();
    await late.serve();
    expect(late.state.accepted).toBe(false);
  });
});

test('a peer that closed its side still gets what it asked for', async () => {
  const { end, kinds, on, open, serve, state } = openSession();
  void serve();
  open('a', false);
  on.end();
  await settle();
  expect(state.ended).toBe(false);
  end('a');
  await settle();
  expect(kinds('a')).toEqual(['complete']);
  expect(state.ended).toBe(true);
});

test('a peer that is gone ends everything that ran for it', async () => {
  const { call, controllers, end, messages, open, serve, state } = openSession();
  void serve();
  open('a', false);
  open('b', true);
  controllers.call.abort();
  expect([call('a'), call('b')].every(({ signal }) => signal.aborted)).toBe(true);
  end('a');
  end('b');
  await settle();
  expect(state.ended).toBe(true);
  expect(messages).toEqual([]);
});
