import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { CREDIT_STATUSES } from '@tollgate/core';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@tollgate/testkit';
import type { AnswerPiece, VendorFailure } from '../domain/vendor';
import { joinPieces } from '../testing/read-pieces';
import { piecesOf, type StartedClient, startVendorClient } from '../testing/start-vendor-client';
import { answerJson, beginStream, type VendorScript } from '../testing/vendor-server';

const { signal } = new AbortController();

/** What a vendor of each protocol sends. */
const VENDORS = [
  {
    type: 'anthropic',
    wholePath: '/v1/messages',
    streamPath: '/v1/messages',
    error: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
    finish: '"stop_reason":"tool_use"',
  },
  {
    type: 'gemini',
    wholePath: '/v1/models/vendor-small:generateContent',
    streamPath: '/v1/models/vendor-small:streamGenerateContent?alt=sse',
    error: 'data: {"error":{"code":503,"status":"UNAVAILABLE"}}\n\n',
    finish: '"finishReason":"STOP"',
  },
] as const;

describe.each(VENDORS)('a vendor of the protocol of $type', (vendor) => {
  const { type } = vendor;
  const fixture = (name: string) => readFileSync(join(__dirname, type, '__fixtures__', name));
  const events = fixture('stream-tools.txt')
    .toString()
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => `${event}\n\n`);
  const finishAt = events.findIndex((event) => event.includes(vendor.finish));

  let started: StartedClient;
  let logger: RecordingLogger;
  beforeEach(async () => {
    logger = createRecordingLogger();
    started = await startVendorClient({ type, logger });
  });
  afterEach(() => started.close());

  const ask = (script: VendorScript) => {
    started.vendor.script = script;
    return started.client.stream(started.call({ stream: true }), signal);
  };
  /** The pieces before the end, and how it came. */
  const cutBy = async (script: VendorScript) => {
    const stream = await ask(script);
    const seen: AnswerPiece[] = [];
    for (;;) {
      try {
        const pieces = await stream.next();
        if (pieces === undefined) return { seen, failure: undefined };
        seen.push(...pieces);
      } catch (failure) {
        return { seen, failure: failure as VendorFailure };
      }
    }
  };
  const COMPLETE = {
    text: 'Let me look.',
    calls: [{ name: 'weather' }, { name: 'now', arguments: '{}' }],
    finish: ['tool_calls'],
    usage: { prompt: 90, completion: 44, cached: 0 },
  };

  it.each([1, 7, 64, 100_000])(
    'is read over a real connection in pieces of %i bytes',
    async (size) => {
      const bytes = fixture('stream-tools.txt');
      const stream = await ask((_seen, response) => {
        beginStream(response);
        const send = (from: number): void => {
          if (from >= bytes.length) return void response.end();
          response.write(bytes.subarray(from, from + size));
          setImmediate(() => send(from + size));
        };
        send(0);
      });
      expect(joinPieces(await piecesOf(stream))).toMatchObject(COMPLETE);
      expect(started.vendor.seen[0]?.path).toBe(vendor.streamPath);
      await waitFor(() => started.clock.pendingTimers === 0);
    },
  );

  it('answers in one piece', async () => {
    started.vendor.script = (_seen, response) =>
      answerJson(response, JSON.parse(fixture('completion-tools.json').toString()));
    const answer = await started.client.complete(started.call(), signal);
    expect(answer).toMatchObject({ finishReason: 'tool_calls', usage: { completion: 44 } });
    expect(started.vendor.seen[0]?.path).toBe(vendor.wholePath);
  });

  it('that dies before its first event is a failure that another channel may mend', async () => {
    const die = (response: ServerResponse) => void setImmediate(() => response.destroy());
    const asked = ask((_seen, response) => {
      beginStream(response);
      response.write(': x\n\n', () => die(response));
    });
    await expect(asked).rejects.toMatchObject({ outcome: 'failure', retryElsewhere: true });
  });

  it('that streams an error first is a failure that another channel may mend', async () => {
    const asked = ask((_seen, response) => {
      beginStream(response);
      response.end(vendor.error);
    });
    await expect(asked).rejects.toMatchObject({ outcome: 'failure', retryElsewhere: true });
  });

  it.each([
    ['dies', ''],
    ['streams an error', vendor.error],
    ['streams nonsense', 'data: <html>\n\n'],
  ])('that %s in the middle is cut after what it had said', async (_what, more) => {
    const { seen, failure } = await cutBy((_seen, response) => {
      beginStream(response);
      response.write(events.slice(0, finishAt).join(''), () => {
        response.write(more);
        setImmediate(() => response.destroy());
      });
    });
    expect(joinPieces(seen)).toMatchObject({ text: 'Let me look.', finish: [], usage: undefined });
    expect(failure).toMatchObject({ outcome: 'failure', error: { code: 'UPSTREAM_ERROR' } });
  });

  it('that dies after its finish took nothing from the answer', async () => {
    const { seen, failure } = await cutBy((_seen, response) => {
      beginStream(response);
      response.write(events.slice(0, finishAt + 1).join(''), () => response.destroy());
    });
    expect(failure).toBeUndefined();
    expect(joinPieces(seen)).toMatchObject(COMPLETE);
  });

  it('that says why it refuses, and does not come to an end, is waited for in bounds', async () => {
    const asked = ask((_seen, response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.write('{"error":{');
    });
    const failed = asked.then(
      () => undefined,
      ({ outcome }: VendorFailure) => outcome,
    );
    await waitFor(() => started.vendor.seen[0]);
    let outcome: string | undefined;
    void failed.then((found) => {
      outcome = found;
    });
    await waitFor(async () => {
      await started.clock.advance(1_000);
      return outcome !== undefined;
    });
    expect(outcome).toBe('rate_limited');
    await started.vendor.seen[0]?.gone;
    expect(started.clock.pendingTimers).toBe(0);
  });

  it.each([...CREDIT_STATUSES])(
    'that answers %s because its account has no credit refuses the credential',
    async (status) => {
      const error = { code: 'insufficient_quota', message: 'Insufficient balance' };
      const asked = ask((_seen, response) => answerJson(response, { error }, status));
      await expect(asked).rejects.toMatchObject({
        outcome: 'credential_refused',
        retryElsewhere: true,
      });
    },
  );

  it('that refuses is told to the operator without secrets and without what it quotes', async () => {
    const message =
      'The key a credential of a test (sk-12…89) can’t take 200 tokens: "it’s the caller’s" text.';
    const refusing: VendorScript = (_seen, response) =>
      answerJson(response, { error: { type: 'not_good', status: 'NOT_GOOD', message } }, 400);
    for (let calls = 0; calls < 3; calls += 1) {
      await expect(ask(refusing)).rejects.toMatchObject({
        outcome: 'request_refused',
        error: { code: 'VALIDATION_ERROR' },
        words: { status: 400, error: 'not_good', message: 'The key … … … take 200 tokens: …' },
      });
    }
    await waitFor(() => logger.lines.length > 0);
    const { lines } = logger;
    // One line speaks for a storm of them.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      message: 'a vendor refused a call',
      fields: { channelId: 'chn_1', status: 400, vendorError: 'not_good' },
    });
    expect(lines[0]?.fields.vendorMessage).toBe('The key … … … take 200 tokens: …');
  });

  it('that repeats the prompt without quoting it is told to the operator without it', async () => {
    const message = 'Your prompt was Launch project canary on (day 17), which is too long.';
    started.vendor.script = (_seen, response) =>
      answerJson(response, { error: { type: 'not_good', message } }, 400);
    const messages = Buffer.from('[{"role":"user","content":"Launch project canary on day 17"}]');
    await expect(
      started.client.stream(started.call({ stream: true, messages }), signal),
    ).rejects.toMatchObject({ outcome: 'request_refused' });
    await waitFor(() => logger.lines.length > 0);
    expect(logger.lines[0]?.fields.vendorMessage).toBe(
      'Your prompt was … … … on … … which is too long.',
    );
  });
});
