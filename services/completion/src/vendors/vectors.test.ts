import { createFakeClock } from '@tollgate/testkit';
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
  const read = reader.read(body, CALL).finally(() => {
    isRead = true;
  });
  let turns = 0;
  while (!isRead) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(10);
  expectSame(await read, openaiEmbeddings.parseCompletion(body, CALL));
});

it('reads what Gemini answers', async () => {
  const { candidate } = CALL;
  const channel = { ...candidate.channel, type: 'gemini' as const };
  const call: VendorCall = { ...CALL, candidate: { ...candidate, channel } };
  const body = Buffer.from(JSON.stringify({ embeddings: VECTORS.map((values) => ({ values })) }));
  expectSame(await reader.read(body, call), geminiEmbeddings.parseCompletion(body, call));
});

it('reads nothing of a vendor that has no embeddings', async () => {
  const { candidate } = CALL;
  const channel = { ...candidate.channel, type: 'anthropic' as const };
  const call: VendorCall = { ...CALL, candidate: { ...candidate, channel } };
  const failure = { outcome: 'failure', message: 'the vendor has no embeddings' };
  const body = Buffer.from(JSON.stringify(ANSWER));
  await expect(reader.read(body, call)).rejects.toMatchObject(failure);
});

it('says what is wrong with an answer, and reads the next one', async () => {
  const none = Buffer.from(JSON.stringify({ data: DATA.slice(1) }));
  const failure = { outcome: 'failure', message: 'the vendor answered another number of vectors' };
  await expect(reader.read(none, CALL)).rejects.toMatchObject(failure);
  const body = Buffer.from(JSON.stringify(ANSWER));
  await expect(reader.read(body, CALL)).resolves.toMatchObject({ usage: { prompt: 300 } });
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
    expect(started.budgets.answers.heldBytes).toBe(0);
  } finally {
    await started.close();
  }
});
