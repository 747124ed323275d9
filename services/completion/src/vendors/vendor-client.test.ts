import { waitFor } from '@tollgate/testkit';
import type { AnswerPiece, VendorFailure } from '../domain/vendor';
import {
  CLIENT_BOUNDS as BOUNDS,
  type ClientOptions,
  piecesOf,
  type StartedClient,
  startVendorClient,
} from '../testing/start-vendor-client';
import {
  answerJson,
  answerShortly,
  beginStream,
  DONE_CHUNK,
  FINISH_CHUNK,
  sse,
  textChunk,
  USAGE_CHUNK,
} from '../testing/vendor-server';

let running: StartedClient[] = [];
afterEach(async () => {
  for (const each of running) await each.close();
  running = [];
});

async function startClient(options: ClientOptions = {}) {
  const started = await startVendorClient(options);
  running.push(started);
  const outcomesOf = async (count: number, ask: () => Promise<unknown>) => {
    const outcomes: string[] = [];
    for (let calls = 0; calls < count; calls += 1) outcomes.push((await failureOf(ask())).outcome);
    return outcomes;
  };
  return { ...started, outcomesOf };
}

const COMMENT = `: ${'working '.repeat(300)}\n\n`;
const { signal } = new AbortController();
const textOf = (pieces: readonly AnswerPiece[]) =>
  pieces.map((piece) => (piece.kind === 'delta' ? piece.text : '')).join('');
const failureOf = (answer: Promise<unknown>): Promise<VendorFailure> =>
  answer.then(
    () => Promise.reject(new Error('did not fail')),
    (error: VendorFailure) => error,
  );

it('leaves no timer behind when an answer is over, though all of it came at once', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(textChunk('Hello') + FINISH_CHUNK + USAGE_CHUNK + DONE_CHUNK);
  };
  const stream = await client.stream(call({ stream: true }), signal);
  const kinds = (await piecesOf(stream)).map(({ kind }) => kind);
  expect(kinds).toEqual(['delta', 'delta', 'finish', 'usage']);
  await waitFor(() => clock.pendingTimers === 0);
});

it('refusals keep their connection, so that a storm of them opens no others', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.write('{"error":');
    setImmediate(() => response.end(`"${'x'.repeat(5_000)}"}`));
  };
  for (let calls = 1; calls <= 8; calls += 1) {
    const failure = await failureOf(client.complete(call(), signal));
    expect(failure.outcome).toBe('failure');
    await waitFor(() => clock.pendingTimers === 0);
  }
  // A connection is free again one tick after its answer, so a call that follows at once takes a
  // second one.
  expect(vendor.connections).toBeLessThanOrEqual(2);
});

it('a refusal whose body has no end loses its connection at a bound', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    const pump = () => {
      if (response.destroyed) return;
      response.write('x'.repeat(8_000));
      setImmediate(pump);
    };
    pump();
  };
  expect((await failureOf(client.complete(call(), signal))).outcome).toBe('failure');
  await vendor.seen[0]?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it('a refusal whose body stops coming loses its connection in time', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' });
    response.write('wait');
  };
  await failureOf(client.complete(call(), signal));
  await clock.advance(1_000);
  await vendor.seen[0]?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it.each([
  ['a whole answer, on which work was spent, is not asked for', false, BOUNDS.wholeHeadTimeoutMs],
  ['a stream is asked for', true, BOUNDS.headTimeoutMs],
])('when its head does not come in time, %s elsewhere', async (...row) => {
  const [, stream, boundMs] = row;
  const { client, call, clock, vendor } = await startClient();
  vendor.script = () => {};
  const answer = stream
    ? client.stream(call({ stream }), signal)
    : client.complete(call({ stream }), signal);
  const failed = failureOf(answer);
  const seen = await waitFor(() => vendor.seen[0]);
  await clock.advance(boundMs);
  expect(await failed).toMatchObject({
    outcome: 'timeout',
    retryElsewhere: stream,
    message: `the vendor took the request and answered nothing within ${boundMs} ms`,
  });
  await seen?.gone;
  expect(clock.pendingTimers).toBe(0);
});

it('bounds the first event of a stream apart from its head', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(': keep-alive\n\n');
  };
  const failed = failureOf(client.stream(call({ stream: true }), signal));
  await waitFor(() => vendor.seen[0]);
  // Two steps: the head has come when the first bound passes without effect.
  await waitFor(() => clock.pendingTimers > 0);
  await clock.advance(BOUNDS.firstTokenTimeoutMs);
  expect(await failed).toMatchObject({
    outcome: 'timeout',
    retryElsewhere: true,
    message:
      'the vendor began a stream and sent nothing of the answer within ' +
      `${BOUNDS.firstTokenTimeoutMs} ms`,
  });
});

it('takes the bounds of the channel before its own', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = () => {};
  const asked = call();
  const { channel } = asked.candidate;
  const timeouts = { ...channel.timeouts, wholeHeadMs: 50 };
  const candidate = { ...asked.candidate, channel: { ...channel, timeouts } };
  const failed = failureOf(client.complete({ ...asked, candidate }, signal));
  await waitFor(() => vendor.seen[0]);
  await clock.advance(50);
  expect(await failed).toMatchObject({ outcome: 'timeout' });
});

it('a wait for one of our own connections is bounded and not held against the vendor', async () => {
  const { client, call, clock, vendor } = await startClient({ connectionsPerChannelMax: 1 });
  vendor.script = () => {};
  const first = failureOf(client.complete(call(), signal));
  await waitFor(() => vendor.seen[0]);
  const second = failureOf(client.complete(call(), signal));
  await clock.advance(1.5 * BOUNDS.connectTimeoutMs);
  expect(await second).toMatchObject({ outcome: 'not_sent', retryElsewhere: true });
  await clock.advance(BOUNDS.wholeHeadTimeoutMs);
  expect(await first).toMatchObject({ outcome: 'timeout' });
  expect(vendor.seen).toHaveLength(1);
});

it('an answer that nests beyond the bound fails its call at once', async () => {
  const { client, call, clock, vendor } = await startClient();
  vendor.script = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const nested = '['.repeat(4_000) + ']'.repeat(4_000);
    response.end(`{"choices":[{"message":{"tool_calls":[${nested}]}}]}`);
  };
  expect(await failureOf(client.complete(call(), signal))).toMatchObject({ outcome: 'failure' });
  expect(clock.pendingTimers).toBe(0);
});

describe('the breaker of a model at a channel', () => {
  const FAILING = Array.from({ length: 10 }, () => 'failure');

  it.each([
    ['a stream without an event in it', true, 'text/event-stream', ': keep-alive\n\n'],
    ['a stream that only counts', true, 'text/event-stream', USAGE_CHUNK + DONE_CHUNK],
    ['an answer that is none', false, 'application/json', '{}'],
  ])('opens on %s, because a good head proves nothing', async (...row) => {
    const [, stream, type, body] = row;
    const { client, call, outcomesOf, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    const ask = (): Promise<unknown> =>
      stream ? client.stream(call({ stream }), signal) : client.complete(call(), signal);
    expect(await outcomesOf(11, ask)).toEqual([...FAILING, 'not_sent']);
    expect(vendor.seen).toHaveLength(10);
  });

  it.each([
    ['a request that the vendor refuses', 400],
    ['a caller who goes away', undefined],
  ])('stays half open after %s, and closes only when a call succeeds', async (_, status) => {
    const { client, clock, call, outcomesOf, vendor } = await startClient();
    const answerStatus = (code: number) => {
      vendor.script = (_seen, response) => answerJson(response, {}, code);
    };
    const ask = () => client.complete(call(), signal);
    answerStatus(500);
    await outcomesOf(10, ask);
    await clock.advance(1000);
    if (status === undefined) {
      vendor.script = () => {};
      const caller = new AbortController();
      const gone = failureOf(client.complete(call(), caller.signal));
      await waitFor(() => vendor.seen.length === 11);
      caller.abort();
      expect((await gone).outcome).toBe('aborted');
    } else {
      answerStatus(status);
      expect(await outcomesOf(1, ask)).toEqual(['request_refused']);
    }
    answerStatus(500);
    expect(await outcomesOf(2, ask)).toEqual(['failure', 'not_sent']);
    // A relapse keeps it open for twice as long.
    await clock.advance(2000);
    vendor.script = answerShortly;
    await ask();
    answerStatus(500);
    expect(await outcomesOf(2, ask)).toEqual(['failure', 'failure']);
  });

  it('stays closed when answers are longer than we take in one piece', async () => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('x'.repeat(BOUNDS.answerBytesMax + 1));
    };
    const asked = call({ messages: Buffer.from(JSON.stringify(['x'.repeat(396)])) });
    for (let calls = 1; calls <= 11; calls += 1) {
      const failure = await failureOf(client.complete(asked, signal));
      expect(failure).toMatchObject({
        outcome: 'aborted',
        retryElsewhere: false,
        error: { code: 'UPSTREAM_ERROR', retryable: false },
        // Four bytes to a token, and no more of them than the model makes.
        usage: { prompt: 100, completion: 1000 },
      });
      expect(failure.error.publicMessage).toContain('as a stream');
    }
  });

  it('stays closed when answers grow beyond the bound by being written anew', async () => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const content = '\xff'.repeat(4_000);
      response.end(Buffer.from(`{"choices":[{"message":{"content":"${content}"}}]}`, 'latin1'));
    };
    expect(await failureOf(client.complete(call(), signal))).toMatchObject({
      outcome: 'aborted',
      retryElsewhere: false,
      usage: { prompt: 1, completion: 1000 },
    });
  });

  it('leaves the other models of the channel alone', async () => {
    const { client, call, outcomesOf, vendor } = await startClient();
    vendor.script = (seen, response) => {
      if (seen.body.model === 'broken') answerJson(response, {}, 500);
      else void answerShortly(seen, response);
    };
    const { candidate } = call();
    const broken = {
      ...candidate,
      upstreamName: 'broken',
      model: { ...candidate.model, name: 'broken' },
    };
    const outcomes = await outcomesOf(11, () =>
      client.complete(call({ candidate: broken }), signal),
    );
    expect(outcomes).toEqual([...FAILING, 'not_sent']);
    await client.complete(call(), signal);
    expect(client.healthOf(broken).obstacle?.kind).toBe('failing');
    expect(client.healthOf(candidate).obstacle).toBeUndefined();
  });

  it('cools down for as long as the vendor asks, in bounds, without a failure', async () => {
    const { client, clock, call, outcomesOf, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      response.setHeader('retry-after', '31536000');
      answerJson(response, {}, 429);
    };
    const ask = () => client.complete(call(), signal);
    expect(await outcomesOf(2, ask)).toEqual(['rate_limited', 'not_sent']);
    const { retryAfterMsMax } = BOUNDS;
    expect(client.healthOf(call().candidate).obstacle).toEqual({
      kind: 'cooling_down',
      retryAfterMs: retryAfterMsMax,
    });
    for (let calls = 0; calls < 12; calls += 1) {
      await clock.advance(retryAfterMsMax);
      expect(await outcomesOf(1, ask)).toEqual(['rate_limited']);
    }
    await clock.advance(retryAfterMsMax);
    vendor.script = answerShortly;
    await ask();
  });
});

describe('the end of a stream', () => {
  const finishOf = (index: number) =>
    sse({ choices: [{ index, delta: { content: 'Hi' }, finish_reason: 'stop' }] });

  const NONSENSE = 'data: {"usage":NaN}\n\n';
  it.each([
    ['is complete when every choice ended, though the body breaks off', [0, 1], '', 'complete'],
    ['is complete when every choice ended, though nonsense follows', [0, 1], NONSENSE, 'complete'],
    ['is a failure when one of two choices did not end', [0], '', 'failure'],
  ])('%s', async (_what, ended, more, expected) => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      beginStream(response);
      response.write(ended.map(finishOf).join('') + more, () => response.destroy());
    };
    const stream = await client.stream(call({ stream: true, choices: 2 }), signal);
    const end = piecesOf(stream).then(
      () => 'complete',
      ({ outcome }: VendorFailure) => outcome,
    );
    expect(await end).toBe(expected);
  });

  it('is a failure for a body that ends in order before its answer', async () => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      beginStream(response);
      response.end(finishOf(1) + textChunk('there'));
    };
    const stream = await client.stream(call({ stream: true, choices: 2 }), signal);
    expect(await failureOf(piecesOf(stream))).toMatchObject({
      outcome: 'failure',
      retryElsewhere: false,
      error: { retryable: false },
    });
  });

  it('comes once, after what the vendor sent before it failed', async () => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      beginStream(response);
      response.write(textChunk('Hello'), () => response.destroy());
    };
    const stream = await client.stream(call({ stream: true }), signal);
    await vendor.seen[0]?.gone;
    expect(textOf((await stream.next()) ?? [])).toBe('Hello');
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await failureOf(stream.next())).outcome).toBe('failure');
    }
  });

  it('is awaited for a bounded time after the last finish reason, whatever still comes', async () => {
    const { client, call, clock, vendor } = await startClient();
    let goOn = () => {};
    vendor.script = (_seen, response) => {
      beginStream(response);
      goOn = () => void response.write(USAGE_CHUNK);
      response.write(textChunk('Hello') + FINISH_CHUNK);
    };
    const stream = await client.stream(call({ stream: true }), signal);
    const kindsOf = async () => (await stream.next())?.map(({ kind }) => kind);
    expect(await kindsOf()).toEqual(['delta', 'delta', 'finish']);
    for (let waited = 0; waited < 3; waited += 1) {
      goOn();
      expect(await kindsOf()).toEqual(['usage']);
      await clock.advance(2_000);
    }
    expect(await kindsOf()).toBeUndefined();
    await vendor.seen[0]?.gone;
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('what is held of answers', () => {
  it('does not pause a stream that begins with more than may wait for a reader', async () => {
    const { client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      beginStream(response);
      for (let count = 0; count < 9; count += 1) response.write(COMMENT);
      response.write(textChunk('x'));
      response.end('data: [DONE]\n\n');
    };
    const stream = await client.stream(call({ stream: true }), signal);
    expect(await piecesOf(stream)).toMatchObject([{ text: '' }, { text: 'x' }]);
  });

  it.each([
    ['in one piece', 1],
    ['event by event', 1_000],
  ])('of a stream that comes %s at full speed is read in many ticks', async (_how, pieces) => {
    const { client, call, vendor } = await startClient({ heldBytesMax: 1_000_000 });
    const events = 1_000;
    const piece = textChunk('x'.repeat(100)).repeat(events / pieces);
    vendor.script = (_seen, response) => {
      beginStream(response);
      for (let sent = 0; sent < pieces; sent += 1) response.write(piece);
      response.end(FINISH_CHUNK + DONE_CHUNK);
    };
    let tick = 0;
    let counting: NodeJS.Immediate | undefined;
    const count = () => {
      tick += 1;
      counting = setImmediate(count);
    };
    count();
    const stream = await client.stream(call({ stream: true }), signal);
    const eventsByTick = new Map<number, number>();
    for (let read = await stream.next(); read !== undefined; read = await stream.next()) {
      eventsByTick.set(tick, (eventsByTick.get(tick) ?? 0) + read.length);
    }
    clearImmediate(counting);
    const eventsRead = [...eventsByTick.values()];
    expect(eventsRead.reduce((sum, each) => sum + each)).toBe(1 + events + 1);
    // What comes before the first is asked for is taken with what comes then.
    expect(Math.max(...eventsRead)).toBeLessThan(150);
  });

  it('of a stream that nobody reads is bounded in bytes', async () => {
    const { client, call, vendor } = await startClient({ heldBytesMax: 1_000_000 });
    const flood = textChunk('x'.repeat(4_000));
    let sent = 0;
    vendor.script = (_seen, response) => {
      beginStream(response);
      const pump = () => {
        if (response.destroyed) return;
        sent += flood.length;
        if (response.write(flood)) setImmediate(pump);
        else response.once('drain', pump);
      };
      pump();
    };
    const caller = new AbortController();
    const stream = await client.stream(call({ stream: true }), caller.signal);
    // The vendor is paused when the sockets between us are full and nothing more leaves it.
    let before = 0;
    await waitFor(() => {
      const still = sent > BOUNDS.streamBytesMax && sent === before;
      before = sent;
      return still;
    });
    const held = textOf((await stream.next()) ?? []).length;
    // One read of the socket, at most 64 KiB, may come on top.
    expect(held).toBeLessThan(BOUNDS.streamBytesMax + 65_536);
    caller.abort();
  });

  it('of a stream that is over is counted until it is taken', async () => {
    const { rooms, client, call, vendor } = await startClient();
    vendor.script = (_seen, response) => {
      beginStream(response);
      response.end(`${textChunk('x'.repeat(4_000))}data: [DONE]\n\n`);
    };
    const stream = await client.stream(call({ stream: true }), signal);
    await vendor.seen[0]?.gone;
    expect(rooms.answers.heldBytes).toBeGreaterThan(4_000);
    expect(textOf(await piecesOf(stream))).toHaveLength(4_000);
    expect(rooms.answers.heldBytes).toBe(0);
  });

  it('of a stream that is over and not taken goes to another answer that needs it', async () => {
    const { rooms, client, call, vendor } = await startClient();
    vendor.script = (seen, response) => {
      if (seen.body.stream !== true) {
        answerJson(response, [' '.repeat(9_000)]);
        return;
      }
      beginStream(response);
      response.end(`${textChunk('x'.repeat(7_500)).repeat(2)}data: [DONE]\n\n`);
    };
    const stream = await client.stream(call({ stream: true }), signal);
    await waitFor(() => rooms.answers.heldBytes > 15_000);
    await failureOf(client.complete(call(), signal));
    expect(rooms.answers.heldBytes).toBe(0);
    expect(await failureOf(piecesOf(stream))).toMatchObject({
      outcome: 'aborted',
      error: { code: 'SERVICE_UNAVAILABLE' },
    });
  });

  it('of all answers has one bound, and only the one that would pass it fails', async () => {
    const { rooms, client, call, vendor } = await startClient();
    const finish: (() => void)[] = [];
    vendor.script = (seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(' '.repeat(9_000));
      finish.push(() => response.end('{"choices":[{"message":{"content":"hi"}}]}'));
      return seen.gone;
    };
    const ask = () => client.complete(call(), signal);
    const first = [ask(), ask()];
    await waitFor(() => rooms.answers.heldBytes === 18_000);
    const third = await failureOf(ask());
    expect(third).toMatchObject({ outcome: 'aborted', error: { code: 'SERVICE_UNAVAILABLE' } });
    for (const end of finish) end();
    const answers = await Promise.all(first);
    const bytes = answers.reduce((sum, { choices }) => sum + choices.length, 0);
    expect(rooms.answers.heldBytes).toBe(bytes);
    for (const { release } of answers) release?.();
    expect(rooms.answers.heldBytes).toBe(0);
  });

  it('of lines that do not end is bounded apart, and the stream with the longest is cut', async () => {
    const { rooms, client, call, vendor } = await startClient();
    const lineBytes = [6_000, 4_000];
    vendor.script = (seen, response) => {
      beginStream(response);
      response.write(`${textChunk('Hello')}data: `);
      const at = vendor.seen.indexOf(seen);
      setImmediate(() => response.write('x'.repeat(lineBytes[at] ?? 0)));
    };
    const ends: string[] = [];
    const caller = new AbortController();
    const ask = async (name: string) => {
      const stream = await client.stream(call({ stream: true }), caller.signal);
      piecesOf(stream).then(
        () => void ends.push(`${name} ended`),
        ({ outcome }: VendorFailure) => void ends.push(`${name} ${outcome}`),
      );
    };
    await ask('long');
    await waitFor(() => rooms.lines.heldBytes > 6_000);
    expect(rooms.answers.heldBytes).toBe(0);
    await ask('short');
    await waitFor(() => ends.length > 0);
    expect(ends).toEqual(['long aborted']);
    caller.abort();
    expect(rooms.lines.heldBytes).toBe(0);
  });
});

it.each([
  ['before anything of the answer', ''],
  ['within the answer', textChunk('Hello')],
])(
  'the words of an error that a vendor streams %s are told to operators',
  async (_when, before) => {
    const { client, call, vendor } = await startClient();
    const error = {
      type: 'server_error',
      message: 'The engine is overloaded, said "sing a song".',
    };
    vendor.script = (_seen, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(before + sse({ error }));
    };
    const read = async () => piecesOf(await client.stream(call({ stream: true }), signal));
    expect(await failureOf(read())).toMatchObject({
      message: 'the vendor streamed an error',
      words: { error: 'server_error', message: 'The engine is overloaded, said …' },
      untoldError: undefined,
    });
  },
);
