import type { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import {
  type CompletionFixture,
  exampleInput,
  startCompletionFixture,
} from './testing/completion-fixture';
import { openSession } from './testing/session-client';
import { answerJson, answerShortly, beginStream, textChunk } from './testing/vendor-server';

let fixture: CompletionFixture;
let session: ReturnType<typeof openSession>;
beforeEach(async () => {
  fixture = await startCompletionFixture();
  await waitFor(() => fixture.service.readiness().ready);
  session = openSession(fixture.gateway);
});
afterEach(() => fixture.close());

const spent = () => fixture.billing.applied.reduce((sum, record) => sum + amountOf(record), 0n);
const amountOf = (record: object) => ('amount' in record ? (record.amount as bigint) : 0n);

it('answers in one piece and charges the vendor’s usage', async () => {
  const answer = await session.complete(exampleInput());
  expect(JSON.parse(answer.choices.toString())).toEqual([
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ]);
  expect(answer).toMatchObject({ model: 'small', amount: 18n, attempts: 1, channelId: 'chn_1' });
  expect(answer.usage).toMatchObject({ promptTokens: 12, completionTokens: 3, totalTokens: 15 });
});

it('streams role, text, end and counts in our own frames', async () => {
  const { texts, end } = await session.stream(exampleInput());
  expect(texts).toEqual([
    '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]',
    '[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]',
    '[{"index":0,"delta":{"content":" there"},"finish_reason":null}]',
    '[{"index":0,"delta":{},"finish_reason":"stop"}]',
  ]);
  expect(end).toMatchObject({ amount: 18n, failure: undefined });
});

it('of 200 parallel requests with money for one answers one and refuses 199 with 402', async () => {
  const maxTokens = 100;
  fixture.vendor.script = (_seen, response) => {
    const message = { role: 'assistant', content: 'x '.repeat(maxTokens) };
    const usage = { prompt_tokens: 12, completion_tokens: maxTokens };
    answerJson(response, { choices: [{ message, finish_reason: 'length' }], usage });
  };
  // 47 bytes of prompt are estimated at 24 + 8 + 8 tokens; one and two nano-units a token.
  fixture.billing.setAvailable('acc_1', 40n + 200n);
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      session.complete(exampleInput({ parameters: { maxTokens } })),
    ),
  );
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(199);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
});

it('of 200 parallel requests without max_tokens never charges more than the balance', async () => {
  fixture.billing.setAvailable('acc_1', 5_000n);
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, () => session.complete(exampleInput())),
  );
  await fixture.service.drain?.(10_000);
  expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true);
  expect(spent()).toBeLessThanOrEqual(5_000n);
  expect(fixture.billing.availableOf('acc_1')).toBe(5_000n - spent());
  expect(fixture.billing.leases.size).toBe(0);
});

it('lets running answers finish when it stops, then closes every lease', async () => {
  const script = answerShortly;
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  fixture.vendor.script = async (seen, response) => {
    asked.resolve();
    await release.promise;
    await script(seen, response);
  };
  const running = session.stream(exampleInput());
  await asked.promise;
  const drained = fixture.service.drain?.(10_000);
  await expect(session.complete(exampleInput())).rejects.toMatchObject({ code: 'not begun' });
  release.resolve();
  expect((await running).end).toMatchObject({ amount: 18n });
  await drained;
  expect(fixture.billing.leases.size).toBe(0);
});

it('ends what does not finish in time with an error frame and tells what is unsettled', async () => {
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
  };
  const running = session.stream(exampleInput());
  await waitFor(() => fixture.vendor.seen.length > 0);
  fixture.billing.away = true;
  await expect(fixture.service.drain?.(4_000)).rejects.toThrow('not settled');
  expect((await running).end.failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('explains a choice without calling anyone, and names channels to operators only', async () => {
  const input = exampleInput({ model: 'auto-cheap' });
  const asked = await fixture.gateway.explainRoute({ input, nameChannels: false });
  expect(asked).toMatchObject({ model: 'small', candidates: [{ rank: 1, eligible: true }] });
  expect(asked.candidates[0]).toMatchObject({ channelId: '', channelName: '' });
  const named = await fixture.gateway.explainRoute({ input, nameChannels: true });
  expect(named.candidates[0]).toMatchObject({ channelId: 'chn_1', channelName: 'channel 1' });
  const caller = { ...exampleInput().caller, operator: true } as completionV1.Caller;
  const told = await fixture.gateway.explainRoute({
    nameChannels: false,
    input: { ...input, caller },
  });
  expect(told.candidates[0]).toMatchObject({ channelId: 'chn_1', channelName: 'channel 1' });
  expect(fixture.vendor.seen).toHaveLength(0);
});

it('answers texts with vectors and charges the vendor’s count of them, or ours', async () => {
  const vectors = [0.5, -1.25].map((each) => [each, 0, 1]);
  let usage: object | undefined = { prompt_tokens: 7, total_tokens: 7 };
  fixture.vendor.script = (_seen, response) => {
    const data = vectors.map((embedding, index) => ({ index, embedding })).reverse();
    answerJson(response, { data, usage });
  };
  const ask = () =>
    session.complete(
      exampleInput({
        model: 'vectors',
        messageCount: 2,
        embedding: { dimensions: 3 },
        messages: Buffer.from('["one two","three"]'),
      }),
    );
  const answer = await ask();
  expect(fixture.vendor.seen[0]).toMatchObject({
    path: '/v1/embeddings',
    text: '{"model":"vendor-vectors","encoding_format":"base64","input":["one two","three"],"dimensions":3}',
  });
  const given = (JSON.parse(answer.choices.toString()) as string[]).map((each) => [
    ...new Float32Array(new Uint8Array(Buffer.from(each, 'base64')).buffer),
  ]);
  expect(given).toEqual(vectors);
  expect(answer).toMatchObject({ model: 'vectors', amount: 7n });
  expect(answer.usage).toMatchObject({ promptTokens: 7, completionTokens: 0, totalTokens: 7 });
  usage = undefined;
  // A token a word.
  expect((await ask()).amount).toBe(3n);
});

it.each(['small', 'auto'])('refuses to embed by %s', async (model) => {
  const embedding = { dimensions: undefined };
  const messages = Buffer.from('["one"]');
  const asked = session.complete(exampleInput({ model, messages, embedding }));
  await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(session.complete(exampleInput({ model: 'vectors' }))).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect((await session.complete(exampleInput({ model: 'auto' }))).model).toBe('small');
});

it('counts the tokens of a prompt without calling or charging anyone', async () => {
  const messages = Buffer.from('[{"role":"user","content":"one two three four five"}]');
  const counted = await fixture.gateway.countTokens({ input: exampleInput({ messages }) });
  // A token a word, four around the message and three around the prompt.
  expect(counted.promptTokens).toBe(5 + 4 + 3);
  expect(fixture.vendor.seen).toHaveLength(0);
});

it('says how long a vendor may take where its channel does not', async () => {
  expect(await fixture.gateway.getDefaultTimeouts({})).toEqual({
    connectMs: 5_000,
    headMs: 60_000,
    wholeHeadMs: 180_000,
    firstTokenMs: 60_000,
    idleMs: 60_000,
    totalMs: 600_000,
  });
});

it('tells which requests run, of whom, where, and what is reserved for them', async () => {
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
  };
  const { gateway, vendor } = fixture;
  const input = exampleInput({ clientRequestId: 'my-own-77' });
  const number = session.open(input, true);
  await waitFor(() => vendor.seen.length > 0);
  const find = (accountId: string, name = '') => gateway.listActiveRequests({ accountId, name });
  const running = await find('acc_1');
  expect(running).toMatchObject({
    count: 1,
    requests: [
      {
        requestId: input.requestId,
        clientRequestId: 'my-own-77',
        accountId: 'acc_1',
        keyId: input.caller?.keyId,
        requestedModel: 'small',
        model: 'small',
        channelId: 'chn_1',
        attempts: 1,
      },
    ],
  });
  expect(running.reserved).toBeGreaterThan(0n);
  expect(running.requests[0]?.reserved).toBe(running.reserved);
  expect(await find('', 'my-own-77')).toEqual(running);
  expect(await find('', input.requestId)).toEqual(running);
  const nothing = { requests: [], count: 0, reserved: 0n };
  expect(await find('acc_2')).toEqual(nothing);
  expect(await find('acc_1', 'another')).toEqual(nothing);
  session.act(number, { $case: 'cancel', value: true });
  await waitFor(async () => (await find('acc_1')).count === 0);
});

it('tells routing how the channels do', async () => {
  await session.complete(exampleInput());
  const [report] = await waitFor(() => (fixture.reports.length > 0 ? fixture.reports : undefined));
  expect(report).toMatchObject({
    channelId: 'chn_1',
    model: 'small',
    kind: 'OUTCOME_KIND_SUCCESS',
    count: 1,
  });
});
