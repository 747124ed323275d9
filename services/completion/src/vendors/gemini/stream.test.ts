import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findChangingCuts, inChunks, joinPieces, readPieces } from '../../testing/read-pieces';
import { exampleCall, failureIn } from '../../testing/vendor-call';
import { createStreamReader } from './stream';

const BOUNDS = { lineBytesMax: 10_000, retryAfterMsMax: 60_000 };
const fixture = (name: string) => readFileSync(join(__dirname, '__fixtures__', name));
const open = (choices = 1) => createStreamReader(BOUNDS, exampleCall({ choices }));
const event = (value: unknown) => Buffer.from(`data: ${JSON.stringify(value)}\r\n\r\n`);
const candidate = (text: string, finishReason?: string, index?: number) => ({
  content: { role: 'model', parts: [{ text }] },
  ...(finishReason === undefined ? {} : { finishReason }),
  ...(index === undefined ? {} : { index }),
});

it('becomes one role piece, the thoughts, the text, one finish and the counts', () => {
  const pieces = readPieces(open(), [fixture('stream-text.txt')]);
  const kinds = ['delta', 'delta', 'prompt', 'delta', 'delta', 'finish', 'usage'];
  expect(pieces.map(({ kind }) => kind)).toEqual(kinds);
  expect(pieces[2]).toMatchObject({ usage: { prompt: 30, cached: 7 } });
  expect(joinPieces(pieces)).toEqual({
    thoughts: 'They greet me.',
    signed: [],
    text: 'Grüße 👋 "world"',
    calls: [],
    finish: ['stop'],
    // Thoughts are generated, and charged as such.
    usage: { prompt: 30, completion: 15, cached: 7, reasoning: 6 },
  });
});

it('passes the calls of tools on, side by side, each with an id', () => {
  expect(joinPieces(readPieces(open(), [fixture('stream-tools.txt')]))).toEqual({
    thoughts: '',
    signed: [],
    text: 'Let me look.',
    calls: [
      { id: 'call_req_1_0_0', name: 'weather', arguments: '{"town":"Zürich"}' },
      { id: 'given_by_vendor', name: 'now', arguments: '{}' },
    ],
    finish: ['tool_calls'],
    usage: { prompt: 90, completion: 44, cached: 0, reasoning: 10 },
  });
});

it.each(['stream-text.txt', 'stream-tools.txt'])('reads %s the same wherever it is cut', (name) => {
  const read = (chunks: readonly Buffer[]) => readPieces(open(), chunks);
  expect(findChangingCuts(fixture(name), read)).toEqual([]);
});

it('reads the same in any pieces, with CRLF and comments', () => {
  const text = fixture('stream-tools.txt').toString();
  const whole = readPieces(open(), [Buffer.from(text)]);
  const bytes = Buffer.from(`: x\r\n\r\n${text.replaceAll('\n', '\r\n')}`);
  fc.assert(
    fc.property(inChunks(bytes), (chunks) => expect(readPieces(open(), chunks)).toEqual(whole)),
  );
});

it('keeps the candidates of n apart', () => {
  const reader = open(2);
  const pieces = readPieces(reader, [
    event({ candidates: [candidate('a'), candidate('b', undefined, 1)] }),
    event({ candidates: [candidate('c', 'STOP', 1)] }),
    event({ candidates: [candidate('d', 'MAX_TOKENS', 0)] }),
  ]);
  expect(joinPieces(pieces, 0)).toMatchObject({ text: 'ad', finish: ['length'] });
  expect(joinPieces(pieces, 1)).toMatchObject({ text: 'bc', finish: ['stop'] });
  expect(reader.progress).toBe('finished');
});

it('beside an answer that was not asked for is counted by its vendor', () => {
  const both = [candidate('a', 'STOP'), candidate('b', 'STOP', 1)];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5 };
  const pieces = readPieces(open(), [event({ candidates: both, usageMetadata })]);
  expect(joinPieces(pieces)).toMatchObject({
    text: 'a',
    finish: ['stop'],
    usage: { prompt: 10, completion: 5 },
  });
});

it('whose prompt is blocked ends as filtered, with what the vendor counted', () => {
  const pieces = readPieces(open(), [
    event({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 12 } }),
  ]);
  expect(joinPieces(pieces)).toEqual({
    thoughts: '',
    signed: [],
    text: '',
    calls: [],
    finish: ['content_filter'],
    usage: { prompt: 12, completion: 0, cached: 0 },
  });
});

it('whose last event counts nothing is counted by no earlier event but for its prompt', () => {
  const running = { promptTokenCount: 12, candidatesTokenCount: 1, cachedContentTokenCount: 8 };
  const pieces = readPieces(open(), [
    event({ candidates: [candidate('One ')], usageMetadata: running }),
    event({ candidates: [candidate('two three.', 'STOP')] }),
  ]);
  expect(pieces.map(({ kind }) => kind)).not.toContain('usage');
  expect(pieces.find(({ kind }) => kind === 'prompt')).toMatchObject({
    usage: { prompt: 12, cached: 8 },
  });
});

it.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['OTHER', 'stop'],
])('that ends with %s has the finish reason %s', (finishReason, reason) => {
  const pieces = readPieces(open(), [event({ candidates: [candidate('x', finishReason)] })]);
  expect(joinPieces(pieces).finish).toEqual([reason]);
});

it.each([
  [503, 'failure', true],
  [429, 'rate_limited', true],
  [400, 'request_refused', false],
])('an error with code %s before the answer is a %s', (code, outcome, retryElsewhere) => {
  const failing = [event({ error: { code, message: 'secret' } })];
  const failure = failureIn(() => readPieces(open(), failing));
  expect(failure).toMatchObject({ outcome, retryElsewhere });
});

it('an error before the answer means what it means in a refusal', () => {
  const meaningOf = (error: object) =>
    failureIn(() => readPieces(open(), [event({ error: { message: 'x', ...error } })]));
  expect(meaningOf({ code: 429, message: 'Your prepayment credits are depleted.' })).toMatchObject({
    outcome: 'credential_refused',
    error: { retryable: false },
  });
  expect(
    meaningOf({ code: 400, message: 'The input token count (9) exceeds the maximum number.' }),
  ).toMatchObject({ outcome: 'request_refused', error: { code: 'CONTEXT_LENGTH_EXCEEDED' } });
  expect(meaningOf({ message: 'Your prepayment credits are depleted.' })).toMatchObject({
    outcome: 'credential_refused',
  });
  const retryDelay = { details: [{ retryDelay: '37s' }] };
  expect(meaningOf({ code: 429, ...retryDelay }).error.retryAfterMs).toBe(37_000);
  expect(meaningOf({ code: 400, details: [{ reason: 'API_KEY_INVALID' }] })).toMatchObject({
    outcome: 'credential_refused',
  });
});

it.each([
  ['an error', { error: { code: 503 } }],
  ['a candidate that was not asked for', { candidates: [candidate('x', undefined, 1)] }],
])('with %s in its middle fails, and nobody is told to try again', (_what, broken) => {
  const reader = open();
  reader.push(event({ candidates: [candidate('Hi')] }), []);
  expect(failureIn(() => reader.push(event(broken), []))).toMatchObject({
    outcome: 'failure',
    error: { retryable: false },
  });
});
