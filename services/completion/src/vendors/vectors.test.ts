import { createFakeClock, waitFor } from '@tollgate/testkit';
import type { VendorCall, VendorCompletion } from '../domain/vendor';
import { startVendorClient } from '../testing/start-vendor-client';
import { exampleCall } from '../testing/vendor-call';
import { answerJson } from '../testing/vendor-server';
import { geminiEmbeddings } from './gemini/index';
import { openaiEmbeddings } from './openai/index';
import { createVectorReader, type VectorReader } from './vectors';

const TEXTS = Array.from({ length: 100 }, (_, index) => `text ${index}`);
const VECTORS = TEXTS.map((_, index) =>
  Array.from({ length: 1536 }, (__, place) => Math.sin(index * 1536 + place)),
);
const CALL = exampleCall({
  messages: Buffer.from(JSON.stringify(TEXTS)),
  embedding: { dimensions: undefined, inputs: TEXTS.length },
});
const DATA = VECTORS.map((embedding, index) => ({ index, embedding }));
const ANSWER = { data: DATA, usage: { prompt_tokens: 300, total_tokens: 300 } };

/** Of a client that stays. */
const STAYS = new AbortController().signal;

/** Compared as bytes: a matcher looks at each of a million. */
function expectSame(
  { choices, ...others }: VendorCompletion,
  { choices: expected, ...expectedOthers }: VendorCompletion,
): void {
  expect(choices.equals(expected)).toBe(true);
  expect(others).toEqual(expectedOthers);
}

let reader: VectorReader;
beforeEach(() => {
  reader = createVectorReader(createFakeClock());
});
afterEach(() => reader.close());

it('reads three megabytes as they are read at once, and lets its owner go on meanwhile', async () => {
  const body = Buffer.from(JSON.stringify(ANSWER));
  let isRead = false;
  const read = reader.read(body, CALL, STAYS).finally(() => {
    isRead = true;
  });
  let ticks = 0;
  while (!isRead) {
    await new Promise((resolve) => setImmediate(resolve));
    ticks += 1;
  }
  expect(ticks).toBeGreaterThan(10);
  expectSame(await read, openaiEmbeddings.parseCompletion(body, CALL));
});

it('reads what Gemini answers', async () => {
  const { candidate } = CALL;
  const channel = { ...candidate.channel, type: 'gemini' as const };
  const call: VendorCall = { ...CALL, candidate: { ...candidate, channel } };
  const body = Buffer.from(JSON.stringify({ embeddings: VECTORS.map((values) => ({ values })) }));
  expectSame(await reader.read(body, call, STAYS), geminiEmbeddings.parseCompletion(body, call));
});

it('reads nothing of a vendor that has no embeddings', async () => {
  const { candidate } = CALL;
  const channel = { ...candidate.channel, type: 'anthropic' as const };
  const call: VendorCall = { ...CALL, candidate: { ...candidate, channel } };
  const failure = { outcome: 'failure', message: 'the vendor has no embeddings' };
  const body = Buffer.from(JSON.stringify(ANSWER));
  await expect(reader.read(body, call, STAYS)).rejects.toMatchObject(failure);
});

it('says what is wrong with an answer, and reads the next one', async () => {
  const none = Buffer.from(JSON.stringify({ data: DATA.slice(1) }));
  const failure = { outcome: 'failure', message: 'the vendor answered another number of vectors' };
  await expect(reader.read(none, CALL, STAYS)).rejects.toMatchObject(failure);
  const body = Buffer.from(JSON.stringify(ANSWER));
  await expect(reader.read(body, CALL, STAYS)).resolves.toMatchObject({ usage: { prompt: 300 } });
});

it('holds it against no vendor, and asks no other, when its thread gives no answer', async () => {
  const read = reader.read(Buffer.from(JSON.stringify(ANSWER)), CALL, STAYS);
  const ownFault = { outcome: 'aborted', retryElsewhere: false, error: { retryable: false } };
  const refused = expect(read).rejects.toMatchObject(ownFault);
  await reader.close();
  await refused;
});

it('lets accounts take turns, however many bodies of one wait', async () => {
  const body = Buffer.from(JSON.stringify(ANSWER));
  const read: string[] = [];
  const ask = async (accountId: string) => {
    await reader.read(body, { ...CALL, accountId }, STAYS);
    read.push(accountId);
  };
  await Promise.all([ask('many'), ask('many'), ask('many'), ask('one')]);
  expect(read).toEqual(['many', 'many', 'one', 'many']);
});

it('reads no body of a client that left while it waited', async () => {
  const body = Buffer.from(JSON.stringify(ANSWER));
  const leaving = new AbortController();
  let isFirstRead = false;
  const first = reader.read(body, CALL, STAYS).finally(() => {
    isFirstRead = true;
  });
  const left = reader.read(body, CALL, leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ outcome: 'aborted', retryElsewhere: false });
  expect(isFirstRead).toBe(false);
  await first;
});

it('a body that waits to be read gives way to an answer that needs its room', async () => {
  // Reads nothing: each body waits until it is cut.
  const read: VectorReader['read'] = (_body, _call, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const bounds = { answerBytesMax: 150_000, heldBytesMax: 200_000 };
  const started = await startVendorClient({ ...bounds, vectors: { read } });
  const { rooms, client, vendor } = started;
  const leaving = new AbortController();
  const { embedding, messages } = CALL;
  const embed = (bytes: number, signal: AbortSignal) => {
    vendor.script = (_seen, response) => answerJson(response, 'x'.repeat(bytes));
    return client.complete(started.call({ embedding, messages }), signal);
  };
  try {
    const longest = expect(embed(100_000, STAYS)).rejects.toMatchObject({ outcome: 'aborted' });
    await waitFor(() => rooms.answers.heldBytes > 99_000);
    const other = expect(embed(80_000, leaving.signal)).rejects.toBeDefined();
    await waitFor(() => rooms.answers.heldBytes > 179_000);
    const choices = [{ index: 0, message: { content: 'x'.repeat(40_000) }, finish_reason: 'stop' }];
    vendor.script = (_seen, response) => answerJson(response, { choices });
    const { release } = await client.complete(started.call(), STAYS);
    await longest;
    release?.();
    leaving.abort();
    await other;
    expect(rooms.answers.heldBytes).toBe(0);
  } finally {
    await started.close();
  }
});

it.each([
  ['is answered', 4_000_000],
  ['is too long where its vectors are longer than an answer may be', 500_000],
])('a long answer of a vendor %s, and is held no longer', async (_what, answerBytesMax) => {
  const bounds = { answerBytesMax, heldBytesMax: 8_000_000 };
  const started = await startVendorClient(bounds);
  try {
    const { embedding, messages } = CALL;
    // Short numbers: their base64 is longer.
    const data = VECTORS.map((values, index) => ({ index, embedding: values.map(() => 1) }));
    started.vendor.script = (_seen, response) => answerJson(response, { ...ANSWER, data });
    const { signal } = new AbortController();
    const answering = started.client.complete(started.call({ embedding, messages }), signal);
    if (answerBytesMax < 1_000_000) {
      await expect(answering).rejects.toMatchObject({ error: { code: 'UPSTREAM_ERROR' } });
    } else {
      const { choices, release } = await answering;
      expect(JSON.parse(choices.toString())).toHaveLength(TEXTS.length);
      release?.();
    }
    expect(started.rooms.answers.heldBytes).toBe(0);
  } finally {
    await started.close();
  }
});
