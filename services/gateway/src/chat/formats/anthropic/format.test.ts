import { AppError, ERROR_CODES, type ErrorCode } from '@tollgate/core';
import { answer, chunk, delta, end, failure, head, keyText } from '../../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../../testing/gateway-fixture';
import { readTypedEvents } from '../../../testing/generated-answers';
import { CHAT, type SentRequest } from '../../../testing/http-client';
import { anthropicFormat } from './format';
import { messagesFailureSchema } from './schema';

let gateway: GatewayUnderTest;
const key = keyText(1);
const BODY = { ...CHAT, max_tokens: 64 };

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { plan: 'enterprise' });
});
afterAll(() => gateway.stop());

const send = (request: SentRequest) =>
  gateway.send('POST', '/v1/messages', { body: BODY, ...request });

test('the key is taken from x-api-key too, and Authorization comes first', async () => {
  gateway.completion.handlers.complete = async () => answer('hi');
  const received = await send({
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  });
  const id = received.headers.get('x-request-id');
  expect(received.json).toEqual({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'small-chat',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 5,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  });
  expect(received.headers.get('request-id')).toBe(id);
  expect(received.headers.get('x-tollgate-cost')).toBe('0.000123');
  expect((await send({ key: keyText(9), headers: { 'x-api-key': key } })).status).toBe(401);
  expect((await send({ key, headers: { 'x-api-key': keyText(9) } })).status).toBe(200);
});

test('x-api-key opens no path of another format', async () => {
  const headers = { 'x-api-key': key };
  const path = '/v1/chat/completions';
  const received = await gateway.send('POST', path, { body: BODY, headers });
  expect(received.status).toBe(401);
});

test('refusals before the body speak this format', async () => {
  const received = await send({});
  expect(received.status).toBe(401);
  expect(received.json).toEqual({
    type: 'error',
    error: {
      type: 'authentication_error',
      message: expect.any(String) as string,
      code: 'UNAUTHORIZED',
      param: null,
    },
  });
  expect(received.headers.get('request-id')).toBe(received.headers.get('x-request-id'));
  const faulty = await send({ key, body: { ...BODY, top_k: 4 } });
  expect([faulty.status, faulty.json.error]).toEqual([
    400,
    {
      type: 'invalid_request_error',
      message: 'top_k: is not supported here.',
      code: 'VALIDATION_ERROR',
      param: 'top_k',
    },
  ]);
});

const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  VALIDATION_ERROR: 'invalid_request_error',
  CONTEXT_LENGTH_EXCEEDED: 'invalid_request_error',
  INSUFFICIENT_BALANCE: 'billing_error',
  KEY_BUDGET_EXCEEDED: 'billing_error',
  FORBIDDEN: 'permission_error',
  NOT_FOUND: 'not_found_error',
  PAYLOAD_TOO_LARGE: 'request_too_large',
  RATE_LIMIT_EXCEEDED: 'rate_limit_error',
  INTERNAL_ERROR: 'api_error',
  UPSTREAM_ERROR: 'api_error',
  SERVICE_UNAVAILABLE: 'overloaded_error',
  UPSTREAM_TIMEOUT: 'timeout_error',
};

test.each(Object.entries(WORDS) as [ErrorCode, string][])(
  '%s of completion is %s, whole and before the stream begins',
  async (code, type) => {
    const fail = async () => {
      throw new AppError(code, { param: 'stop' });
    };
    gateway.completion.handlers.complete = fail;
    gateway.completion.handlers.streamCompletion = fail;
    for (const stream of [false, true]) {
      const received = await send({ key, body: { ...BODY, stream } });
      expect(received.status).toBe(ERROR_CODES[code].httpStatus);
      expect(received.json.error).toMatchObject({ type, param: 'stop_sequences' });
      expect(received.headers.get('content-type')).toContain('application/json');
    }
  },
);

test('every code of the table has a body that the document shows', () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const body: unknown = JSON.parse(anthropicFormat.failureBody(new AppError(code)));
    expect([code, messagesFailureSchema.safeParse(body).error]).toEqual([code, undefined]);
  }
});

test('a failure in the middle of a stream is an error event, and nothing follows', async () => {
  gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    out.write(chunk(delta('Hel')));
    out.write(end(failure('UPSTREAM_ERROR', { message: 'The vendor broke off.' })));
  };
  const { status, text } = await send({ key, body: { ...BODY, stream: true } });
  expect(status).toBe(200);
  const events = readTypedEvents(text);
  expect(events.map(({ event }) => event)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'error',
  ]);
  expect(events.at(-1)?.data).toEqual({
    type: 'error',
    error: {
      type: 'api_error',
      message: 'The vendor broke off.',
      code: 'UPSTREAM_ERROR',
      param: null,
    },
  });
});
