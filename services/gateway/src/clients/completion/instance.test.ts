import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import { completionDefinition, createRpcClient } from '@tollgate/rpc';
import { makeSocketPath, waitFor } from '@tollgate/testkit';
import { createByteBound } from '../../bounds/byte-bound';
import { askWhole, createListener } from '../../testing/completion-listener';
import { type FakeCompletion, startFakeCompletion, TEST_SECRET } from '../../testing/fake-services';
import {
  answer,
  chunk,
  completionInput,
  delta,
  end,
  failure,
  head,
  USAGE,
} from '../../testing/fixtures';
import { type FreezableProxy, startFreezableProxy } from '../../testing/freezable-proxy';
import {
  type CompletionCall,
  type CompletionClient,
  NotBegunError,
  QueueFullError,
} from './client';
import { createInstanceClient, type InstanceClientOptions } from './instance';

const CALL: CompletionCall = {
  requestId: 'req_1',
  accountId: 'acc_1',
  traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  deadlineMs: 10_000,
};

let server: FakeCompletion;
let client: CompletionClient;
const clock = createSystemClock();

type Settings = Partial<Omit<InstanceClientOptions, 'rpc'>> & {
  readonly address?: string;
  readonly secret?: string;
  readonly silenceMs?: number;
};

/** A client of the fake instance, unless another address is given. */
function connect(settings: Settings = {}): CompletionClient {
  const { address = server.address, secret = TEST_SECRET, silenceMs = 10_000 } = settings;
  const host = { clock, logger: silentLogger };
  const security = { serviceSecret: secret, plaintext: false };
  return createInstanceClient({
    rpc: createRpcClient(completionDefinition, {
      address,
      ownName: 'gateway',
      security,
      host,
      deadlineMs: 20_000,
      silenceMs,
    }),
    connectTimeoutMs: 20_000,
    queueBytesMax: 64 * 1024 * 1024,
    heldBytesMax: 32 * 1024 * 1024,
    unreadBytes: createByteBound(64 * 1024 * 1024),
    ...host,
    ...settings,
  });
}

beforeEach(async () => {
  server = await startFakeCompletion({});
  client = connect();
});
afterEach(async () => {
  client.close();
  await server.close();
});

test('an answer arrives whole, and its context travels with the request', async () => {
  let context: unknown;
  server.handlers.complete = async (_request, { requestId, accountId, traceparent }) => {
    context = { requestId, accountId, traceparent };
    return answer('hi');
  };
  const result = await askWhole(client, completionInput(), CALL).answer;
  expect(String(result.choices)).toContain('"hi"');
  expect(result.amount).toBe(123_000n);
  const { deadlineMs: _unused, ...expected } = CALL;
  expect(context).toEqual(expected);
});

test('a stream delivers head, chunks and end in order', async () => {
  server.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head({ attempts: 2 }));
    out.write(chunk(delta('a'), delta('b')));
    out.write(chunk(delta('c')));
    out.write(end());
  };
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.ends.length > 0);
  expect(heard.heads[0]?.attempts).toBe(2);
  expect(heard.texts.join()).toMatch(/"a".*"b".*"c"/);
  expect(heard.ends).toEqual([
    {
      kind: 'streamed',
      usage: USAGE,
      amount: 123_000n,
    },
  ]);
});

test('a refusal keeps its row of the error table, its field and its wait', async () => {
  const refusal = new AppError('INSUFFICIENT_BALANCE', { param: 'model', retryAfterMs: 1500 });
  server.handlers.complete = async () => {
    throw refusal;
  };
  server.handlers.streamCompletion = async () => {
    throw refusal;
  };
  const expected = { code: 'INSUFFICIENT_BALANCE', param: 'model', retryAfterMs: 1500 };
  await expect(askWhole(client, completionInput(), CALL).answer).rejects.toMatchObject(expected);
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.ends.length > 0);
  expect(heard.ends[0]).toMatchObject({ kind: 'failed', error: expected });
});

test('a failure in the last frame is the failure of the stream', async () => {
  server.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    out.write(end(failure('UPSTREAM_ERROR', { retryable: false })));
  };
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.ends.length > 0);
  expect(heard.ends).toHaveLength(1);
  expect(heard.ends[0]).toMatchObject({
    kind: 'failed',
    error: { code: 'UPSTREAM_ERROR', retryable: false },
  });
});

test('a deadline that passes is a time-out that nobody should repeat', async () => {
  server.handlers.complete = () => new Promise(() => {});
  server.handlers.streamCompletion = () => new Promise(() => {});
  const soon = { ...CALL, deadlineMs: 50 };
  const expected = { code: 'UPSTREAM_TIMEOUT', retryable: false };
  await expect(askWhole(client, completionInput(), soon).answer).rejects.toMatchObject(expected);
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, soon, heard);
  await waitFor(() => heard.ends.length > 0);
  expect(heard.ends[0]).toMatchObject({ kind: 'failed', error: expected });
});

test('cancelling ends the work upstream', async () => {
  let cancelled = 0;
  const untilCancelled = (call: { readonly signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      call.signal.addEventListener('abort', () => {
        cancelled += 1;
        reject(new AppError('SERVICE_UNAVAILABLE'));
      });
    });
  server.handlers.complete = (_request, call) => untilCancelled(call);
  server.handlers.streamCompletion = (_request, call, out) => {
    out.write(head());
    return untilCancelled(call);
  };
  const pending = askWhole(client, completionInput(), CALL);
  await waitFor(() => server.calls.length === 1);
  pending.cancel();
  await expect(pending.answer).rejects.toBeInstanceOf(AppError);
  const heard = createListener();
  const stream = client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.heads.length === 1);
  stream.cancel();
  await waitFor(() => cancelled === 2 && heard.ends.length === 1);
  expect(heard.ends[0]).toMatchObject({ kind: 'failed' });
});

test('a paused stream fills a bounded buffer, delays no other, and goes on', async () => {
  const total = 4000;
  let written = 0;
  server.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    for (written = 0; written < total; written += 1) {
      if (!out.write(chunk(delta('x'.repeat(4096))))) await out.drained();
    }
    out.write(end());
  };
  server.handlers.complete = async () => answer('quick');
  const slow = createListener(false);
  const stream = client.open({ input: completionInput(), stream: true }, CALL, slow);
  await waitFor(() => slow.texts.length === 1);
  const quick = await askWhole(client, completionInput(), CALL).answer;
  expect(String(quick.choices)).toContain('quick');
  let before = -1;
  await waitFor(() => {
    const stands = written > 0 && written === before;
    before = written;
    return stands;
  });
  expect(written).toBeLessThan(total);
  slow.takes = true;
  stream.resume();
  await waitFor(() => slow.ends.length === 1);
  expect(slow.ends[0]).toMatchObject({ kind: 'streamed' });
  expect(slow.texts).toHaveLength(total);
});

test('who takes no more hears nothing further until it goes on, then all of it in order', async () => {
  let finish: () => void = () => {};
  server.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    for (const text of ['a', 'b', 'c']) out.write(chunk(delta(text)));
    out.write(end());
  };
  server.handlers.complete = async () => answer('later');
  const heard = createListener(false);
  const stream = client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.heads.length === 1);
  finish();
  await askWhole(client, completionInput(), CALL).answer;
  await askWhole(client, completionInput(), CALL).answer;
  expect(heard.texts).toHaveLength(1);
  heard.takes = true;
  stream.resume();
  await waitFor(() => heard.ends.length === 1);
  expect(heard.texts.join()).toMatch(/"a".*"b".*"c"/);
});

test('many requests at once each get their own answer', async () => {
  server.handlers.complete = async ({ input }) => answer(`for ${input?.model}`);
  server.handlers.streamCompletion = async ({ input }, _call, out) => {
    out.write(head());
    for (let index = 0; index < 20; index += 1) {
      out.write(chunk(delta(`${input?.model}:${index}`)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    out.write(end());
  };
  const names = Array.from({ length: 100 }, (_, index) => `model-${index}`);
  const streams = names.map((name) => {
    const heard = createListener();
    client.open({ input: completionInput(name), stream: true }, CALL, heard);
    return heard;
  });
  const answers = await Promise.all(
    names.map((name) => askWhole(client, completionInput(name), CALL).answer),
  );
  answers.forEach(({ choices }, index) => {
    expect(String(choices)).toContain(`"for model-${index}"`);
  });
  await waitFor(() => streams.every(({ ends }) => ends.length === 1));
  streams.forEach(({ texts }, index) => {
    const expected = Array.from({ length: 20 }, (_, event) => delta(`model-${index}:${event}`));
    expect(texts).toEqual(expected.map((each) => JSON.stringify([each])));
  });
});

/** What was sent may have been begun: nobody should repeat it by himself. */
const MAYBE_BEGUN = { code: 'SERVICE_UNAVAILABLE', retryable: false };
const silent = () => new Promise<never>(() => {});

test('an instance that dies fails its requests without a call to repeat them', async () => {
  server.handlers.complete = silent;
  server.handlers.streamCompletion = (_request, _call, out) => {
    out.write(head());
    return silent();
  };
  const pending = askWhole(client, completionInput(), CALL);
  const failed = expect(pending.answer).rejects.toMatchObject(MAYBE_BEGUN);
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.heads.length === 1 && server.calls.length === 2);
  await server.close();
  await failed;
  await waitFor(() => heard.ends.length === 1);
  expect(heard.ends[0]).toMatchObject({ kind: 'failed', error: MAYBE_BEGUN });
});

test('an instance that is away refuses at once, and certainly began nothing', async () => {
  await server.close();
  await waitFor(() => !client.available);
  const refusal = askWhole(client, completionInput(), CALL).answer;
  await expect(refusal).rejects.toBeInstanceOf(NotBegunError);
  await expect(refusal).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  const heard = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.ends.length === 1);
  const [ended] = heard.ends;
  expect(ended?.kind === 'failed' && ended.error).toBeInstanceOf(NotBegunError);
});

test('an instance that comes back at its address serves again', async () => {
  const socket = await makeSocketPath();
  const first = await startFakeCompletion({ complete: async () => answer('first') }, socket.path);
  const returning = connect({ address: first.address });
  const ask = async () =>
    String((await askWhole(returning, completionInput(), CALL).answer).choices);
  expect(await ask()).toContain('first');
  await first.close();
  await waitFor(() => !returning.available);
  const second = await startFakeCompletion({ complete: async () => answer('second') }, socket.path);
  await waitFor(() => returning.available);
  expect(await ask()).toContain('second');
  returning.close();
  await second.close();
  await socket.remove();
});

test('an instance that refuses its peer is away; its reason is not the client’s', async () => {
  const stranger = connect({ secret: 'another-secret-for-tests-only-0123456789' });
  const refusal = askWhole(stranger, completionInput(), CALL).answer;
  await expect(refusal).rejects.toBeInstanceOf(NotBegunError);
  stranger.close();
});

describe('an instance that shuts down', () => {
  test('is given nothing new, while what runs there goes on', async () => {
    const finished = Promise.withResolvers<void>();
    server.handlers.streamCompletion = async (_request, _call, out) => {
      out.write(head());
      await finished.promise;
      out.write(chunk(delta('last')));
      out.write(end());
    };
    const heard = createListener();
    client.open({ input: completionInput(), stream: true }, CALL, heard);
    await waitFor(() => heard.heads.length === 1);
    server.drain();
    await waitFor(() => !client.available);
    const refusal = askWhole(client, completionInput(), CALL).answer;
    await expect(refusal).rejects.toBeInstanceOf(NotBegunError);
    expect(server.calls).toHaveLength(1);
    finished.resolve();
    await waitFor(() => heard.ends.length === 1);
    expect(heard.texts.join()).toContain('last');
    expect(heard.ends[0]).toMatchObject({ kind: 'streamed' });
  });

  test('began nothing of a request that crossed the news', async () => {
    server.handlers.streamCompletion = (_request, call, out) =>
      new Promise((_resolve, reject) => {
        out.write(head());
        call.signal.addEventListener('abort', () => reject(new AppError('SERVICE_UNAVAILABLE')));
      });
    const heard = createListener();
    const running = client.open({ input: completionInput(), stream: true }, CALL, heard);
    await waitFor(() => heard.heads.length === 1);
    const crossing = askWhole(client, completionInput(), CALL).answer;
    server.drain();
    await expect(crossing).rejects.toBeInstanceOf(NotBegunError);
    expect(server.calls).toHaveLength(1);
    running.cancel();
  });

  test('began nothing of a request that came after an end in good order', async () => {
    server.handlers.complete = async () => answer('one');
    await askWhole(client, completionInput(), CALL).answer;
    const late = askWhole(client, completionInput(), CALL).answer;
    server.drain();
    await expect(late).rejects.toBeInstanceOf(NotBegunError);
    expect(server.calls).toHaveLength(1);
  });
});

describe('an instance that freezes', () => {
  let proxy: FreezableProxy;
  beforeEach(async () => {
    proxy = await startFreezableProxy(server.address);
    server.handlers.complete = silent;
  });
  afterEach(() => proxy.close());

  test('keeps nobody longer than the deadline', async () => {
    const frozen = connect({ address: proxy.address });
    const call = { ...CALL, deadlineMs: 100 };
    await expect(askWhole(frozen, completionInput(), call).answer).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
    });
    proxy.freeze();
    await expect(askWhole(frozen, completionInput(), call).answer).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      retryable: false,
    });
    frozen.close();
  });

  test('is given up when it gives no sign of life', async () => {
    const bounds = { silenceMs: 2000, connectTimeoutMs: 3000 };
    const frozen = connect({ ...bounds, address: proxy.address });
    const pending = askWhole(frozen, completionInput(), CALL).answer;
    const failed = expect(pending).rejects.toMatchObject(MAYBE_BEGUN);
    await waitFor(() => server.calls.length === 1);
    proxy.freeze();
    await failed;
    await waitFor(() => !frozen.available, { timeoutMs: 20_000 });
    frozen.close();
  });

  test('that never accepts a session certainly began nothing', async () => {
    proxy.freeze();
    const frozen = connect({ address: proxy.address, connectTimeoutMs: 100 });
    const refusal = askWhole(frozen, completionInput(), CALL).answer;
    await expect(refusal).rejects.toBeInstanceOf(NotBegunError);
    expect(frozen.available).toBe(false);
    frozen.close();
  });

  test('keeps a bounded number of bytes waiting', async () => {
    proxy.freeze();
    const bytes = completionInput().messages.length;
    const frozen = connect({ address: proxy.address, queueBytesMax: bytes * 2 });
    const ask = () => askWhole(frozen, completionInput(), CALL).answer;
    const waiting = [ask(), ask()].map((each) => expect(each).rejects.toThrow('the session broke'));
    await expect(ask()).rejects.toBeInstanceOf(QueueFullError);
    frozen.close();
    await Promise.all(waiting);
  });
});

test('a request that is too long for the wire fails alone', async () => {
  server.handlers.complete = async () => answer('fine');
  const other = askWhole(client, completionInput(), CALL).answer;
  const messages = Buffer.alloc(16 * 1024 * 1024, ' ');
  const long = askWhole(client, { ...completionInput(), messages }, CALL).answer;
  await expect(long).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  await expect(other).resolves.toBeDefined();
});

test('a request of many megabytes arrives whole', async () => {
  let length = 0;
  server.handlers.complete = async ({ input }) => {
    length = input?.messages.length ?? 0;
    return answer('long');
  };
  const messages = Buffer.alloc(10 * 1024 * 1024, ' ');
  await askWhole(client, { ...completionInput(), messages }, CALL).answer;
  expect(length).toBe(messages.length);
});

test('a request that is taken back before it left never reaches the instance', async () => {
  server.handlers.complete = async () => answer('other');
  await askWhole(client, completionInput(), CALL).answer;
  const pending = askWhole(client, completionInput('taken-back'), CALL);
  pending.cancel();
  await expect(pending.answer).rejects.toBeInstanceOf(NotBegunError);
  await askWhole(client, completionInput(), CALL).answer;
  expect(server.calls).toHaveLength(2);
});

test('what comes for a paused reader beyond the bound ends its stream, here and upstream', async () => {
  const gone = Promise.withResolvers<void>();
  server.handlers.streamCompletion = async (_request, call, out) => {
    call.signal.addEventListener('abort', () => gone.resolve());
    out.write(head());
    while (!call.signal.aborted) {
      out.write(chunk(delta('x'.repeat(1000))));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const narrow = connect({ heldBytesMax: 50_000 });
  const heard = createListener(false);
  narrow.open({ input: completionInput(), stream: true }, CALL, heard);
  await waitFor(() => heard.ends.length === 1);
  expect(heard.ends[0]).toMatchObject({ kind: 'failed', error: MAYBE_BEGUN });
  await gone.promise;
  narrow.close();
});

test('draining lets what runs finish and takes nothing new', async () => {
  let finish: () => void = () => {};
  server.handlers.complete = () =>
    new Promise((resolve) => {
      finish = () => resolve(answer('late'));
    });
  const pending = askWhole(client, completionInput(), CALL);
  await waitFor(() => server.calls.length === 1);
  const drained = client.drain(10_000);
  expect(() => askWhole(client, completionInput(), CALL)).toThrow(AppError);
  finish();
  await expect(pending.answer).resolves.toBeDefined();
  await drained;
});

test('what still runs when a drain’s time is up ends with SERVICE_UNAVAILABLE', async () => {
  server.handlers.complete = () => new Promise(() => {});
  server.handlers.streamCompletion = (_request, _call, out) => {
    out.write(head());
    return new Promise(() => {});
  };
  const pending = askWhole(client, completionInput(), CALL);
  const refused = expect(pending.answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const stream = createListener();
  client.open({ input: completionInput(), stream: true }, CALL, stream);
  await waitFor(() => server.calls.length === 2 && stream.heads.length === 1);
  await client.drain(1);
  await refused;
  await waitFor(() => stream.ends.length === 1);
  expect(stream.ends[0]).toMatchObject({
    kind: 'failed',
    error: { code: 'SERVICE_UNAVAILABLE' },
  });
});
