import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, silentLogger } from '@tollgate/core';
import type { SpanOptions, Tracing } from '@tollgate/observability';
import { createFakeClock } from '@tollgate/testkit';
import { createHttpExchange } from './exchange';
import { createExchangeObserver } from './observe-exchange';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const OURS = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';

function setUp(logSample: number, tracing?: Tracing) {
  const lines: Record<string, unknown>[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const logger = { ...silentLogger, info: at('info'), warn: at('warn') };
  const statuses: number[] = [];
  const answered = (_route: string, status: number) => void statuses.push(status);
  const metrics = { opened() {}, closed() {}, answered };
  const observe = createExchangeObserver({
    metrics,
    logger,
    clock: createFakeClock(),
    tracing,
    logSample,
  });
  const answer = (
    status: number,
    error?: AppError,
    headersSent = true,
    wrongPath = '',
    ignored?: string,
  ) => {
    const response = Object.assign(new EventEmitter(), {
      statusCode: status,
      writableFinished: headersSent,
      headersSent,
      destroy() {},
    });
    const request = { method: 'POST', headers: { traceparent: PARENT }, originalUrl: wrongPath };
    // Of both sides no more is read than what stands here.
    const exchange = createHttpExchange(
      request as unknown as IncomingMessage,
      response as ServerResponse,
      true,
    );
    observe(exchange, wrongPath === '' ? '/v1/chat/completions' : 'unmatched');
    exchange.principal = { accountId: 'acc_1', keyId: 'key_1' };
    exchange.ignored = ignored;
    if (error !== undefined) exchange.sendFailure(error);
    response.emit('close');
    return exchange;
  };
  return { lines, statuses, answer };
}

test('a path that nobody serves is told by its plain words', () => {
  const { lines, answer } = setUp(1000);
  answer(404, new AppError('NOT_FOUND'), true, '/v1/v1/chat/tg_live_0s3cret?key=x');
  answer(404, new AppError('NOT_FOUND'), true, '/v1/keys/sk-abc/embeddings');
  expect(lines.map(({ path }) => path)).toEqual(['/v1/v1/chat/*', '/v1/keys/*/embeddings']);
});

test('every refused and failed request has a line with its code', () => {
  const { lines, answer } = setUp(1000);
  answer(200);
  lines.length = 0;
  answer(402, new AppError('INSUFFICIENT_BALANCE'));
  answer(404);
  answer(200, new AppError('UPSTREAM_ERROR'));
  expect(lines.map(({ status, code }) => [status, code])).toEqual([
    [402, 'INSUFFICIENT_BALANCE'],
    [404, undefined],
    [200, 'UPSTREAM_ERROR'],
  ]);
});

test('a client that left before the head of its answer got no 200, and that is no fault of ours', () => {
  const { answer, lines, statuses } = setUp(1000);
  answer(200, undefined, false);
  expect(statuses).toEqual([499]);
  expect(lines).toMatchObject([{ level: 'info', status: 499, code: undefined, whole: false }]);
});

test('the line of a refusal has who was refused, the member at fault and what the client was told', () => {
  const { lines, answer } = setUp(1000);
  const refused = { param: 'max_tokens', publicMessage: 'max_tokens must be at most 10.' };
  answer(400, new AppError('VALIDATION_ERROR', refused));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      status: 400,
      code: 'VALIDATION_ERROR',
      accountId: 'acc_1',
      keyId: 'key_1',
      param: 'max_tokens',
      message: 'max_tokens must be at most 10.',
    }),
  ]);
});

test('a fault of ours is one line too: a warning, with what the client was not told', () => {
  const { lines, answer } = setUp(1000);
  const away = new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'no route table yet' });
  answer(503, away);
  answer(503, new AppError('SERVICE_UNAVAILABLE'));
  const broken = new AppError('INTERNAL_ERROR', { cause: new Error('a bug') });
  answer(500, broken);
  const message = new AppError('SERVICE_UNAVAILABLE').publicMessage;
  expect(lines).toMatchObject([
    { level: 'warn', code: 'SERVICE_UNAVAILABLE', detail: 'no route table yet', message },
    { level: 'warn', code: 'SERVICE_UNAVAILABLE', message },
    { level: 'warn', code: 'INTERNAL_ERROR', error: broken },
  ]);
  expect(lines[1]).not.toHaveProperty('detail');
  expect(lines[1]).not.toHaveProperty('error');
});

test.each([
  [1, 10],
  [5, 2],
])('of ten successes a sample of %i logs %i', (logSample, expected) => {
  const { lines, answer } = setUp(logSample);
  for (let request = 0; request < 10; request += 1) answer(200);
  expect(lines).toHaveLength(expected);
});

test('a span continues the client’s trace, goes on to the next hop, and ends with the code', () => {
  const spans: { name: string; options: SpanOptions | undefined; ended: unknown[] }[] = [];
  const tracing: Tracing = {
    enabled: true,
    startSpan(name, options) {
      const ended: unknown[] = [];
      spans.push({ name, options, ended });
      return { traceparent: OURS, setAttributes() {}, end: (code) => void ended.push(code) };
    },
    shutdown: async () => {},
  };
  const { answer } = setUp(1, tracing);
  const exchange = answer(402, new AppError('INSUFFICIENT_BALANCE'));
  expect(exchange.traceparent).toBe(OURS);
  expect(spans).toMatchObject([
    {
      name: 'POST /v1/chat/completions',
      options: { traceparent: PARENT, kind: 'server' },
      ended: ['INSUFFICIENT_BALANCE'],
    },
  ]);
});

test('the line of a request names the members that were ignored', () => {
  const { lines, answer } = setUp(1);
  const told = 'ignored: max_token, did you mean max_tokens';
  answer(200, undefined, true, '', told);
  answer(200);
  expect(lines.map(({ notUnderstood }) => notUnderstood)).toEqual([told, undefined]);
});
