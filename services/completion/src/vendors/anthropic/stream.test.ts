import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findChangingCuts, inChunks, joinPieces, readPieces } from '../../testing/read-pieces';
import { exampleCall, failureIn } from '../../testing/vendor-call';
import { createStreamReader } from './stream';

const BOUNDS = { lineBytesMax: 10_000, retryAfterMsMax: 60_000 };
const fixture = (name: string) => readFileSync(join(__dirname, '__fixtures__', name));
const open = () => createStreamReader(BOUNDS, exampleCall());
const event = (value: { readonly type: string; readonly [member: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const START = event({
  type: 'message_start',
  message: { usage: { input_tokens: 9, output_tokens: 1 } },
});
const BLOCK = event({
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'text', text: 'Hi' },
});
const errorEvent = (type: string, message = 'x') =>
  event({ type: 'error', error: { type, message } });

const ROLE = '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]';
const failureOf = (text: string) => failureIn(() => readPieces(open(), [Buffer.from(text)]));

it('becomes one role piece, the thoughts, the text, the counts and one finish', () => {
  const pieces = readPieces(open(), [fixture('stream-text.txt')]);
  const kinds = ['prompt', ...Array<string>(5).fill('delta'), 'usage', 'finish'];
  expect(pieces.map(({ kind }) => kind)).toEqual(kinds);
  expect(pieces[0]).toMatchObject({ usage: { prompt: 30, cached: 7 } });
  expect(pieces[1]).toMatchObject({
    choices: Buffer.from(ROLE),
  });
  expect(joinPieces(pieces)).toEqual({
    thoughts: 'They greet me.',
    // Its text are the thoughts before it.
    signed: [{ type: 'thinking', thinking: '', signature: 'c2lnbmVk' }],
    text: 'Grüße 👋 "world"',
    calls: [],
    finish: ['stop'],
    // The vendor counts its cache beside the prompt, and what it thought in the answer.
    usage: { prompt: 30, completion: 15, cached: 7, cacheWrite: 3 },
  });
});

it('passes the calls of tools on, side by side, with their arguments as they come', () => {
  const pieces = readPieces(open(), [fixture('stream-tools.txt')]);
  expect(joinPieces(pieces)).toEqual({
    thoughts: '',
    signed: [],
    text: 'Let me look.',
    calls: [
      { id: 'toolu_fixture_1', name: 'weather', arguments: '{"town": "Zürich"}' },
      // A tool without parameters has an empty object.
      { id: 'toolu_fixture_2', name: 'now', arguments: '{}' },
    ],
    finish: ['tool_calls'],
    usage: { prompt: 90, completion: 44, cached: 0 },
  });
  const texts = pieces.map((piece) => (piece.kind === 'delta' ? piece.text : ''));
  expect(texts.join('')).toBe('Let me look.weather{"town": "Zürich"}now{}');
});

it('passes on what its vendor keeps to itself, and signatures of thoughts that it does not show', () => {
  const begin = (index: number, content_block: object) =>
    event({ type: 'content_block_start', index, content_block });
  const delta = (index: number, members: object) =>
    event({ type: 'content_block_delta', index, delta: members });
  const text =
    START +
    begin(0, { type: 'redacted_thinking', data: 'sealed' }) +
    begin(1, { type: 'thinking', thinking: '', signature: '' }) +
    delta(1, { type: 'signature_delta', signature: 'one' }) +
    begin(2, { type: 'thinking', thinking: 'Said', signature: 'two' });
  expect(joinPieces(readPieces(open(), [Buffer.from(text)]))).toMatchObject({
    thoughts: 'Said',
    signed: [
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'thinking', thinking: '', signature: 'one' },
      { type: 'thinking', thinking: '', signature: 'two' },
    ],
    text: '',
  });
});

it.each(['stream-text.txt', 'stream-tools.txt'])('reads %s the same wherever it is cut', (name) => {
  const read = (chunks: readonly Buffer[]) => readPieces(open(), chunks);
  expect(findChangingCuts(fixture(name), read)).toEqual([]);
});

it('reads the same in any pieces, with CRLF and pings anywhere', () => {
  const text = fixture('stream-tools.txt').toString();
  const whole = readPieces(open(), [Buffer.from(text)]);
  const pinged = text.replaceAll('\n\n', '\n\nevent: ping\ndata: {"type":"ping"}\n\n: x\n\n');
  const bytes = Buffer.from(pinged.replaceAll('\n', '\r\n'));
  fc.assert(
    fc.property(inChunks(bytes), (chunks) => expect(readPieces(open(), chunks)).toEqual(whole)),
  );
});

it('has not begun at its start event, so that another channel may still be tried', () => {
  const reader = open();
  reader.push(Buffer.from(`${START}event: ping\ndata: {"type":"ping"}\n\n`), []);
  expect(reader.progress).toBe('none');
  reader.push(Buffer.from(BLOCK), []);
  expect(reader.progress).toBe('begun');
});

it.each([
  ['text', { type: 'text_delta', text: 'Hi' }],
  ['a signature', { type: 'signature_delta', signature: 'c2ln' }],
])('%s of a block that was never begun is refused, and may be asked elsewhere', (_what, delta) => {
  const text = START + event({ type: 'content_block_delta', index: 0, delta });
  expect(failureOf(text)).toMatchObject({ outcome: 'failure', retryElsewhere: true });
  const later = event({ type: 'content_block_delta', index: 1, delta });
  expect(failureOf(START + BLOCK + later)).toMatchObject({ error: { retryable: false } });
});

const THOUGHT = { type: 'thinking', thinking: '', signature: '' };

it.each([
  ['signatures', 'c2ln'],
  ['long signatures', 'c2ln'.repeat(1000)],
])('ends what goes on with %s for longer than was asked for', (_what, signature) => {
  const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 10 }));
  const delta = { type: 'signature_delta', signature };
  const block = event({ type: 'content_block_start', index: 0, content_block: THOUGHT });
  const signed = event({ type: 'content_block_delta', index: 0, delta });
  const pieces = readPieces(reader, [Buffer.from(START + block + signed.repeat(4))]);
  expect(pieces.filter(({ kind }) => kind === 'delta')).toHaveLength(5);
  const failure = failureIn(() => readPieces(reader, [Buffer.from(signed.repeat(300))]));
  expect(failure.error.message).toContain('signed more');
});

it('passes on what is signed of long thoughts, and a thought that is kept from the client', () => {
  const reader = createStreamReader(
    { ...BOUNDS, lineBytesMax: 100_000 },
    exampleCall({ maxTokens: 2000 }),
  );
  const data = 'c2ln'.repeat(15_000);
  const redacted = { type: 'redacted_thinking', data };
  const block = event({ type: 'content_block_start', index: 0, content_block: redacted });
  const pieces = readPieces(reader, [Buffer.from(START + block)]);
  expect(joinPieces(pieces).signed).toEqual([redacted]);
});

it.each([
  ['overloaded_error', 'failure', 'UPSTREAM_ERROR', true],
  ['api_error', 'failure', 'UPSTREAM_ERROR', true],
  ['constructor', 'failure', 'UPSTREAM_ERROR', true],
  ['rate_limit_error', 'rate_limited', 'SERVICE_UNAVAILABLE', true],
  ['authentication_error', 'credential_refused', 'UPSTREAM_ERROR', true],
  ['invalid_request_error', 'request_refused', 'VALIDATION_ERROR', false],
])('an %s before the answer is a %s', (type, outcome, code, retryElsewhere) => {
  const failure = failureOf(START + errorEvent(type));
  expect(failure).toMatchObject({ outcome, retryElsewhere, error: { code } });
  expect(failure.error.message).not.toContain('"x"');
});

it('an error before the answer means what it means in a refusal', () => {
  const meaningOf = (type: string, message: string) => failureOf(START + errorEvent(type, message));
  expect(
    meaningOf('invalid_request_error', 'Your credit balance is too low to access the API.'),
  ).toMatchObject({ outcome: 'credential_refused', error: { retryable: false } });
  expect(meaningOf('invalid_request_error', 'prompt is too long: 9 > 8')).toMatchObject({
    outcome: 'request_refused',
    error: { code: 'CONTEXT_LENGTH_EXCEEDED' },
  });
  expect(meaningOf('permission_error', 'This is against our usage policies.')).toMatchObject({
    outcome: 'request_refused',
    error: { code: 'CONTENT_POLICY' },
  });
});

it('a streamed limit lasts no longer than limits may', () => {
  const reader = createStreamReader({ ...BOUNDS, retryAfterMsMax: 0 }, exampleCall());
  const limited = [Buffer.from(START + errorEvent('rate_limit_error'))];
  expect(failureIn(() => readPieces(reader, limited)).error.retryAfterMs).toBe(0);
});

it('an error within the answer is no invitation to try again', () => {
  const failure = failureOf(START + BLOCK + errorEvent('overloaded_error'));
  expect(failure).toMatchObject({ outcome: 'failure', error: { retryable: false } });
});

it.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['something of later', 'stop'],
])('that stops with %s has the finish reason %s', (stop_reason, reason) => {
  const end = event({ type: 'message_delta', delta: { stop_reason }, usage: null });
  const pieces = readPieces(open(), [Buffer.from(START + BLOCK + end)]);
  expect(joinPieces(pieces).finish).toEqual([reason]);
});

it('does not count an answer by the count at its start', () => {
  const end = (usage: object | null) =>
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
  const usagesOf = (usage: object | null) =>
    readPieces(open(), [Buffer.from(START + BLOCK + end(usage))]).filter(
      ({ kind }) => kind === 'usage',
    );
  expect(usagesOf(null)).toEqual([]);
  expect(usagesOf({ input_tokens: 9 })).toEqual([]);
  expect(usagesOf({ output_tokens: 5 })).toMatchObject([{ usage: { prompt: 9, completion: 5 } }]);
});

it('without its last event is finished, and without its finish only begun', () => {
  const text = fixture('stream-text.txt').toString();
  const progressOf = (upTo: string) => {
    const reader = open();
    readPieces(reader, [Buffer.from(text.slice(0, text.indexOf(upTo)))]);
    return reader.progress;
  };
  expect(progressOf('event: message_stop')).toBe('finished');
  expect(progressOf('event: message_delta')).toBe('begun');
});
