import { createSystemClock, silentLogger } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import { createAnswerRoom } from '../domain/answer-room';
import {
  type CompletionFixture,
  exampleInput,
  startCompletionFixture,
} from '../testing/completion-fixture';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import { MemoryDisk, openMemorySpool } from '../testing/memory-disk';
import { openSession } from '../testing/session-client';
import { beginStream, sse, textChunk } from '../testing/vendor-server';
import { keepAnswers } from './announced-handlers';

let fixture: CompletionFixture;
beforeEach(async () => {
  fixture = await startCompletionFixture();
  await waitFor(() => fixture.service.readiness().ready);
});
afterEach(() => fixture.close());

const [finish, stop] = [{ keeping: { finish: true } }, { keeping: { finish: false } }];
const keptOf = (requestId: string) => {
  const bytes = fixture.billing.answers.get(requestId);
  return bytes === undefined ? undefined : completionV1.KeptAnswer.decode(bytes).answer;
};

it('keeps an answer before whoever asked has all of it', async () => {
  const { complete, stream, session } = openSession(fixture.gateway);
  const [whole, streamed] = [exampleInput(finish), exampleInput(finish)];
  const answer = await complete(whole);
  expect(keptOf(whole.requestId)).toEqual({ $case: 'whole', value: answer });
  const { texts, end } = await stream(streamed);
  const kept = keptOf(streamed.requestId);
  expect(kept).toMatchObject({ $case: 'streamed', value: { end, head: { model: 'small' } } });
  const choices = kept?.$case === 'streamed' ? kept.value.choices.map(String) : [];
  expect(choices).toEqual(texts);
  session.end();
});

it('keeps nothing of a request that did not ask for it, and drops one that failed', async () => {
  const { complete, session } = openSession(fixture.gateway);
  await complete(exampleInput());
  const failed = exampleInput({ ...finish, model: 'unknown' });
  await expect(complete(failed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect([...fixture.billing.answers]).toEqual([[failed.requestId, undefined]]);
  session.end();
});

it('drops a stream that broke off and was charged nothing', async () => {
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(sse({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }));
    response.end(sse({ error: { message: 'overloaded', code: 503 } }));
  };
  const { stream, session } = openSession(fixture.gateway);
  const broken = exampleInput(finish);
  const { end } = await stream(broken);
  expect(end).toMatchObject({ amount: 0n, failure: { code: expect.any(String) as string } });
  expect([...fixture.billing.answers]).toEqual([[broken.requestId, undefined]]);
  session.end();
});

it('keeps and drops in the end though billing fails, and holds no client up for it', async () => {
  const { complete, session } = openSession(fixture.gateway);
  const kept = exampleInput(finish);
  fixture.billing.answersFail = Number.POSITIVE_INFINITY;
  const answer = await complete(kept);
  expect(fixture.billing.answers.has(kept.requestId)).toBe(false);
  fixture.billing.answersFail = 1;
  await waitFor(() => fixture.billing.answers.has(kept.requestId));
  expect(keptOf(kept.requestId)).toEqual({ $case: 'whole', value: answer });
  fixture.billing.answersFail = 1;
  const failed = exampleInput({ ...finish, model: 'unknown' });
  await expect(complete(failed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await waitFor(() => fixture.billing.answers.has(failed.requestId));
  session.end();
});

/** A stream that goes on when the test says so, of which somebody asked and left. */
async function leaveInTheMiddle(keeping: typeof finish): Promise<{ id: string; goOn: () => void }> {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  fixture.vendor.script = async (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
    await promise;
    response.end(`${textChunk(' world')}data: [DONE]\n\n`);
  };
  const { open, kinds, session } = openSession(fixture.gateway);
  const input = exampleInput(keeping);
  open(input, true);
  await waitFor(() => kinds(1).includes('chunk'));
  // As a gateway that is killed: the session breaks.
  session.cancel();
  return { id: input.requestId, goOn };
}

it('finishes what shall be finished though its gateway is gone', async () => {
  const { id, goOn } = await leaveInTheMiddle(finish);
  goOn();
  await waitFor(() => fixture.billing.answers.has(id));
  const kept = keptOf(id);
  const choices = kept?.$case === 'streamed' ? kept.value.choices.map(String).join('') : '';
  expect(choices).toContain(' world');
  expect(kept).toMatchObject({ value: { end: { failure: undefined } } });
});

it('ends at the vendor what shall stop, and keeps how far it came', async () => {
  const { id } = await leaveInTheMiddle(stop);
  await fixture.vendor.seen[0]?.gone;
  await waitFor(() => fixture.billing.answers.has(id));
  const kept = keptOf(id);
  expect(kept).toMatchObject({
    $case: 'streamed',
    value: { end: { failure: expect.anything() as object } },
  });
});

/** A request whose END the disk refuses; it is answered as if nothing had been charged. */
async function failAtItsEnd(disk: MemoryDisk) {
  const spool = await openMemorySpool({ disk, clock: createSystemClock() });
  spool.addLease({ accountId: 'acc_1', lease: 1 }, 1);
  const dropped: string[] = [];
  const keptAnswers = {
    keep: () => Promise.reject(new Error('there is no answer')),
    drop: async (_accountId: string, requestId: string) => void dropped.push(requestId),
  };
  const start = exampleStart();
  const handlers = keepAnswers(
    { keptAnswers, answerRoom: createAnswerRoom(1_000, 'held'), logger: silentLogger, spool },
    {
      async complete() {
        await spool.begin(start);
        disk.failNext('fdatasync');
        await spool.end(start.requestId, exampleOutcome());
        throw new Error('the disk took it');
      },
      stream: () => Promise.reject(new Error('no stream')),
    },
  );
  const input = exampleInput({ ...finish, requestId: start.requestId });
  // Of a call nothing is read but its signal.
  const call = { signal: new AbortController().signal } as never;
  await expect(handlers.complete(input, call)).rejects.toThrow('the usage spool cannot be written');
  disk.kill();
  const again = await openMemorySpool({ disk, clock: createSystemClock() });
  const record = again.takeBatch(10).find(({ kind }) => kind === 'usage');
  return { dropped, charged: record?.kind === 'usage' ? record.amount : undefined };
}

it('holds the key of a request that may be charged at the restart, and of no other', async () => {
  expect(await failAtItsEnd(new MemoryDisk())).toEqual({ dropped: ['req_1'], charged: 0n });
  const broken = new MemoryDisk();
  broken.failNext('truncate');
  expect(await failAtItsEnd(broken)).toEqual({ dropped: [], charged: exampleOutcome().amount });
});

const NOTHING = Buffer.alloc(0);

/** Handlers that keep whatever is answered, whose room for answers is the test's. */
function startKeeping(bytesMax: number, streamed: readonly Buffer[], whole = Buffer.alloc(0)) {
  const kept: number[] = [];
  const heldThen: number[] = [];
  const answerRoom = createAnswerRoom(bytesMax, 'held');
  const keptAnswers = {
    async keep(_accountId: string, _requestId: string, answer: Buffer) {
      heldThen.push(answerRoom.heldBytes);
      kept.push(answer.length);
    },
    drop: () => Promise.reject(new Error('nothing is to be dropped')),
  };
  const spool = { mayChargeRefused: false, poisonedBy: undefined };
  const handlers = keepAnswers(
    { keptAnswers, answerRoom, logger: silentLogger, spool },
    {
      complete: async () => ({
        ...completionV1.CompleteResponse.decode(NOTHING),
        choices: whole,
      }),
      async stream(_input, _call, out) {
        for (const choices of streamed) {
          out.chunk([choices]);
          heldThen.push(answerRoom.heldBytes);
        }
        out.end(completionV1.StreamEnd.decode(NOTHING));
      },
    },
  );
  // Of a call nothing is read but its signal.
  const call = { signal: new AbortController().signal } as never;
  const chunk = jest.fn(() => true);
  const out = { head() {}, chunk, drained: async () => {}, end: jest.fn() };
  return { call, chunk, answerRoom, heldThen, input: exampleInput(finish), handlers, kept, out };
}

it('counts what it remembers of a stream among the answers that are held', async () => {
  const parts = [Buffer.alloc(300), Buffer.alloc(300)];
  const { call, answerRoom, heldThen, input, handlers, kept, out } = startKeeping(10_000, parts);
  await handlers.stream(input, call, out);
  expect(heldThen).toEqual([300, 600, kept[0]]);
  expect(kept[0]).toBeGreaterThan(600);
  expect(answerRoom.heldBytes).toBe(0);
});

it('passes a stream on that there is no room to remember, and keeps nothing of it', async () => {
  const parts = [Buffer.alloc(300), Buffer.alloc(800), Buffer.alloc(300)];
  const { call, chunk, heldThen, input, handlers, kept, out } = startKeeping(1_000, parts);
  await handlers.stream(input, call, out);
  expect(chunk).toHaveBeenCalledTimes(3);
  expect(out.end).toHaveBeenCalledTimes(1);
  expect([kept, heldThen]).toEqual([[0], [300, 0, 0, 0]]);
});

it('does not copy a whole answer that is longer than what is kept', async () => {
  const whole = Buffer.alloc(2 * 1024 * 1024);
  const { call, input, handlers, kept } = startKeeping(1_000, [], whole);
  const encode = jest.spyOn(completionV1.KeptAnswer, 'encode');
  expect(await handlers.complete(input, call)).toMatchObject({ choices: whole });
  expect(kept).toEqual([0]);
  expect(encode).not.toHaveBeenCalled();
  encode.mockRestore();
});
