import { answer, chunk, delta, end, head, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../testing/start-gateway';

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
