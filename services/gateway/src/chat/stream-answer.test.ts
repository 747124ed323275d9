import { request as httpRequest, type IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';
import { waitFor } from '@tollgate/testkit';
import { chunk, delta, end, failure, head, keyText, refusing } from '../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-fixture';
import { CHAT } from '../testing/http-client';

let gateway: GatewayUnderTest;
const key = keyText(1);
const operatorKey = keyText(2);
const STREAM = { ...CHAT, stream: true };
const PLAIN = '/v1/chat/completions';

beforeAll(async () => {
  gateway = await startGateway({ environment: { TOLLGATE_GATEWAY_STREAM_HEAD_WAIT_MS: '3000' } });
  gateway.principals.set(key, { plan: 'enterprise' });
  const operator = { operator: true, scopes: ['completions', 'admin'], accountId: 'acc_2' };
  gateway.principals.set(operatorKey, { ...operator, plan: 'enterprise' });
});
afterAll(() => gateway.stop());

const stream = (bearer = key) => gateway.send('POST', PLAIN, { key: bearer, body: STREAM });

/** Opens a stream and gives its response before the end. */
function open(): Promise<{ readonly response: IncomingMessage; leave(): void }> {
  const { hostname, port } = new URL(gateway.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: PLAIN,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    request.on('response', (response) => resolve({ response, leave: () => request.destroy() }));
    request.on('error', reject);
    request.end(JSON.stringify(STREAM));
  });
}

test('a failure before the first event is a real status with our body', async () => {
  gateway.completion.handlers.streamCompletion = refusing('INSUFFICIENT_BALANCE');
  const received = await stream();
  expect(received.status).toBe(402);
  expect(received.headers.get('content-type')).toContain('application/json');
  expect(received.json.error).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    type: 'insufficient_quota',
  });
});

test('a failure after the head is one error frame and no end marker', async () => {
  gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    out.write(chunk(delta('Hel')));
    out.write(end(failure('UPSTREAM_ERROR', { message: 'The vendor broke off.' })));
  };
  const { status, text } = await stream();
  expect(status).toBe(200);
  const frames = text.split('\n\n');
  expect(frames.at(-2)).toBe(
    'data: {"success":false,"data":null,"error":{"code":"UPSTREAM_ERROR",' +
      '"message":"The vendor broke off.","type":"upstream_error","param":null},"message":null}',
  );
  expect(frames.at(-1)).toBe('');
  expect(text).not.toContain('[DONE]');
  expect(text).toContain('"Hel"');
});

test('good frames have no error member, no usage, and no line but data', async () => {
  gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    out.write(chunk(delta('Hel'), delta('lo')));
    out.write(end());
  };
  const { text, headers } = await stream();
  expect(text).not.toContain('"error"');
  expect(text).not.toContain('"usage"');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('data: '))).toEqual([]);
  expect(headers.get('x-tollgate-attempts')).toBe('1');
  expect(headers.get('x-tollgate-cost')).toBeNull();
  expect(headers.get('x-tollgate-channel')).toBeNull();
  expect((await stream(operatorKey)).headers.get('x-tollgate-channel')).toBe('chn_1');
});

test('without a first event the headers go out with a comment, and a late failure is a frame', async () => {
  let fail: () => void = () => {};
  gateway.completion.handlers.streamCompletion = () =>
    new Promise((_resolve, reject) => {
      fail = () => reject(new AppError('UPSTREAM_TIMEOUT', { retryable: false }));
    });
  const { response } = await open();
  expect(response.statusCode).toBe(200);
  let text = '';
  response.on('data', (bytes) => {
    text += String(bytes);
  });
  await waitFor(() => text === ': keep-alive\n\n');
  fail();
  await waitFor(() => response.complete);
  expect(text).toContain('"code":"UPSTREAM_TIMEOUT"');
  expect(text).not.toContain('[DONE]');
});

test('a client that leaves cancels its work upstream, streamed or not', async () => {
  const cancelled: string[] = [];
  const untilCancelled = (kind: string, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        cancelled.push(kind);
        reject(new AppError('SERVICE_UNAVAILABLE'));
      });
    });
  gateway.completion.handlers.streamCompletion = (_request, call, out) => {
    out.write(head());
    out.write(chunk(delta('a')));
    return untilCancelled('stream', call.signal);
  };
  gateway.completion.handlers.complete = (_request, call) => untilCancelled('whole', call.signal);
  const opened = await open();
  opened.response.on('error', () => {});
  opened.leave();
  await waitFor(() => cancelled.includes('stream'));

  const before = gateway.completion.calls.length;
  const controller = new AbortController();
  const whole = fetch(`${gateway.baseUrl}${PLAIN}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(CHAT),
    signal: controller.signal,
  }).catch(() => {});
  await waitFor(() => gateway.completion.calls.length > before);
  controller.abort();
  await whole;
  await waitFor(() => cancelled.includes('whole'));
});

test('a client that reads slowly stops the stream upstream, and loses nothing', async () => {
  const total = 3000;
  const text = 'x'.repeat(8192);
  let written = 0;
  gateway.completion.handlers.streamCompletion = async (_request, _call, out) => {
    out.write(head());
    for (written = 0; written < total; written += 1) {
      if (!out.write(chunk(delta(text)))) await out.drained();
    }
    out.write(end());
  };
  const { response } = await open();
  let before = -1;
  await waitFor(() => {
    const stands = written > 0 && written === before;
    before = written;
    return stands;
  });
  expect(written).toBeLessThan(total);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const frames = Buffer.concat(parts).toString().split('\n\n');
  expect(frames).toHaveLength(total + 2);
  expect(frames.at(-2)).toBe('data: [DONE]');
});
