import fc from 'fast-check';
import type { AnswerPiece } from '../../domain/vendor';
import { exampleCall } from '../../testing/vendor-call';
import { parseObject } from '../protocol/json';
import { createStreamReader } from './stream';
import { textIn, textTemplateOf } from './text-template';

const BOUNDS = { lineBytesMax: 100_000, retryAfterMsMax: 60_000 };
const eventOf = (content: string) =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const templateIn = (data: string) => textTemplateOf(data, parseObject(data) ?? {});

/** The event with what its vendor adds, so that its length does not tell that of its text. */
const padded = (event: string, padding: string) =>
  `${event.slice(0, -1)},"obfuscation":${JSON.stringify(padding)}}`;

it.each([
  ['', (event: string) => event],
  [' that is padded', (event: string, at: number) => padded(event, 'xY3'.repeat(at % 3))],
])('reads any text%s after any other as if each event were parsed', (_what, written) => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, (contents) => {
      const events = contents.map((content, at) => written(eventOf(content), at));
      const stream = events.map((event) => `data: ${event}\n\n`).join('');
      const pieces: AnswerPiece[] = [];
      createStreamReader(BOUNDS, exampleCall()).push(Buffer.from(stream), pieces);
      const spoken = pieces.flatMap((piece) => (piece.kind === 'delta' ? [piece] : []));
      const wanted = contents.filter((content) => content !== '');
      // What UTF-8 cannot carry is replaced before it gets here.
      expect(spoken.map(({ text }) => text).join('')).toBe(Buffer.from(wanted.join('')).toString());
      for (const { choices, text } of spoken.slice(1)) {
        expect(JSON.parse(choices.toString())).toEqual([
          { index: 0, delta: { content: text }, finish_reason: null },
        ]);
      }
    }),
  );
});

it('finds a thought, whichever name its vendor has for it', () => {
  for (const name of ['reasoning', 'reasoning_content']) {
    const data = `{"choices":[{"delta":{"content":"","${name}":"Hi"}}]}`;
    const template = templateIn(data);
    expect(template).toMatchObject({ index: 0, member: 'reasoning_content' });
    expect(template && textIn(template, data.replace('Hi', 'you'))).toBe('you');
  }
});

it('finds the text though the same words stand elsewhere', () => {
  const data = '{"delta":"Hi","choices":[{"delta":{"note":"Hi","content":"Hi"}}]}';
  expect(templateIn(data)).toBeUndefined();
  const plain = '{"model":"Hi","choices":[{"delta":{"content":"Hi","note":"Hi"}}]}';
  const template = templateIn(plain);
  expect(template).toMatchObject({ index: 0, after: '","note":"Hi"}}]}' });
  expect(template && textIn(template, plain.replace('content":"Hi', 'content":"you'))).toBe('you');
});

it.each([
  ['ends', '{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}'],
  ['has two choices', '{"choices":[{"delta":{"content":"Hi"}},{"delta":{"content":"Hi"}}]}'],
  ['counts', '{"choices":[{"delta":{"content":"Hi"}}],"usage":{"prompt_tokens":1}}'],
  ['fails', '{"choices":[{"delta":{"content":"Hi"}}],"error":{"message":"no"}}'],
  ['refuses', '{"choices":[{"delta":{"content":"Hi","refusal":"no"}}]}'],
  ['thinks under two names', '{"choices":[{"delta":{"reasoning":"H","reasoning_content":"H"}}]}'],
  ['thinks and speaks', '{"choices":[{"delta":{"reasoning":"Hm","content":"Hi"}}]}'],
  ['calls tools', '{"choices":[{"delta":{"content":"Hi","tool_calls":[{}]}}]}'],
  ['scores', '{"choices":[{"delta":{"content":"Hi"},"logprobs":{"content":[]}}]}'],
])('makes no template of an event that %s', (_what, data) => {
  expect(templateIn(data)).toBeUndefined();
});

it('takes no text that JSON writes differently, or that ends its literal', () => {
  const template = templateIn(eventOf('Hi'));
  const read = (json: string) => template && textIn(template, eventOf('Hi').replace('Hi', json));
  expect(read('Grüße 👋')).toBe('Grüße 👋');
  for (const json of ['a\\nb', 'a","role":"b', '', 'a\tb']) expect(read(json)).toBeUndefined();
});

describe('an event that its vendor pads', () => {
  const template = templateIn(padded(eventOf('Hi'), 'a1B2c3'));
  const read = (data: string) => template && textIn(template, data);

  it('follows one of another padding', () => {
    expect(read(padded(eventOf('you'), 'Zz'))).toBe('you');
    expect(read(padded(eventOf('Grüße 👋'), ''))).toBe('Grüße 👋');
  });

  it.each([
    ['has no padding', eventOf('you')],
    ['has no text', padded(eventOf(''), 'Zz')],
    ['has more behind it', padded(padded(eventOf('you'), 'Zz'), 'Zz')],
    ['is padded with what JSON writes differently', padded(eventOf('you'), 'Z"z')],
    [
      'has a text that ends its literal',
      padded(eventOf('a","role":"b'), 'Zz').replaceAll('\\', ''),
    ],
    ['is padded with a number', `${eventOf('you').slice(0, -1)},"obfuscation":1}`],
    ['ends within its padding', padded(eventOf('you'), '').slice(0, -2).concat('}')],
  ])('is not read where it %s', (_what, data) => {
    expect(read(data)).toBeUndefined();
  });
});
