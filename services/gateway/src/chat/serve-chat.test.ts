import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@tollgate/testkit';
import { createByteBound } from '../bounds/byte-bound';
import { NO_USAGE } from '../clients/completion/client';
import { createHttpExchange } from '../http/exchange';
import { answer, chunk, delta, end, head, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-fixture';
import { openaiFormat } from './formats/openai/format';
import { wholeAnswer } from './serve-chat';

let gateway: GatewayUnderTest;
const key = keyText(1);

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, {});
});
afterAll(() => gateway.stop());

const hello = { model: 'small-chat', messages: [{ role: 'user', content: 'hello' }] };
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const PLAIN = '/v1/chat/completions';
const ENVELOPE = '/v1/llm/chat/completions';

const USAGE = {
  prompt_tokens: 5,
  completion_tokens: 2,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

describe('a completion', () => {
  beforeEach(() => {
    gateway.completion.handlers.complete = async () => answer('hi \u00e9');
  });

  test('comes in the envelope with exactly four members', async () => {
    const response = await post(ENVELOPE, hello);
    expect(response.status).toBe(200);
    const requestId = response.headers.get('x-request-id');
    expect(await response.json()).toEqual({
      success: true,
      data: {
        id: `chatcmpl-${requestId}`,
        object: 'chat.completion',
        created: 1_790_000_000,
        model: 'small-chat',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'hi é' }, finish_reason: 'stop' },
        ],
        usage: USAGE,
      },
      error: null,
      message: null,
    });
    expect(response.headers.get('x-api-version')).toBe('v1');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-tollgate-cost')).toBe('0.000123');
    expect(response.headers.get('x-tollgate-attempts')).toBe('1');
    expect(response.headers.get('x-tollgate-channel')).toBeNull();
  });

  test('names the members of its request that were ignored, and is the same without any', async () => {
    const known = await post(PLAIN, hello);
    expect(known.headers.get('x-tollgate-ignored')).toBeNull();
    const ignored = await post(PLAIN, { ...hello, max_token: 5, temprature: 1 });
    expect([ignored.status, ignored.headers.get('x-tollgate-ignored')]).toEqual([
      200,
      'max_token, temprature',
    ]);
    const inputs = gateway.completion.calls.slice(-2).map(([, asked]) => asked);
    expect(inputs).toMatchObject([
      { input: { ignoredMembers: '' } },
      { input: { ignoredMembers: 'max_token temprature' } },
    ]);
  });

  test('says what of its tokens was audio, where any was', async () => {
    const { usage = NO_USAGE } = answer('');
    gateway.completion.handlers.complete = async () =>
      answer('hi', { usage: { ...usage, promptAudioTokens: 4, completionAudioTokens: 1 } });
    const body = (await (await post(PLAIN, hello)).json()) as { readonly usage: unknown };
    expect(body.usage).toEqual({
      ...USAGE,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 1 },
    });
  });

  test('comes without an envelope on the path of client libraries', async () => {
    const response = await post(PLAIN, hello);
    const body = (await response.json()) as { object: string; choices: unknown[] };
    expect(body.object).toBe('chat.completion');
    expect(body.choices).toHaveLength(1);
    expect(Object.keys(body)).not.toContain('success');
  });
});

describe('a stream', () => {
  const frame = (id: string | null, rest: string) =>
    `data: {"id":"chatcmpl-${id}","object":"chat.completion.chunk",` +
    `"created":1790000000,"model":"small-chat","choices":${rest}}\n\n`;

  test.each([PLAIN, ENVELOPE])('has the same frames to the byte on %s', async (path) => {
    gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
      out.write(head());
      out.write(
        chunk({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }),
      );
      out.write(chunk(delta('Hel'), delta('lo')));
      out.write(chunk({ index: 0, delta: {}, finish_reason: 'stop' }));
      out.write(end());
    };
    const body = { ...hello, stream: true, stream_options: { include_usage: true } };
    const response = await post(path, body);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-api-version')).toBe('v1');
    const id = response.headers.get('x-request-id');
    expect(await response.text()).toBe(
      frame(id, '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]') +
        frame(id, '[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]') +
        frame(id, '[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]') +
        frame(id, '[{"index":0,"delta":{},"finish_reason":"stop"}]') +
        frame(id, `[],"usage":${JSON.stringify(USAGE)}`) +
        'data: [DONE]\n\n',
    );
  });
});

describe('a long answer that its client does not take', () => {
  const LONG = 'x'.repeat(12 * 1024 * 1024);

  /** Answers one request of a client that has read nothing but the head so far. */
  async function serveLong(readerBytesMax: number) {
    const unreadBytes = createByteBound(readerBytesMax);
    const { promise: served, resolve } = Promise.withResolvers<ServerResponse>();
    const server = createServer((request, response) => {
      const exchange = createHttpExchange(request, response, true);
      const parts = {
        exchange,
        format: openaiFormat,
        answerId: 'req_1',
        echo: undefined,
        headersOf: () => ({}),
        open: ({ onEnd }: { onEnd: (end: { kind: 'whole'; answer: Whole }) => void }) => {
          setImmediate(() => onEnd({ kind: 'whole', answer: answer(LONG) }));
          return { resume() {}, cancel() {} };
        },
      };
      void wholeAnswer(parts, unreadBytes).then(() => resolve(response));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const client = await new Promise<IncomingMessage>((got) => {
      get({ port, host: '127.0.0.1', agent: false }, got);
    });
    client.on('error', () => {});
    const close = async () => {
      client.destroy();
      await new Promise((closed) => server.close(closed));
    };
    return { client, close, unreadBytes, response: await served };
  }
  type Whole = ReturnType<typeof answer>;

  test('is counted until it is taken', async () => {
    const { client, close, unreadBytes, response } = await serveLong(2 ** 30);
    await waitFor(() => unreadBytes.held > 0);
    expect(unreadBytes.held).toBe(response.writableLength);
    client.resume();
    await waitFor(() => unreadBytes.held === 0);
    expect(response.writableFinished).toBe(true);
    await close();
  });

  test('is cut when there is no room for it', async () => {
    const { close, unreadBytes, response } = await serveLong(1024 * 1024);
    await waitFor(() => response.closed);
    expect([response.writableFinished, unreadBytes.held]).toEqual([false, 0]);
    await close();
  });
});
