import { type AddressInfo, connect, createServer } from 'node:net';
import { FAILURE_MODES, isFailureModeName } from '../domain/failure-modes';
import {
  askFor,
  chat,
  deliveriesOf,
  directive,
  eventsOf,
  parseAnswer,
  startSimulator,
  stopSimulators,
  textOf,
} from '../testing/simulator-fixture';

afterEach(stopSimulators);

interface SimulatedVectors {
  readonly data: readonly { readonly embedding: readonly number[] | string }[];
  readonly usage: unknown;
}

describe('a whole answer', () => {
  it('is an OpenAI-shaped completion that says it is simulated', async () => {
    const { url } = await startSimulator();
    const { response, body } = await chat(url, askFor('hello'));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-simulated')).toBe('true');
    const completion = parseAnswer(body);
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'simulated-small',
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'stop' }],
    });
    expect(completion.id).toMatch(/^chatcmpl-sim-/);
    expect(completion.choices[0]?.message?.content).toMatch(/^This is a simulated answer\. /);
    // 3, and 4 + ceil(5 / 4) for the one message; 40 pieces of text.
    expect(completion.usage).toEqual({
      prompt_tokens: 9,
      completion_tokens: 40,
      total_tokens: 49,
    });
  });

  it('is the same for the same question and another for another', async () => {
    const { url } = await startSimulator();
    const say = async (text: string) => textOf(await chat(url, askFor(text)));
    expect(await say('one question')).toBe(await say('one question'));
    expect(await say('one question')).not.toBe(await say('quite another'));
  });

  it.each([
    ['max_tokens', { max_tokens: 5 }],
    ['max_completion_tokens', { max_completion_tokens: 5 }],
    ['the smaller of both', { max_completion_tokens: 9, max_tokens: 5 }],
  ])('honours %s and finishes with length', async (_what, caps) => {
    const { url } = await startSimulator();
    const { body } = await chat(url, { ...askFor('hello'), ...caps });
    const completion = parseAnswer(body);
    expect(completion.choices[0]?.message?.content).toBe('This is a simulated answer');
    expect(completion.choices[0]?.finish_reason).toBe('length');
    expect(completion.usage?.completion_tokens).toBe(5);
  });

  it('ends before a stop sequence, even inside a word', async () => {
    const { url } = await startSimulator();
    const { body } = await chat(url, { ...askFor('hello'), stop: ['nowhere', 'mulated'] });
    const completion = parseAnswer(body);
    expect(completion.choices[0]?.message?.content).toBe('This is a si');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.usage?.completion_tokens).toBe(4);
  });

  it('says a text that it is told to say', async () => {
    const { url } = await startSimulator();
    const answer = await chat(url, directive({ text: 'Größe: 3 €\n\tdone' }));
    expect(textOf(answer)).toBe('Größe: 3 €\n\tdone');
  });

  it('thinks what it is told to think before it speaks, and counts it', async () => {
    const { url } = await startSimulator();
    const asked = directive({ thoughts: 'Let me see.', tokens: 2 });
    const options = { include_usage: true };
    const { body } = await chat(url, { ...asked, stream: true, stream_options: options });
    const frames = eventsOf(body).slice(0, -1).map(parseAnswer);
    const deltas = frames.map(({ choices }) => choices[0]?.delta);
    expect(deltas.slice(1, 6)).toEqual([
      ...['Let', ' me', ' see.'].map((reasoning_content) => ({ reasoning_content })),
      ...['This', ' is'].map((content) => ({ content })),
    ]);
    const usage = { completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } };
    expect(frames.at(-1)?.usage).toMatchObject(usage);
    const whole = await chat(url, { ...asked, max_tokens: 4 });
    expect(parseAnswer(whole.body)).toMatchObject({
      choices: [
        { message: { reasoning_content: 'Let me see.', content: 'This' }, finish_reason: 'length' },
      ],
      usage: { completion_tokens: 4 },
    });
  });

  it('obeys headers, and the message before headers', async () => {
    const { url } = await startSimulator();
    const headers = { 'x-simulate-tokens': '3', 'x-simulate-tag': '42' };
    expect(textOf(await chat(url, askFor('hello'), headers))).toBe('This is a');
    expect(textOf(await chat(url, directive({ tokens: 2 }), headers))).toBe('This is');
    expect((await deliveriesOf(url)).deliveries.map(({ tag }) => tag)).toEqual(['42', '42']);
  });
});

describe('a streamed answer', () => {
  it('comes frame by frame with one id, the same text and usage only when asked for', async () => {
    const { url } = await startSimulator();
    const whole = textOf(await chat(url, askFor('hello')));
    const { response, body } = await chat(url, { ...askFor('hello'), stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-simulated')).toBe('true');
    const events = eventsOf(body);
    expect(events.at(-1)).toBe('[DONE]');
    const frames = events.slice(0, -1).map(parseAnswer);
    expect(new Set(frames.map(({ id }) => id)).size).toBe(1);
    expect(frames[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(frames.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(frames.map((frame) => frame.choices[0]?.delta?.content ?? '').join('')).toBe(whole);
    expect(body).not.toContain('usage');
    const asked = { ...askFor('hello'), stream: true, stream_options: { include_usage: true } };
    const last = eventsOf((await chat(url, asked)).body).at(-2);
    expect(parseAnswer(last ?? '')).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 40, total_tokens: 49 },
    });
  });

  it('waits as long as it is told, by its clock', async () => {
    const { url, clock } = await startSimulator();
    const wish = directive({
      latency_ms: 50,
      first_token_ms: 70,
      token_interval_ms: 30,
      tokens: 3,
    });
    const answer = chat(url, { ...wish, stream: true });
    for (const expected of [50, 70, 30, 30, 30]) {
      expect(await clock.untilNextTimer()).toBe(expected);
      await clock.advance(expected);
    }
    expect(eventsOf((await answer).body)).toHaveLength(6);
  });
});

it('gives equal texts equal vectors, of length 1', async () => {
  const { url } = await startSimulator();
  const ask = async (body: object) => {
    const request = { method: 'POST', body: JSON.stringify({ model: 'any', ...body }) };
    return (await fetch(`${url}/v1/embeddings`, request)).json() as Promise<SimulatedVectors>;
  };
  const { data, usage } = await ask({ input: ['one', 'two', 'one'], dimensions: 4 });
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  expect(data[0]?.embedding).toEqual(data[2]?.embedding);
  expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  for (const { embedding } of data) {
    expect(embedding).toHaveLength(4);
    expect(Math.hypot(...(embedding as number[]))).toBeCloseTo(1, 5);
  }
  const encoded = await ask({ input: 'one', dimensions: 4, encoding_format: 'base64' });
  const bytes = new Uint8Array(Buffer.from(String(encoded.data[0]?.embedding), 'base64'));
  expect([...new Float32Array(bytes.buffer)]).toEqual(data[0]?.embedding);
});

describe('what is refused', () => {
  it.each([
    ['a body that is no JSON', '{', ''],
    ['a body that is no object', '[]', ''],
    ['a missing model', { messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['missing messages', { model: 'm' }, 'messages'],
    ['empty messages', { model: 'm', messages: [] }, 'messages'],
    ['a message without a role', { model: 'm', messages: [{ content: 'x' }] }, 'messages'],
    [
      'an image',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'x' }] }] },
      'messages',
    ],
    ['max_tokens of 0', { ...askFor('x'), max_tokens: 0 }, 'max_tokens'],
    ['max_tokens as text', { ...askFor('x'), max_tokens: '1' }, 'max_tokens'],
    ['five stops', { ...askFor('x'), stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['two choices', { ...askFor('x'), n: 2 }, 'n'],
    ['a stream that is no boolean', { ...askFor('x'), stream: 'yes' }, 'stream'],
    ['an unknown directive', directive({ nonsense: 1 }), 'messages'],
    ['an unknown failure', directive({ fail: 'status:418' }), 'messages'],
    ['a directive beyond its bound', directive({ tokens: 10_001 }), 'messages'],
    ['a directive that is no JSON', askFor('[[simulate {tokens: 1}]]'), 'messages'],
    ['a directive that is not closed', askFor('[[simulate {"tokens":1}'), 'messages'],
  ])('is %s, with 400 in the vendor shape', async (_what, body, param) => {
    const { url } = await startSimulator();
    const answer = await chat(url, body);
    expect(answer.response.status).toBe(400);
    expect(parseAnswer(answer.body).error).toMatchObject({ type: 'invalid_request_error', param });
  });

  it.each(['null', '[]', '"text"', '{', '{"model":"m","input":"x","dimensions":1.5}'])(
    'is %s as a request for vectors',
    async (body) => {
      const { url } = await startSimulator();
      const response = await fetch(`${url}/v1/embeddings`, { method: 'POST', body });
      expect(response.status).toBe(400);
    },
  );

  it('is a body over the bound, an unknown path and a wrong method', async () => {
    const { url } = await startSimulator({ bodyBytesMax: 1_024 });
    const statuses = [
      (await chat(url, askFor('x'.repeat(2_000)))).response.status,
      (await fetch(`${url}/v1/embeddings`)).status,
      (await fetch(`${url}/v1/audio`)).status,
      (await fetch(`${url}/v1/chat/completions`)).status,
      (await fetch(`${url}/v1/models`, { method: 'DELETE' })).status,
      (await fetch(`${url}/v1/models/unknown`)).status,
    ];
    expect(statuses).toEqual([413, 405, 404, 405, 405, 404]);
  });

  it('is everyone without the credential, when one is configured', async () => {
    const { url } = await startSimulator({ credential: 'not-a-real-credential' });
    const status = async (authorization: string) =>
      (await chat(url, askFor('x'), { authorization })).response.status;
    expect(await status('Bearer wrong')).toBe(401);
    expect(await status('Bearer not-a-real-credential')).toBe(200);
    expect((await fetch(`${url}/control/deliveries`)).status).toBe(401);
  });
});

describe('the list of models', () => {
  it('names the simulator as their owner', async () => {
    const { url } = await startSimulator({ models: ['a', 'org/b'] });
    const list = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(['a', 'org/b']);
    const one = await (await fetch(`${url}/v1/models/org%2Fb`)).json();
    expect(one).toMatchObject({ id: 'org/b', object: 'model', owned_by: 'simulator' });
  });
});

describe('deliveries', () => {
  it('count tokens and bytes per request under the id of the client', async () => {
    const { url } = await startSimulator();
    const headers = { 'x-request-id': 'req_1' };
    const { body } = await chat(url, { ...askFor('hello'), stream: true }, headers);
    const wish = { ...directive({ tokens: 7, tag: 'mine' }), stream: false };
    await chat(url, wish);
    const { deliveries, totals } = await deliveriesOf(url);
    expect(deliveries).toEqual([
      expect.objectContaining({
        sequence: 1,
        request_id: 'req_1',
        tag: null,
        stream: true,
        status: 200,
        prompt_tokens: 9,
        tokens: 40,
        bytes: Buffer.byteLength(body),
        state: 'finished',
      }),
      expect.objectContaining({ request_id: null, tag: 'mine', tokens: 7, state: 'finished' }),
    ]);
    expect(totals).toMatchObject({ requests: 2, tokens: 47, finished: 2, cut: 0, aborted: 0 });
    expect((await deliveriesOf(url, '?after=1')).deliveries).toHaveLength(1);
    expect((await deliveriesOf(url, '?limit=1')).deliveries).toHaveLength(1);
  });

  it('tell an answer that the client left from one that the simulator cut', async () => {
    const { url } = await startSimulator();
    const hang = { ...directive({ fail: 'hang:mid_stream', cut_after_tokens: 2 }), stream: true };
    const leaving = new AbortController();
    await chat(url, hang, {}, leaving.signal, (seen) => {
      if (seen.includes(' is')) leaving.abort();
    }).catch(() => {});
    const cut = { ...directive({ fail: 'reset:mid_stream', cut_after_tokens: 3 }), stream: true };
    await chat(url, cut).catch(() => {});
    const { deliveries } = await deliveriesOf(url, '', ({ totals }) => totals.aborted === 1);
    expect(deliveries.map(({ tokens, state }) => [tokens, state])).toEqual([
      [2, 'aborted'],
      [3, 'cut'],
    ]);
  });

  it('are bounded, and cleared on request', async () => {
    const { url } = await startSimulator({ deliveriesMax: 3 });
    for (let index = 0; index < 5; index += 1) await chat(url, askFor('x'));
    const before = await deliveriesOf(url);
    expect(before.deliveries.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(before.totals.requests).toBe(5);
    await fetch(`${url}/control/deliveries`, { method: 'DELETE' });
    expect(await deliveriesOf(url)).toMatchObject({ deliveries: [], totals: { requests: 0 } });
  });
});

describe('defaults', () => {
  async function setDefaults(url: string, wire: unknown): Promise<number> {
    const body = JSON.stringify(wire);
    return (await fetch(`${url}/control/defaults`, { method: 'POST', body })).status;
  }

  it('change at run time, yield to directives, and go back', async () => {
    const { url } = await startSimulator();
    expect(await setDefaults(url, { tokens: 2, fail: 'finish:content_filter' })).toBe(200);
    expect(textOf(await chat(url, askFor('x')))).toBe('This is');
    expect(textOf(await chat(url, directive({ tokens: 1 })))).toBe('This');
    expect(await (await fetch(`${url}/control/defaults`)).json()).toMatchObject({ tokens: 2 });
    expect(await setDefaults(url, {})).toBe(200);
    const configured = { tokens: 40, latency_ms: 0, first_token_ms: 0, token_interval_ms: 0 };
    expect(await (await fetch(`${url}/control/defaults`)).json()).toEqual(configured);
    expect(parseAnswer((await chat(url, askFor('x'))).body).usage?.completion_tokens).toBe(40);
    expect(await setDefaults(url, { fail: 'nonsense' })).toBe(400);
  });

  it('take texts of every documented length, and stay as they are with a longer body', async () => {
    const { url } = await startSimulator();
    const text = '\u0001'.repeat(100_000);
    expect(await setDefaults(url, { text, thoughts: text })).toBe(200);
    expect(await setDefaults(url, { text: text.repeat(4) })).toBe(413);
    expect(await (await fetch(`${url}/control/defaults`)).json()).toMatchObject({ text });
  });

  it('let every third request fail, or the first of a tag', async () => {
    const { url } = await startSimulator();
    await setDefaults(url, { fail: 'status:500', fail_every: 3 });
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await chat(url, askFor('x'))).response.status);
    }
    expect(statuses).toEqual([200, 200, 500, 200, 200, 500]);
    await setDefaults(url, {});
    const once = directive({ fail: 'status:503', fail_first: 1, tag: 't' });
    expect((await chat(url, once)).response.status).toBe(503);
    expect((await chat(url, once)).response.status).toBe(200);
  });
});

describe('the end of the server', () => {
  it('waits for running answers when it drains, and takes no new connection', async () => {
    const { url, server, clock } = await startSimulator();
    const answer = chat(url, directive({ latency_ms: 10 }));
    await clock.untilNextTimer();
    const drained = server.drain();
    await expect(fetch(`${url}/v1/models`)).rejects.toThrow();
    await clock.advance(10);
    expect((await answer).response.status).toBe(200);
    await drained;
  });

  it('does not wait for a connection that sends nothing when it closes', async () => {
    const { url, server } = await startSimulator();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => {});
    await server.close();
    await closed;
  });

  it('says so when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('failure modes', () => {
  it('are a closed table of which each row is a sentence', () => {
    expect(isFailureModeName('status:429')).toBe(true);
    expect(isFailureModeName('toString')).toBe(false);
    for (const { description } of Object.values(FAILURE_MODES)) expect(description).toMatch(/\.$/);
  });
});
