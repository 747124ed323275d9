import type { ServerResponse } from 'node:http';
import { waitFor } from '@tollgate/testkit';
import {
  type CompletionFixture,
  exampleInput,
  startCompletionFixture,
} from '../testing/completion-fixture';
import { openSession } from '../testing/session-client';
import {
  beginStream,
  DONE_CHUNK,
  FINISH_CHUNK,
  sse,
  textChunk,
  USAGE_CHUNK,
  VENDOR_USAGE,
  type VendorScript,
} from '../testing/vendor-server';

let fixture: CompletionFixture;
let session: ReturnType<typeof openSession>;
beforeAll(async () => {
  fixture = await startCompletionFixture();
  await waitFor(() => fixture.service.readiness().ready);
  session = openSession(fixture.gateway);
});
afterAll(() => fixture.close());

async function stream(input = exampleInput()) {
  return { requestId: input.requestId, ...(await session.stream(input)) };
}

/** The settled record of a request, in the words of the topic. */
async function recordOf(requestId: string): Promise<Record<string, unknown>> {
  const records = fixture.billing.applied as unknown as Record<string, unknown>[];
  return waitFor(() => records.find((record) => record.request_id === requestId));
}

const CHUNKS = [textChunk('One '), textChunk('two '), textChunk('three.')];

/** Sends the parts of a good stream up to `count`; when they are out, does what the test says. */
function partly(count: number, parts: readonly string[], then: (response: ServerResponse) => void) {
  const script: VendorScript = (_seen, response) => {
    beginStream(response);
    const role = sse({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
    response.write([role, ...parts.slice(0, count)].join(''), () => then(response));
  };
  return script;
}

describe('a vendor that misbehaves', () => {
  const complete = [...CHUNKS, FINISH_CHUNK];
  const all = (...more: string[]) =>
    partly(99, [...complete, ...more], (response) => response.end());

  it.each([
    ['no usage', all(DONE_CHUNK), 'counted'],
    ['no [DONE]', all(USAGE_CHUNK), 'exact'],
    ['neither', all(), 'counted'],
    ['usage twice', all(USAGE_CHUNK, USAGE_CHUNK, DONE_CHUNK), 'exact'],
    ['[DONE] twice', all(USAGE_CHUNK, DONE_CHUNK, DONE_CHUNK), 'exact'],
    [
      'usage before the text',
      partly(99, [USAGE_CHUNK, ...complete, DONE_CHUNK], (response) => response.end()),
      'exact',
    ],
    ['negative usage', all(usageOf(-5, 3), DONE_CHUNK), 'counted'],
    ['absurd usage', all(usageOf(12, 10 ** 9), DONE_CHUNK), 'counted'],
    ['zero usage', all(usageOf(0, 0), DONE_CHUNK), 'counted'],
    [
      'a reset after the last token',
      partly(99, [...complete, USAGE_CHUNK], (response) => response.destroy()),
      'exact',
    ],
  ])('with %s still gives a complete answer that is charged', async (_what, script, source) => {
    fixture.vendor.script = script;
    const { requestId, texts, end } = await stream();
    expect(end.failure).toBeUndefined();
    expect(texts.at(-1)).toBe('[{"index":0,"delta":{},"finish_reason":"stop"}]');
    const record = await recordOf(requestId);
    expect(record).toMatchObject({ status: 'succeeded', reason: 'stop', source });
    expect(record.amount).toBe(end.amount);
    expect(end.amount).toBeGreaterThan(0n);
    if (source === 'exact') {
      expect(record.prompt_tokens).toBe(VENDOR_USAGE.prompt_tokens);
      expect(record.completion_tokens).toBe(VENDOR_USAGE.completion_tokens);
    }
  });

  it.each([
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['ends early', (response: ServerResponse) => response.end()],
    [
      'sends an error',
      (response: ServerResponse) => response.end(sse({ error: { message: 'no' } })),
    ],
    ['sends HTML', (response: ServerResponse) => response.end('data: <html>\n\n')],
    ['sends a line of 10 MB', (response: ServerResponse) => response.end('x'.repeat(10 << 20))],
  ])(
    'and %s in the middle gets an error frame, and what was delivered is charged',
    async (_what, then) => {
      fixture.vendor.script = partly(2, CHUNKS, then);
      const { requestId, texts, end } = await stream();
      expect(end.failure).toMatchObject({ code: 'UPSTREAM_ERROR', retryable: false });
      expect(texts.some((choices) => choices.includes('finish_reason":"stop'))).toBe(false);
      expect(await recordOf(requestId)).toMatchObject({
        status: 'failed',
        reason: 'vendor_gone',
        source: 'partial',
        amount: end.amount,
        failed_attempts: expect.stringContaining('"outcome":"failure"') as unknown,
      });
      expect(end.amount).toBeGreaterThan(0n);
    },
  );

  it('is not charged for when nothing was delivered', async () => {
    fixture.vendor.script = partly(0, [], (response) => response.destroy());
    const { requestId, end } = await stream();
    expect(end).toMatchObject({ amount: 0n, failure: { code: 'UPSTREAM_ERROR' } });
    expect(await recordOf(requestId)).toMatchObject({ amount: 0n, source: 'none' });
  });

  it('with HTML and status 200 is a plain error before anything leaves', async () => {
    fixture.vendor.script = (_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>please log in</html>');
    };
    await expect(stream()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });
});

function usageOf(prompt: number, completion: number): string {
  return sse({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } });
}

describe('a client that goes away', () => {
  const matrix = [0, 1, 2, 3].flatMap((chunks) =>
    [undefined, usageOf(12, 3), usageOf(0, 0), usageOf(-1, -1), usageOf(10 ** 9, 10 ** 9)].map(
      (usage, index) => [chunks, index, usage] as const,
    ),
  );

  it.each(matrix)(
    'after chunk %s (usage %s) ends the vendor call and pays for what it got',
    async (chunks, _index, usage) => {
      let received = 0;
      fixture.vendor.script = partly(chunks, CHUNKS, (response) => {
        if (usage !== undefined) response.write(usage);
      });
      const before = fixture.vendor.seen.length;
      const input = exampleInput();
      void session.stream(input, (choices, cancel) => {
        received += choices.length;
        // The role frame comes first.
        if (received === chunks + 1) cancel();
      });
      await (await waitFor(() => fixture.vendor.seen[before])).gone;
      const record = await recordOf(input.requestId);
      expect(record).toMatchObject({ status: 'failed', reason: 'client_gone' });
      const delivered = chunks > 0;
      expect(record.source).toBe(delivered ? 'partial' : 'none');
      expect((record.amount as bigint) > 0n).toBe(delivered);
    },
  );
});
