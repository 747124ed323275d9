import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type AnswerPiece, VendorFailure } from '../../domain/vendor';
import { findChangingCuts, inChunks, joinPieces, readPieces } from '../../testing/read-pieces';
import { exampleCall } from '../../testing/vendor-call';
import { createStreamReader } from './stream';

const BOUNDS = { lineBytesMax: 10_000, retryAfterMsMax: 60_000 };
const fixture = (name: string) => readFileSync(join(__dirname, '__fixtures__', name));

const readAll = (chunks: readonly Buffer[]) =>
  readPieces(createStreamReader(BOUNDS, exampleCall({ choices: 2 })), chunks);

const read = (text: string | Buffer) => readAll([Buffer.from(text)]);
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const textEvent = (content: string, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const textOf = (pieces: readonly AnswerPiece[]) =>
  pieces.map((piece) => (piece.kind === 'delta' ? piece.text : '')).join('');
const kinds = (pieces: readonly AnswerPiece[]) => pieces.map((piece) => piece.kind);

/** Tool calls in which nothing but the depth is wrong. */
function nested(depth: number): object {
  const parameter: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  return { tool_calls: [{ parameter }] };
}

const INDICES = ['1e999', '-1', '0.5', '2', '"0"'];
/** Five characters become twenty-one. */
const LONG = { tool_calls: Array.from({ length: 1_000 }, () => 1e20) };

const USUAL = ['delta', 'delta', 'delta', 'finish', 'usage'];

describe('a vendor’s stream', () => {
  it('becomes one role piece, the text, one finish piece and the counts', () => {
    const pieces = readAll([fixture('stream-usual.txt')]);
    expect(kinds(pieces)).toEqual(USUAL);
    expect(
      pieces.flatMap((piece) => ('choices' in piece ? [piece.choices.toString()] : [])),
    ).toEqual([
      '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]',
      '[{"index":0,"delta":{"content":"Grüße"},"finish_reason":null}]',
      '[{"index":0,"delta":{"content":" 👋 world"},"finish_reason":null}]',
      '[{"index":0,"delta":{},"finish_reason":"stop"}]',
    ]);
    expect(pieces[4]).toMatchObject({ usage: { prompt: 9, completion: 5, cached: 4 } });
  });

  it('is the same with the padding that its vendor adds to each event', () => {
    const padded = fixture('stream-padded.txt').toString();
    const pieces = read(padded);
    expect(pieces).toEqual(read(padded.replaceAll(/,"obfuscation":"\w+"/g, '')));
    expect(textOf(pieces)).toBe('Grüße 👋 world, and "you".');
    expect(kinds(pieces).slice(-2)).toEqual(['finish', 'usage']);
  });

  it.each(['stream-usual.txt', 'stream-thoughts.txt', 'stream-padded.txt'])(
    'reads %s the same wherever the network cuts it, also within a character',
    (name) => {
      expect(findChangingCuts(fixture(name), readAll)).toEqual([]);
    },
  );

  it('reads the same in any number of pieces, with CRLF and comments', () => {
    const text = fixture('stream-usual.txt').toString();
    const crlf = Buffer.from(`: hello\r\n\r\n${text.replaceAll('\n', '\r\n')}`);
    const whole = readAll([Buffer.from(text)]);
    fc.assert(fc.property(inChunks(crlf), (chunks) => expect(readAll(chunks)).toEqual(whole)));
  });

  it('passes tool calls on and counts their arguments', () => {
    const pieces = readAll([fixture('stream-tools.txt')]);
    expect(textOf(pieces)).toBe('weather{"city":"Oslo"}');
    expect(pieces.find((piece) => piece.kind === 'finish')).toMatchObject({ reason: 'tool_calls' });
  });

  it('passes arguments that its vendor writes as an object on as text', () => {
    const called = {
      index: 0,
      id: 'c1',
      function: { name: 'weather', arguments: { city: 'Oslo' } },
    };
    const choices = [{ index: 0, delta: { tool_calls: [called] } }];
    const pieces = read(`data: ${JSON.stringify({ choices })}\n\n`);
    expect(textOf(pieces)).toBe('weather{"city":"Oslo"}');
    expect(joinPieces(pieces).calls).toMatchObject([{ arguments: '{"city":"Oslo"}' }]);
  });

  it.each(['reasoning_content', 'reasoning'])('passes thoughts on that it calls %s', (name) => {
    const text = fixture('stream-thoughts.txt').toString();
    const pieces = read(text.replaceAll('"reasoning_content"', `"${name}"`));
    expect(joinPieces(pieces)).toEqual({
      thoughts: 'They greet "me".',
      signed: [],
      text: 'Grüße 👋 world',
      calls: [],
      finish: ['stop'],
      usage: { prompt: 9, completion: 11, cached: 4, cacheWrite: undefined, reasoning: 6 },
    });
    expect(textOf(pieces)).toBe('They greet "me".Grüße 👋 world');
    expect(pieces[1]).toMatchObject({
      choices: Buffer.from(
        '[{"index":0,"delta":{"reasoning_content":"They"},"finish_reason":null}]',
      ),
    });
  });

  it('has thoughts among its count though its vendor counts them beside it', () => {
    const { usage } = joinPieces(read(fixture('stream-thoughts-beside.txt')));
    expect(usage).toMatchObject({ prompt: 12, completion: 387, cached: 4, reasoning: 386 });
  });

  it('passes a thought on once that it says under both names, or as a part of its content', () => {
    const said = [
      { reasoning: 'Hm', reasoning_content: 'Hm', content: '' },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: ', yes.' }] }] },
      { content: [{ type: 'text', text: 'Hi' }] },
    ];
    const pieces = read(said.map((delta) => event({ choices: [{ index: 0, delta }] })).join(''));
    expect(joinPieces(pieces)).toMatchObject({ thoughts: 'Hm, yes.', text: 'Hi' });
    expect(textOf(pieces)).toBe('Hm, yes.Hi');
  });

  it('may lack its last blank line and its [DONE]', () => {
    const pieces = read(`${textEvent('Hi')}${textEvent('', 'length').trimEnd()}`);
    expect(kinds(pieces)).toEqual(['delta', 'delta', 'finish']);
  });

  it.each([
    ['[DONE] twice', `${textEvent('Hi', 'stop')}data: [DONE]\n\ndata: [DONE]\n\n`],
    ['text after [DONE]', `${textEvent('Hi', 'stop')}data: [DONE]\n\n${textEvent('more')}`],
    ['text after the finish', `${textEvent('Hi', 'stop')}${textEvent('more')}data: [DONE]\n\n`],
    ['two finishes', `${textEvent('Hi', 'stop')}${textEvent('', 'length')}data: [DONE]\n\n`],
  ])('with %s is read once', (_what, text) => {
    const pieces = read(text);
    expect(kinds(pieces)).toEqual(['delta', 'delta', 'finish']);
    expect(textOf(pieces)).toBe('Hi');
  });

  it('may report usage before the text, twice, or with the text', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    const pieces = read(
      event({ choices: [], usage }) +
        event({ choices: [{ index: 0, delta: { content: 'Hi' } }], usage }) +
        textEvent('', 'stop'),
    );
    expect(kinds(pieces)).toEqual(['usage', 'delta', 'delta', 'usage', 'finish']);
  });

  it.each<readonly [what: string, text: string | Buffer]>([
    ['an event that is no JSON', 'data: {"choices":\n\n'],
    ['an error', event({ error: { message: 'secret vendor text' } })],
    ['HTML', 'data: <html>\n\n'],
    ['a line beyond the bound', `data: ${'x'.repeat(BOUNDS.lineBytesMax + 1)}`],
    ['an event beyond the bound', `data: ${'x'.repeat(6000)}\ndata: ${'x'.repeat(6000)}\n`],
    [
      'an event beyond the bound at its end',
      `data: ${'x'.repeat(6000)}\ndata: ${'x'.repeat(6000)}`,
    ],
    [
      'a number that is longer when it is written anew',
      event({ choices: [{ delta: LONG }] }).replaceAll('100000000000000000000', '1e20'),
    ],
    ['text that is longer in UTF-8', Buffer.from(textEvent('\xff'.repeat(4_000)), 'latin1')],
    ...INDICES.map(
      (index) =>
        [`the index ${index}`, `data: {"choices":[{"index":${index},"delta":{}}]}\n\n`] as const,
    ),
    ['an event that nests without end', event({ choices: [{ delta: nested(100) }] })],
  ])('with %s fails without the vendor’s words', (_what, text) => {
    const attempt = () => read(text);
    expect(attempt).toThrow(VendorFailure);
    try {
      attempt();
    } catch (error) {
      expect((error as VendorFailure).error).toMatchObject({
        code: 'UPSTREAM_ERROR',
        publicMessage: 'The model vendor failed to answer.',
        retryable: false,
      });
    }
  });

  it('ends when it goes on far beyond the tokens that were asked for', () => {
    const reader = createStreamReader(BOUNDS, exampleCall({ choices: 2, maxTokens: 10 }));
    const chunk = Buffer.from(textEvent('x'.repeat(1_000)));
    const pieces: AnswerPiece[] = [];
    for (let events = 0; events < 5; events += 1) reader.push(chunk, pieces);
    // 1,024, and 128 characters for each of 10 tokens.
    expect(textOf(pieces)).toHaveLength(2_304);
    expect(pieces.at(-1)).toMatchObject({ kind: 'finish', choice: 0, reason: 'length' });
    // The other choice may go on.
    expect(reader).toMatchObject({ progress: 'begun', isPastAsked: false });
  });

  it('ends when it goes on with calls that have no text', () => {
    const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 10 }));
    const wordless = event({ choices: [{ index: 0, delta: { tool_calls: [{}] } }] });
    const pieces: AnswerPiece[] = [];
    reader.push(Buffer.from(wordless.repeat(3_000)), pieces);
    expect(pieces).toHaveLength(1 + 2_304 + 2);
    expect(pieces.at(-2)).toEqual({ kind: 'past_asked' });
    expect(pieces.at(-1)).toMatchObject({ kind: 'finish', reason: 'length' });
    expect(reader).toMatchObject({ progress: 'over', isPastAsked: true });
  });

  it.each([
    ['are empty', '{}'],
    ['are long', JSON.stringify({ choices: [], obfuscation: 'x'.repeat(9_000) })],
    ['only count', JSON.stringify({ usage: { prompt_tokens: 1, completion_tokens: 1 } })],
  ])('is cut when it goes on with events that %s', (_what, data) => {
    const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 10 }));
    const chunk = Buffer.from(`data: ${data}\n\n`.repeat(100));
    const push = () => {
      // A megabyte, and four kilobytes for each of 10 tokens; an event counts as 32 bytes at least.
      for (let pushed = 0; pushed < 350; pushed += 1) reader.push(chunk, []);
    };
    expect(push).toThrow(VendorFailure);
  });

  it.each([
    ['text', (half: string) => ({ content: half })],
    ['thoughts', (half: string) => ({ reasoning_content: half })],
    ['a call', (half: string) => ({ tool_calls: [{ index: 0, function: { arguments: half } }] })],
  ])('goes on when its vendor cuts a character of %s in two', (_of, deltaOf) => {
    const [before, after] = ['Hi \ud83d', '\ude00 and here is the rest'];
    const half = (said: string, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta: deltaOf(said), finish_reason }] });
    const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 16 }));
    const pieces = readPieces(reader, [Buffer.from(half(before) + half(after, 'stop'))]);
    expect(textOf(pieces)).toBe(before + after);
    expect(JSON.stringify(joinPieces(pieces))).toContain('Hi 😀 and here is the rest');
    expect(pieces.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
    expect(reader.isPastAsked).toBe(false);
  });

  it('may think for as long as its tokens last', () => {
    const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 1_000 }));
    const thought = { choices: [{ index: 0, delta: { reasoning_content: 'x'.repeat(100) } }] };
    const chunk = Buffer.from(event(thought));
    for (let tokens = 0; tokens < 1_000; tokens += 1) reader.push(chunk, []);
    expect(reader.progress).toBe('begun');
  });

  it('is cut when it thinks past its tokens', () => {
    const reader = createStreamReader(BOUNDS, exampleCall({ maxTokens: 10 }));
    const thought = { choices: [{ index: 0, delta: { reasoning: 'x'.repeat(1_000) } }] };
    const pieces: AnswerPiece[] = [];
    for (let events = 0; events < 5; events += 1) reader.push(Buffer.from(event(thought)), pieces);
    expect(textOf(pieces)).toHaveLength(2_304);
    expect(pieces.at(-1)).toMatchObject({ kind: 'finish', reason: 'length' });
    expect(joinPieces(pieces).thoughts).toHaveLength(2_304);
    expect(reader.isPastAsked).toBe(true);
  });

  it('is cut at an event of more values than any has', () => {
    const reader = createStreamReader({ ...BOUNDS, lineBytesMax: 1_000_000 }, exampleCall());
    const values = `[${'{},'.repeat(60_000)}{}]`;
    const push = () => reader.push(Buffer.from(`data: {"choices":[],"x":${values}}\n\n`), []);
    expect(push).toThrow(VendorFailure);
  });

  it('says what it keeps at most of an event whose end has not come', () => {
    const reader = createStreamReader(BOUNDS, exampleCall());
    const beginning = 'data: {\ndata: "a": 1\nda';
    reader.push(Buffer.from(beginning), []);
    expect(reader.heldBytes).toBe(beginning.length);
    reader.push(Buffer.from('ta: }\r\n\r\ndata'), []);
    expect(reader.heldBytes).toBe(4);
  });

  it('keeps the choices of n apart', () => {
    const pieces = read(
      event({ choices: [{ index: 1, delta: { content: 'b' } }] }) +
        event({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }) +
        event({ choices: [{ index: 1, delta: {}, finish_reason: 'max_tokens' }] }),
    );
    expect(kinds(pieces)).toEqual(['delta', 'delta', 'delta', 'delta', 'finish', 'finish']);
    expect(pieces.at(-1)).toMatchObject({ reason: 'length' });
  });
});
