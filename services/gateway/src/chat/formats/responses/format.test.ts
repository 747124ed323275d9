import { AppError } from '@tollgate/core';
import { answer, chunk, delta, end, failure, head, keyText } from '../../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../../testing/gateway-fixture';
import { readTypedEvents } from '../../../testing/generated-answers';
import type { SentRequest } from '../../../testing/http-client';

let gateway: GatewayUnderTest;
const key = keyText(1);
const BODY = { model: 'small-chat', input: 'hello', metadata: { team: 'search' } };

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { plan: 'enterprise' });
});
afterAll(() => gateway.stop());

const send = (request: SentRequest) =>
  gateway.send('POST', '/v1/responses', { key, body: BODY, ...request });

test('a response says what was asked, and what it cost', async () => {
  gateway.completion.handlers.complete = async () => answer('hi');
  const { headers, json, status } = await send({});
  const id = headers.get('x-request-id') ?? '';
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: `resp_${id}`,
    object: 'response',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: `msg_${id}_0`,
        content: [{ type: 'output_text', text: 'hi', annotations: [], logprobs: [] }],
      },
    ],
    metadata: { team: 'search' },
    store: false,
  });
  expect(headers.get('x-tollgate-cost')).toBe('0.000123');
});

test('members that completion finds fault with have the names of this format', async () => {
  for (const [param, shown] of [
    ['max_tokens', 'max_output_tokens'],
    ['messages[3].tool_call_id', 'input'],
    ['response_format', 'text.format'],
    ['model', 'model'],
  ] as const) {
    gateway.completion.handlers.complete = async () => {
      throw new AppError('VALIDATION_ERROR', { param });
    };
    const { json, status } = await send({});
    expect([status, json.error]).toMatchObject([400, { param: shown }]);
  }
  const faulty = await send({ body: { ...BODY, tools: [{ type: 'web_search' }] } });
  expect(faulty.json.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    type: 'invalid_request_error',
    param: 'tools[0].type',
  });
});

test('a failure in the middle of a stream is its last event', async () => {
  gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    out.write(chunk(delta('Hel')));
    out.write(end(failure('UPSTREAM_ERROR', { message: 'The vendor broke off.' })));
  };
  const { status, text } = await send({ body: { ...BODY, stream: true } });
  expect(status).toBe(200);
  const { data, event } = readTypedEvents(text).at(-1) ?? {};
  expect(event).toBe('response.failed');
  expect(data?.response).toMatchObject({
    error: { code: 'server_error', message: 'The vendor broke off.' },
  });
});
