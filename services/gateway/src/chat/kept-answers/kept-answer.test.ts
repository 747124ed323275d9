import { AppError } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import { required } from '../../routes/asking/required';
import { ROUTES } from '../../routes/table';
import { answer, chunk, delta, end, head, keyText } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';
import { CHAT } from '../../testing/http-client';

let gateway: GatewayUnderTest;
const [key, poorKey, oneKey] = [keyText(1), keyText(2), keyText(3)];
/** Keeps answers as billing does, without its rules. */
let kept: Map<string, { requestId: string; writing: Buffer; answer?: Buffer }>;
let dropped: string[];

const ONCE = { 'idempotency-key': 'once' };
const HEAD = { model: 'small-chat', created: 1_790_000_000n, attempts: 1, channelId: 'chn_1' };
const post = (path: string, body: object = CHAT, headers = {}) =>
  gateway.send('POST', path, { key, body, headers });

beforeAll(async () => {
  gateway = await startGateway();
  gateway.billing.handlers.listPlans = async () => ({
    plans: [
      { id: 'free' },
      { id: 'poor', keepAnswers: false },
      { id: 'one', concurrentRequests: 1 },
    ],
  });
  Object.assign(gateway.billing.handlers, {
    async beginAnswer(request: never) {
      const { idempotencyKey, requestDigest, requestId, writing } = request as {
        [Name in 'idempotencyKey' | 'requestDigest' | 'requestId']: string;
      } & { writing: Buffer };
      const found = kept.get(`${idempotencyKey} ${requestDigest}`);
      if (found?.answer !== undefined) return { requestId: found.requestId, answer: found.answer };
      if (kept.size > 0) throw new AppError('IDEMPOTENCY_MISMATCH');
      kept.set(`${idempotencyKey} ${requestDigest}`, { requestId, writing });
      return {};
    },
    async dropAnswer({ requestId }: { requestId: string }) {
      dropped.push(requestId);
      return {};
    },
    async getAnswer({ requestId }: { requestId: string }) {
      const found = [...kept.values()].find((each) => each.requestId === requestId);
      if (found?.answer === undefined) throw new AppError('NOT_FOUND');
      return { writing: found.writing, answer: found.answer };
    },
  });
  gateway.principals.set(key, {});
  gateway.principals.set(poorKey, { keyId: 'key_2', accountId: 'acc_2', plan: 'poor' });
  gateway.principals.set(oneKey, { keyId: 'key_3', accountId: 'acc_3', plan: 'one' });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  kept = new Map();
  gateway.completion.handlers.explainRoute = async () => ({ model: '', candidates: [] });
  dropped = [];
  gateway.completion.handlers.complete = async ({ input }) => {
    keep(input, { $case: 'whole', value: answer('hello') });
    return answer('hello');
  };
  gateway.completion.handlers.streamCompletion = async ({ input }, _call, out) => {
    const frames = [chunk(delta('hel'), delta('lo')), end()];
    const [, ended] = frames.map(({ frame }) => frame.value);
    const choices = ['hel', 'lo'].map((text) => Buffer.from(JSON.stringify([delta(text)])));
    const value = { head: HEAD, choices, end: ended as completionV1.StreamEnd };
    keep(input, { $case: 'streamed', value });
    out.write(head());
    for (const frame of frames) out.write(frame);
  };
});

/** As completion does before the last frame leaves. */
function keep(
  input: completionV1.CompletionInput | undefined,
  value: completionV1.KeptAnswer['answer'],
): void {
  const found = [...kept.values()].find(({ requestId }) => requestId === input?.requestId);
  if (input?.keeping === undefined || found === undefined) return;
  found.answer = Buffer.from(completionV1.KeptAnswer.encode({ answer: value }).finish());
}

const FORMATS = ROUTES.flatMap(({ path, target }) =>
  target.kind === 'chat' && target.format.document.whole !== true ? [path] : [],
);
const bodyOf = (path: string, stream: boolean) => ({
  ...(path === '/v1/responses' ? { model: 'small-chat', input: 'hello' } : CHAT),
  ...(path === '/v1/messages' ? { max_tokens: 64 } : {}),
  stream,
});

test.each(FORMATS.flatMap((path) => [[path, false] as const, [path, true] as const]))(
  '%s answers the same again, streamed: %s, and is found by its id',
  async (path, stream) => {
    const first = await post(path, bodyOf(path, stream), ONCE);
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const asked = gateway.completion.calls.length;
    const second = await post(path, bodyOf(path, stream), ONCE);
    // Whether it may be asked for still; nothing is made again.
    expect(gateway.completion.calls.slice(asked).map(([name]) => name)).toEqual(['explainRoute']);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    const id = first.headers.get('x-request-id');
    const fetched = await gateway.send('GET', `/v1/requests/${id}/answer`, { key });
    expect(fetched.text).toBe(first.text);
    expect(fetched.headers.get('content-type')).toBe(first.headers.get('content-type'));
  },
);

test('an answer is not given again to a key that lost its model', async () => {
  expect((await post('/v1/chat/completions', CHAT, ONCE)).status).toBe(200);
  gateway.completion.handlers.explainRoute = async () => {
    throw new AppError('FORBIDDEN', { publicMessage: 'This key may not use the model.' });
  };
  const again = await post('/v1/chat/completions', CHAT, ONCE);
  expect([again.status, again.json.error?.code]).toEqual([403, 'FORBIDDEN']);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
});

test.each([
  [{ models: ['small-chat'] }, 200],
  [{ models: ['auto'] }, 200],
  [{ models: ['another'] }, 403],
  [{ accountTerms: { models: ['another'] } }, 403],
])(
  'with the rights %j an answer of a routing name is given again with %s',
  async (rights, status) => {
    const body = { ...CHAT, model: 'auto' };
    const first = await post('/v1/chat/completions', body, ONCE);
    const narrowKey = keyText(10 + gateway.principals.size);
    gateway.principals.set(narrowKey, rights);
    const again = { key: narrowKey, body, headers: ONCE };
    const replayed = await gateway.send('POST', '/v1/chat/completions', again);
    const path = `/v1/requests/${first.headers.get('x-request-id')}/answer`;
    const fetched = await gateway.send('GET', path, { key: narrowKey });
    expect([replayed.status, fetched.status]).toEqual([status, status]);
  },
);

test('vectors are kept, too', async () => {
  const vectors = answer('', { choices: Buffer.from('["AACAPw=="]') });
  gateway.completion.handlers.complete = async ({ input }) => {
    keep(input, { $case: 'whole', value: vectors });
    return vectors;
  };
  const body = { model: 'vectors', input: 'hello' };
  const first = await post('/v1/embeddings', body, ONCE);
  expect(first.json.data).toEqual([{ object: 'embedding', index: 0, embedding: [1] }]);
  const second = await post('/v1/embeddings', body, ONCE);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.text).toBe(first.text);
});

test('a request without the headers is announced to nobody', async () => {
  const before = gateway.billing.calls.length;
  await post('/v1/chat/completions');
  await post('/v1/chat/completions', CHAT, { 'x-tollgate-on-disconnect': 'stop' });
  expect(gateway.billing.calls.slice(before).filter(([name]) => name === 'beginAnswer')).toEqual(
    [],
  );
});

test.each([
  [{ 'idempotency-key': 'a b' }, 'Idempotency-Key'],
  [{ 'x-tollgate-on-disconnect': 'wait' }, 'X-Tollgate-On-Disconnect'],
])('%j is refused by its name', async (headers, param) => {
  const refused = await post('/v1/chat/completions', CHAT, headers);
  expect(refused.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param });
});

test.each([
  [ONCE, true],
  [{ 'x-tollgate-on-disconnect': 'finish' }, true],
  [{ ...ONCE, 'x-tollgate-on-disconnect': 'stop' }, false],
])('%j is finished without its client: %s', async (headers, finish) => {
  await post('/v1/chat/completions', CHAT, headers);
  const [, asked] = gateway.completion.calls.at(-1) ?? [];
  expect(asked).toMatchObject({ input: { keeping: { finish } } });
});

test('what differs in its bytes or in its bound is another request', async () => {
  const path = '/v1/chat/completions';
  await post(path, CHAT, ONCE);
  for (const [body, headers] of [
    [{ ...CHAT, temperature: 1 }, ONCE],
    [CHAT, { ...ONCE, 'x-tollgate-max-cost': '1.00' }],
  ] as const) {
    expect(await post(path, body, headers)).toMatchObject({ status: 422 });
  }
  expect(await post('/v1/llm/chat/completions', CHAT, ONCE)).toMatchObject({ status: 422 });
});

/** How many clients have left before their answer was whole. */
const countGone = async () =>
  /chat_broken\S*client_gone\S* (\d+)/.exec(await gateway.exposeMetrics())?.[1] ?? '0';

/** What the bodies of requests hold. */
const countBodyBytes = async () =>
  Number(/^tollgate_gateway_body_bytes (\d+)$/m.exec(await gateway.exposeMetrics())?.[1]);

/** A request of a client that goes away when it is told to. */
function startToLeave(body: object, headers: Readonly<Record<string, string>>) {
  const leaving = new AbortController();
  const asked = fetch(`${gateway.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    signal: leaving.signal,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${oneKey}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  return {
    async leave() {
      leaving.abort();
      await expect(asked).rejects.toThrow();
    },
  };
}

test.each([false, true])(
  'an answer without its client takes its place until it is made, streamed: %s',
  async (stream) => {
    const { promise: made, resolve: make } = Promise.withResolvers<void>();
    const { complete, streamCompletion } = gateway.completion.handlers;
    let asked = false;
    gateway.completion.handlers.complete = async (...ask) => {
      asked = true;
      await made;
      return required(complete)(...ask);
    };
    gateway.completion.handlers.streamCompletion = async (...ask) => {
      asked = true;
      await made;
      return required(streamCompletion)(...ask);
    };
    const before = await countGone();
    const leaving = startToLeave({ ...CHAT, stream }, { 'x-tollgate-on-disconnect': 'finish' });
    await waitFor(() => asked);
    await leaving.leave();
    await waitFor(async () => (await countGone()) !== before);
    Object.assign(gateway.completion.handlers, { complete, streamCompletion });
    const next = () => gateway.send('POST', '/v1/chat/completions', { key: oneKey, body: CHAT });
    expect(await next()).toMatchObject({ status: 429 });
    expect(await countBodyBytes()).toBeGreaterThan(0);
    make();
    await waitFor(async () => (await next()).status === 200);
    await waitFor(async () => (await countBodyBytes()) === 0);
  },
);

test.each([
  ['Idempotency-Key', ONCE],
  ['X-Tollgate-On-Disconnect', { 'x-tollgate-on-disconnect': 'finish' }],
])('%s is refused where too much would be repeated with the answer', async (param, headers) => {
  const body = { model: 'small-chat', input: 'hello', instructions: 'x'.repeat(300_000) };
  const refused = await post('/v1/responses', body, headers);
  expect(refused.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param });
  expect(kept.size).toBe(0);
  expect(await post('/v1/responses', body)).toMatchObject({ status: 200 });
});

test('a plan may keep no answers', async () => {
  const request = { key: poorKey, body: CHAT, headers: ONCE };
  const refused = await gateway.send('POST', '/v1/chat/completions', request);
  expect(refused).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
});

test('a request whose announcement got no answer frees its key, however often that takes', async () => {
  const { beginAnswer, dropAnswer } = gateway.billing.handlers;
  let failing = 2;
  Object.assign(gateway.billing.handlers, {
    async beginAnswer(...asked: Parameters<NonNullable<typeof beginAnswer>>) {
      await beginAnswer?.(...asked);
      throw new AppError('DATABASE_ERROR');
    },
    async dropAnswer({ requestId }: { requestId: string }) {
      failing -= 1;
      if (failing >= 0) throw new AppError('DATABASE_ERROR');
      for (const [id, each] of kept) if (each.requestId === requestId) kept.delete(id);
      return {};
    },
  });
  const refused = await post('/v1/chat/completions', CHAT, ONCE);
  expect(refused.status).toBeGreaterThanOrEqual(500);
  expect(kept.size).toBe(1);
  await waitFor(() => kept.size === 0);
  Object.assign(gateway.billing.handlers, { beginAnswer, dropAnswer });
  expect(await post('/v1/chat/completions', CHAT, ONCE)).toMatchObject({ status: 200 });
});

test('a request that no frame can carry frees its key', async () => {
  // Each becomes four bytes in the arguments of a call, whose JSON stands in JSON.
  const input = { text: '\\'.repeat(4_000_000) };
  const called = { type: 'tool_use', id: 'call_1', name: 'write', input };
  const messages = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [called] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'done' }] },
  ];
  const refused = await post('/v1/messages', { ...CHAT, max_tokens: 64, messages }, ONCE);
  expect(refused.status).toBe(413);
  await waitFor(() => dropped.length > 0);
});

test('who leaves while it is announced has gone, and is nobody who could not be served', async () => {
  const before = await countGone();
  const { beginAnswer } = gateway.billing.handlers;
  const { promise: isAway, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  gateway.billing.handlers.beginAnswer = async () => {
    asked();
    await isAway;
    return {};
  };
  const leaving = startToLeave(CHAT, ONCE);
  await isAsked;
  await leaving.leave();
  await waitFor(async () =>
    /^tollgate_gateway_requests_in_flight 0$/m.test(await gateway.exposeMetrics()),
  );
  goOn();
  await waitFor(() => dropped.length > 0);
  await waitFor(async () => (await countGone()) !== before);
  Object.assign(gateway.billing.handlers, { beginAnswer });
});

test('an announcement waits for billing no longer than other calls of it', async () => {
  const environment = { TOLLGATE_GATEWAY_CONTROL_DEADLINE_MS: '300' };
  const silent = await startGateway({ environment });
  silent.principals.set(key, {});
  const { promise: isAway, resolve: goOn } = Promise.withResolvers<object>();
  silent.billing.handlers.beginAnswer = () => isAway;
  const sent = { key, body: CHAT, headers: ONCE };
  const refused = await silent.send('POST', '/v1/chat/completions', sent);
  expect(refused.status).toBeGreaterThanOrEqual(500);
  goOn({});
  await silent.stop();
});

test('a refused announcement takes nothing back', async () => {
  await post('/v1/chat/completions', CHAT, ONCE);
  const refused = await post('/v1/chat/completions', { ...CHAT, temperature: 1 }, ONCE);
  expect(refused.status).toBe(422);
  expect(dropped).toEqual([]);
});

test('an answer is given again to an account that may have no more requests at completion', async () => {
  const small = await startGateway({
    environment: { TOLLGATE_GATEWAY_COMPLETION_IN_FLIGHT_MAX: '1' },
  });
  const { billing, completion } = small;
  const { beginAnswer } = gateway.billing.handlers;
  Object.assign(billing.handlers, { beginAnswer });
  small.principals.set(key, {});
  const ask = (headers = {}) =>
    small.send('POST', '/v1/chat/completions', { key, body: CHAT, headers });
  completion.handlers.complete = required(gateway.completion.handlers.complete);
  completion.handlers.explainRoute = async () => ({ model: '', candidates: [] });
  expect(await ask(ONCE)).toMatchObject({ status: 200 });
  const { promise: made, resolve: make } = Promise.withResolvers<void>();
  let isAsked = false;
  completion.handlers.complete = async () => {
    isAsked = true;
    await made;
    return answer('late');
  };
  const running = ask();
  await waitFor(() => isAsked);
  expect(await ask()).toMatchObject({ status: 503 });
  expect(await ask(ONCE)).toMatchObject({ status: 200 });
  make();
  expect(await running).toMatchObject({ status: 200 });
  await small.stop();
});

test('a request that no instance began may be sent again', async () => {
  gateway.completion.drain();
  await waitFor(async () => {
    kept.clear();
    await post('/v1/chat/completions', CHAT, ONCE);
    return dropped.length > 0;
  });
});
