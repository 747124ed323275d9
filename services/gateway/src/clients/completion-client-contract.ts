import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import { answer, chunk, delta, end, failure, head } from '../testing/fake-answers';
import {
  type CompletionHandlers,
  type FakeService,
  startFakeCompletion,
} from '../testing/fake-service';
import type { CompletionCall, CompletionClient, StreamOutcome } from './completion-client';

const CALL: CompletionCall = {
  requestId: 'req_1',
  accountId: 'acc_1',
  traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  deadlineMs: 10_000,
};

/** A request that is valid; the fakes look at `model` alone. */
export function completionInput(model = 'small-chat'): completionV1.CompletionInput {
  return {
    requestId: 'req_1',
    clientRequestId: '',
    caller: undefined,
    model,
    messages: Buffer.from('[{"role":"user","content":"hello"}]'),
    parameters: undefined,
    promptCharacters: 5,
    messageCount: 1,
    deadlineMs: 0,
    traceparent: '',
  };
}

/** Keeps what a stream said. */
function listen() {
  const heads: completionV1.StreamHead[] = [];
  const texts: string[] = [];
  const outcomes: StreamOutcome[] = [];
  return {
    heads,
    texts,
    outcomes,
    onHead: (value: completionV1.StreamHead) => void heads.push(value),
    onChunk: (choices: readonly Buffer[]) => void texts.push(...choices.map(String)),
    onEnd: (outcome: StreamOutcome) => void outcomes.push(outcome),
  };
}

/** What every way of reaching a completion instance promises. */
export function describeCompletionClient(
  name: string,
  connect: (address: string) => CompletionClient,
): void {
  describe(`${name} carries requests`, () => {
    let server: FakeService<CompletionHandlers>;
    let client: CompletionClient;
    beforeEach(async () => {
      server = await startFakeCompletion({});
      client = connect(server.address);
    });
    afterEach(async () => {
      client.close();
      await server.close();
    });

    test('an answer arrives whole, and its context travels with the request', async () => {
      let context: unknown;
      server.handlers.complete = async (_request, { requestId, accountId, traceparent }) => {
        context = { requestId, accountId, traceparent };
        return answer('hi');
      };
      const result = await client.complete(completionInput(), CALL).answer;
      expect(String(result.choices)).toContain('"hi"');
      expect(result.amount).toBe(123_000n);
      const { deadlineMs: _unused, ...expected } = CALL;
      expect(context).toEqual(expected);
    });

    test('a stream delivers head, chunks and end in order', async () => {
      server.handlers.streamCompletion = async (_request, _call, out) => {
        out.write(head({ attempts: 2 }));
        out.write(chunk(delta('a'), delta('b')));
        out.write(chunk(delta('c')));
        out.write(end());
      };
      const heard = listen();
      client.stream(completionInput(), CALL, heard);
      await waitFor(() => heard.outcomes.length > 0);
      expect(heard.heads[0]?.attempts).toBe(2);
      expect(heard.texts.join()).toMatch(/"a".*"b".*"c"/);
      expect(heard.outcomes).toEqual([
        {
          ok: true,
          usage: { promptTokens: 5, completionTokens: 2, totalTokens: 7, cachedTokens: 0 },
          amount: 123_000n,
        },
      ]);
    });

    test('a refusal keeps its row of the error table, its field and its wait', async () => {
      const refusal = new AppError('INSUFFICIENT_BALANCE', { param: 'model', retryAfterMs: 1500 });
      server.handlers.complete = async () => {
        throw refusal;
      };
      server.handlers.streamCompletion = async () => {
        throw refusal;
      };
      const expected = { code: 'INSUFFICIENT_BALANCE', param: 'model', retryAfterMs: 1500 };
      await expect(client.complete(completionInput(), CALL).answer).rejects.toMatchObject(expected);
      const heard = listen();
      client.stream(completionInput(), CALL, heard);
      await waitFor(() => heard.outcomes.length > 0);
      expect(heard.outcomes[0]).toMatchObject({ ok: false, error: expected });
    });

    test('a failure in the last frame is the failure of the stream', async () => {
      server.handlers.streamCompletion = async (_request, _call, out) => {
        out.write(head());
        out.write(end(failure('UPSTREAM_ERROR', { retryable: false })));
      };
      const heard = listen();
      client.stream(completionInput(), CALL, heard);
      await waitFor(() => heard.outcomes.length > 0);
      expect(heard.outcomes).toHaveLength(1);
      expect(heard.outcomes[0]).toMatchObject({
        ok: false,
        error: { code: 'UPSTREAM_ERROR', retryable: false },
      });
    });

    test('a deadline that passes is a time-out that nobody should repeat', async () => {
      server.handlers.complete = () => new Promise(() => {});
      server.handlers.streamCompletion = () => new Promise(() => {});
      const soon = { ...CALL, deadlineMs: 50 };
      const expected = { code: 'UPSTREAM_TIMEOUT', retryable: false };
      await expect(client.complete(completionInput(), soon).answer).rejects.toMatchObject(expected);
      const heard = listen();
      client.stream(completionInput(), soon, heard);
      await waitFor(() => heard.outcomes.length > 0);
      expect(heard.outcomes[0]).toMatchObject({ ok: false, error: expected });
    });

    test('cancelling ends the work upstream', async () => {
      let cancelled = 0;
      const untilCancelled = (call: { readonly signal: AbortSignal }) =>
        new Promise<never>((_resolve, reject) => {
          call.signal.addEventListener('abort', () => {
            cancelled += 1;
            reject(new AppError('SERVICE_UNAVAILABLE'));
          });
        });
      server.handlers.complete = (_request, call) => untilCancelled(call);
      server.handlers.streamCompletion = (_request, call, out) => {
        out.write(head());
        return untilCancelled(call);
      };
      const pending = client.complete(completionInput(), CALL);
      await waitFor(() => server.calls.length === 1);
      pending.cancel();
      await expect(pending.answer).rejects.toBeInstanceOf(AppError);
      const heard = listen();
      const stream = client.stream(completionInput(), CALL, heard);
      await waitFor(() => heard.heads.length === 1);
      stream.cancel();
      await waitFor(() => cancelled === 2 && heard.outcomes.length === 1);
      expect(heard.outcomes[0]).toMatchObject({ ok: false });
    });

    test('a paused stream fills a bounded buffer, delays no other, and goes on', async () => {
      const total = 4000;
      let written = 0;
      server.handlers.streamCompletion = async (_request, _call, out) => {
        out.write(head());
        for (written = 0; written < total; written += 1) {
          if (!out.write(chunk(delta('x'.repeat(4096))))) await out.drained();
        }
        out.write(end());
      };
      server.handlers.complete = async () => answer('quick');
      const slow = listen();
      const stream = client.stream(completionInput(), CALL, slow);
      await waitFor(() => slow.heads.length === 1);
      stream.pause();
      const quick = await client.complete(completionInput(), CALL).answer;
      expect(String(quick.choices)).toContain('quick');
      let before = -1;
      await waitFor(() => {
        const stands = written > 0 && written === before;
        before = written;
        return stands;
      });
      expect(written).toBeLessThan(total);
      stream.resume();
      await waitFor(() => slow.outcomes.length === 1);
      expect(slow.outcomes[0]).toMatchObject({ ok: true });
      expect(slow.texts).toHaveLength(total);
    });

    test('a server that dies fails its requests, and later ones cleanly', async () => {
      server.handlers.complete = () => new Promise(() => {});
      server.handlers.streamCompletion = (_request, _call, out) => {
        out.write(head());
        return new Promise(() => {});
      };
      const pending = client.complete(completionInput(), CALL);
      const failed = expect(pending.answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      const heard = listen();
      client.stream(completionInput(), CALL, heard);
      await waitFor(() => heard.heads.length === 1);
      await server.close();
      await failed;
      await waitFor(() => heard.outcomes.length === 1);
      expect(heard.outcomes[0]).toMatchObject({
        ok: false,
        error: { code: 'SERVICE_UNAVAILABLE' },
      });
      const later = client.complete(completionInput(), CALL);
      await expect(later.answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    });

    test('draining lets what runs finish and takes nothing new', async () => {
      let finish: () => void = () => {};
      server.handlers.complete = () =>
        new Promise((resolve) => {
          finish = () => resolve(answer('late'));
        });
      const pending = client.complete(completionInput(), CALL);
      await waitFor(() => server.calls.length === 1);
      const drained = client.drain(10_000);
      expect(() => client.complete(completionInput(), CALL)).toThrow(AppError);
      finish();
      await expect(pending.answer).resolves.toBeDefined();
      await drained;
    });

    test('what still runs when a drain’s time is up ends with SERVICE_UNAVAILABLE', async () => {
      server.handlers.complete = () => new Promise(() => {});
      server.handlers.streamCompletion = (_request, _call, out) => {
        out.write(head());
        return new Promise(() => {});
      };
      const pending = client.complete(completionInput(), CALL);
      const refused = expect(pending.answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      const stream = listen();
      client.stream(completionInput(), CALL, stream);
      await waitFor(() => server.calls.length === 2 && stream.heads.length === 1);
      await client.drain(1);
      await refused;
      await waitFor(() => stream.outcomes.length === 1);
      expect(stream.outcomes[0]).toMatchObject({
        ok: false,
        error: { code: 'SERVICE_UNAVAILABLE' },
      });
    });
  });
}
