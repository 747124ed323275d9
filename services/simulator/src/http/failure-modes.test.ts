import { FAILURE_MODES, type FailureModeName } from '../domain/failure-modes';
import {
  askFor,
  chatRaw,
  deliveriesOf,
  directive,
  eventsOf,
  parseAnswer,
  type RawAnswer,
  startSimulator,
  stopSimulators,
  type WireAnswer,
} from '../testing/simulator-fixture';

afterEach(stopSimulators);

const TOKENS = 6;

type Seen = { readonly whole: RawAnswer; readonly stream: RawAnswer };

/** Asks for the mode twice, whole and streamed. */
async function provoke(
  fail: FailureModeName,
  wish: Readonly<Record<string, unknown>> = {},
  stopAt?: string,
): Promise<Seen> {
  const { url } = await startSimulator();
  const ask = directive({ fail, tokens: TOKENS, ...wish });
  const streaming = { ...ask, stream: true, stream_options: { include_usage: true } };
  const whole = await chatRaw(url, ask, stopAt);
  return { whole, stream: await chatRaw(url, streaming, stopAt) };
}

function framesOf({ text }: RawAnswer): WireAnswer[] {
  return eventsOf(text)
    .filter((event) => event !== '[DONE]')
    .map(parseAnswer);
}

function spokenIn(answer: RawAnswer): string {
  return framesOf(answer)
    .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    .join('');
}

function usagesIn(answer: RawAnswer): Readonly<Record<string, unknown>>[] {
  return framesOf(answer)
    .map((frame) => frame.usage)
    .filter((usage) => usage !== undefined);
}

const WHOLE = 'This is a simulated answer.';
const PROVEN = new Set<FailureModeName>();

/** Registers the mode as proven, so that no row of the table goes without a test. */
function proves(name: FailureModeName, check: () => Promise<void>): void {
  PROVEN.add(name);
  it(`${name}: ${FAILURE_MODES[name].description}`, check);
}

describe('statuses', () => {
  const statuses = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504] as const;
  for (const status of statuses) {
    proves(`status:${status}`, async () => {
      for (const answer of Object.values(await provoke(`status:${status}`, { retry_after: 7 }))) {
        expect(answer.status).toBe(status);
        expect(answer.headers['retry-after']).toBe('7');
        const { error } = parseAnswer(answer.text);
        expect(Object.keys(error ?? {})).toEqual(['message', 'type', 'param', 'code']);
        expect(error?.message).toMatch(/^Simulated vendor: /);
      }
    });
  }

  proves('status:401_echo', async () => {
    const { url } = await startSimulator();
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer canary' },
      body: JSON.stringify(directive({ fail: 'status:401_echo' })),
    });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('canary');
  });

  proves('retry_after:year', async () => {
    const { whole } = await provoke('retry_after:year');
    expect([whole.status, whole.headers['retry-after']]).toEqual([429, '31536000']);
  });
});

describe('connections that break', () => {
  proves('reset:before_head', async () => {
    for (const answer of Object.values(await provoke('reset:before_head'))) {
      expect([answer.status, answer.broke]).toEqual([0, true]);
    }
  });

  proves('reset:after_head', async () => {
    for (const answer of Object.values(await provoke('reset:after_head'))) {
      expect([answer.status, answer.text, answer.broke]).toEqual([200, '', true]);
    }
  });

  proves('reset:mid_stream', async () => {
    const half = await provoke('reset:mid_stream');
    expect([half.stream.broke, spokenIn(half.stream)]).toEqual([true, 'This is a']);
    expect([half.whole.broke, half.whole.status]).toEqual([true, 200]);
    expect(half.whole.text).toMatch(/^\{"id"/);
    const two = await provoke('reset:mid_stream', { cut_after_tokens: 2 });
    expect(spokenIn(two.stream)).toBe('This is');
  });

  proves('reset:after_last_token', async () => {
    const { stream, whole } = await provoke('reset:after_last_token');
    expect([stream.broke, spokenIn(stream)]).toEqual([true, WHOLE]);
    expect(stream.text).not.toMatch(/"finish_reason":"|usage|DONE/);
    expect(whole.broke).toBe(true);
    expect(parseAnswer(`${whole.text}}`).usage?.completion_tokens).toBe(TOKENS);
  });

  it('a place to cut without a way to cut resets there', async () => {
    const { url } = await startSimulator();
    const ask = { ...directive({ cut_after_tokens: 1 }), stream: true };
    const answer = await chatRaw(url, ask);
    expect([answer.broke, spokenIn(answer)]).toEqual([true, 'This']);
  });
});

describe('connections that fall silent', () => {
  async function hangs(fail: FailureModeName, stream: boolean, tokens: number): Promise<void> {
    const { url, server } = await startSimulator();
    const ask = directive({ fail, tokens: TOKENS, cut_after_tokens: 4 });
    const answer = chatRaw(url, { ...ask, stream });
    const seen = await deliveriesOf(url, '', (all) => all.deliveries[0]?.tokens === tokens);
    expect(seen.deliveries[0]?.state).toBe('running');
    await server.close();
    expect((await answer).broke).toBe(true);
  }

  proves('hang:before_head', async () => {
    await hangs('hang:before_head', false, 0);
    await hangs('hang:before_head', true, 0);
  });

  proves('hang:after_head', async () => {
    await hangs('hang:after_head', false, 0);
    await hangs('hang:after_head', true, 0);
  });

  proves('hang:mid_stream', async () => {
    await hangs('hang:mid_stream', false, 0);
    await hangs('hang:mid_stream', true, 4);
  });
});

describe('usage', () => {
  const exact = { completion_tokens: TOKENS };

  proves('usage:none', async () => {
    const { whole, stream } = await provoke('usage:none');
    expect(parseAnswer(whole.text).usage).toBeUndefined();
    expect(usagesIn(stream)).toEqual([]);
    expect(eventsOf(stream.text).at(-1)).toBe('[DONE]');
  });

  proves('usage:twice', async () => {
    const { stream } = await provoke('usage:twice');
    expect(usagesIn(stream)).toEqual([
      expect.objectContaining(exact),
      expect.objectContaining(exact),
    ]);
  });

  proves('usage:early', async () => {
    const { stream } = await provoke('usage:early');
    const frames = framesOf(stream);
    const usageAt = frames.findIndex((frame) => frame.usage !== undefined);
    const textAt = frames.findIndex((frame) => frame.choices[0]?.delta?.content === 'This');
    expect(usageAt).toBeLessThan(textAt);
    expect(usagesIn(stream)).toHaveLength(1);
  });

  const reports: readonly (readonly [FailureModeName, (count: unknown) => boolean])[] = [
    ['usage:zero', (count) => count === 0],
    ['usage:negative', (count) => typeof count === 'number' && count < 0],
    ['usage:fraction', (count) => typeof count === 'number' && !Number.isInteger(count)],
    ['usage:null', (count) => count === null],
    ['usage:string', (count) => typeof count === 'string'],
    ['usage:absurd', (count) => typeof count === 'number' && count > 1e79],
  ];
  for (const [name, holds] of reports) {
    proves(name, async () => {
      const { whole, stream } = await provoke(name);
      const [reported] = usagesIn(stream);
      expect(holds(parseAnswer(whole.text).usage?.completion_tokens)).toBe(true);
      expect(holds(reported?.completion_tokens)).toBe(true);
    });
  }

  proves('usage:nan', async () => {
    for (const { text } of Object.values(await provoke('usage:nan'))) {
      expect(text).toContain('"completion_tokens":NaN');
    }
  });
});

describe('ends of streams and odd bodies', () => {
  proves('done:twice', async () => {
    const { stream } = await provoke('done:twice');
    expect(eventsOf(stream.text).filter((event) => event === '[DONE]')).toHaveLength(2);
  });

  proves('done:none', async () => {
    const { stream } = await provoke('done:none');
    expect(stream.text).not.toContain('[DONE]');
    expect([stream.broke, spokenIn(stream)]).toEqual([false, WHOLE]);
  });

  proves('body:empty', async () => {
    const { whole, stream } = await provoke('body:empty');
    expect(parseAnswer(whole.text)).toMatchObject({
      choices: [{ message: { content: '' } }],
      usage: { completion_tokens: 0 },
    });
    expect(spokenIn(stream)).toBe('');
  });

  proves('body:html', async () => {
    for (const answer of Object.values(await provoke('body:html'))) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.text).toMatch(/^<!doctype html>/);
    }
  });

  proves('body:long_line', async () => {
    const { whole, stream } = await provoke('body:long_line');
    const longest = Math.max(...stream.text.split('\n').map((line) => line.length));
    expect(longest).toBeGreaterThan(10_000_000);
    expect(parseAnswer(whole.text).choices[0]?.message?.content.length).toBe(10 * 1_024 * 1_024);
  });

  proves('body:split_utf8', async () => {
    const { whole, stream } = await provoke('body:split_utf8', { tokens: 14 });
    for (const answer of [whole, stream]) {
      const alone = answer.chunks.map((chunk) => chunk.toString()).join('');
      expect(alone).toContain('�');
      expect(answer.text).not.toContain('�');
      expect(answer.text).toContain('🙂');
    }
  });

  proves('body:invalid_json', async () => {
    const { whole, stream } = await provoke('body:invalid_json');
    expect(() => parseAnswer(whole.text)).toThrow(SyntaxError);
    expect(() => framesOf(stream)).toThrow(SyntaxError);
    expect(eventsOf(stream.text).at(-1)).toBe('[DONE]');
    const early = await provoke('body:invalid_json', { cut_after_tokens: 2 });
    const events = eventsOf(early.stream.text);
    // The role comes first, then two tokens.
    expect(() => events.slice(0, 3).map(parseAnswer)).not.toThrow();
    expect(() => parseAnswer(events[3] ?? 'null')).toThrow(SyntaxError);
    expect([early.stream.broke, events.at(-1)]).toEqual([false, '[DONE]']);
  });

  proves('body:error_frame', async () => {
    const { whole, stream } = await provoke('body:error_frame');
    expect([whole.status, parseAnswer(whole.text).error?.type]).toEqual([200, 'server_error']);
    expect(framesOf(stream).at(-1)?.error?.type).toBe('server_error');
    expect(spokenIn(stream)).toBe('This is a');
    const early = await provoke('body:error_frame', { cut_after_tokens: 2 });
    expect([early.stream.broke, spokenIn(early.stream)]).toEqual([false, 'This is']);
    expect(framesOf(early.stream).at(-1)?.error?.type).toBe('server_error');
  });
});

describe('finish reasons and framing', () => {
  for (const reason of ['content_filter', 'length'] as const) {
    proves(`finish:${reason}`, async () => {
      const { whole, stream } = await provoke(`finish:${reason}`);
      expect(parseAnswer(whole.text).choices[0]?.finish_reason).toBe(reason);
      expect(stream.text).toContain(`"finish_reason":"${reason}"`);
    });
  }

  proves('frames:joined', async () => {
    const { stream } = await provoke('frames:joined');
    expect(stream.chunks).toHaveLength(1);
    expect(spokenIn(stream)).toBe(WHOLE);
  });

  proves('frames:crlf', async () => {
    const { stream } = await provoke('frames:crlf');
    expect(stream.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(stream.text).toMatch(/^data: .*\r\n\r\n/);
  });

  proves('frames:comments', async () => {
    const { stream } = await provoke('frames:comments');
    const comments = stream.text.match(/^: keep-alive$/gm) ?? [];
    expect(comments).toHaveLength(eventsOf(stream.text).length);
    expect(spokenIn(stream)).toBe(WHOLE);
  });

  it('modes combine', async () => {
    const { url } = await startSimulator();
    const fail = ['usage:none', 'done:none', 'finish:length'];
    const ask = { ...directive({ fail, tokens: 2 }), stream: true };
    const { text } = await chatRaw(url, ask);
    expect(text).toContain('"finish_reason":"length"');
    expect(text).not.toMatch(/usage|DONE/);
  });

  it('an ordinary stream comes in several writes', async () => {
    const { url } = await startSimulator();
    const { chunks } = await chatRaw(url, { ...askFor('hello'), stream: true });
    expect(chunks.length).toBeGreaterThan(10);
  });
});

describe('the table', () => {
  it('has no row without a proof', () => {
    const names = Object.keys(FAILURE_MODES);
    expect(names.filter((name) => !PROVEN.has(name as FailureModeName))).toEqual([]);
  });
});
