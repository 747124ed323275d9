import fc from 'fast-check';
import { decode } from 'gpt-tokenizer/encoding/o200k_base';
import { exampleCall } from '../../testing/vendor-call';
import { createAnswerCap, withinCap } from './answer-cap';

const TOKENS_IN_VOCABULARY = 199_998;
const WORD = 'word ';

/** How many repetitions of the text an answer of so many tokens may have. */
function repetitionsOf(text: string, maxTokens: number | undefined): number {
  const cap = createAnswerCap(exampleCall({ maxTokens }));
  let count = 0;
  while (cap.admit(text) === text.length && !cap.isPast) count += 1;
  return count;
}

it('is reached by no text of so many tokens, whatever tokens they are', () => {
  const reached: string[] = [];
  for (let token = 0; token < TOKENS_IN_VOCABULARY; token += 1) {
    const text = decode([token]);
    const cap = createAnswerCap(exampleCall({ maxTokens: 40 }));
    if (cap.admit(text.repeat(40)) < text.length * 40) reached.push(text);
  }
  expect(reached).toEqual([]);
});

it('is reached by no mixture of tokens', () => {
  const token = fc.integer({ min: 0, max: TOKENS_IN_VOCABULARY - 1 });
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 300 }), (tokens) => {
      const cap = createAnswerCap(exampleCall({ maxTokens: tokens.length }));
      for (const each of tokens) cap.admit(decode([each]));
      return !cap.isPast;
    }),
  );
});

it.each([
  ['words', WORD, 64],
  ['words that are written together', '日本語の文章', 256],
  ['data without words', 'QUJDREVGRw', 307],
  ['nothing but the beginnings of calls', '', 3072],
])('lets an answer of 16 tokens have few %s', (_what, text, atMost) => {
  expect(repetitionsOf(text, 16)).toBeLessThanOrEqual(atMost);
  expect(repetitionsOf(text, 16)).toBeGreaterThan(atMost / 2);
});

it('holds a vendor that was told no bound to its characters alone', () => {
  expect(repetitionsOf(WORD, undefined)).toBe(Math.floor((1024 + 128 * 1000) / WORD.length));
});

it('counts the same however the text is cut', () => {
  const text = 'One more word, 日本語 and a_long_one. '.repeat(20);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (lengths) => {
      const whole = createAnswerCap(exampleCall({ maxTokens: 20 })).admit(text);
      const cap = createAnswerCap(exampleCall({ maxTokens: 20 }));
      let admitted = 0;
      for (let at = 0, piece = 0; at < text.length && !cap.isPast; piece += 1) {
        const next = text.slice(at, at + (lengths[piece % lengths.length] ?? 1));
        admitted += cap.admit(next);
        at += next.length;
      }
      expect(admitted).toBe(whole);
    }),
  );
});

it('cuts no character in two', () => {
  const text = 'x'.repeat(1023 + 128) + '👋'.repeat(10);
  const kept = withinCap(exampleCall({ maxTokens: 1 }), { thoughts: '', text, besides: '' });
  expect(kept.text.isWellFormed()).toBe(true);
  expect(kept).toMatchObject({ isPastAsked: true });
});

it('passes on half a character that the vendor itself wrote', () => {
  const cap = createAnswerCap(exampleCall({ maxTokens: 40 }));
  expect([cap.admit('Hi \ud83d'), cap.admit('\ude00 and more'), cap.isPast]).toEqual([
    4,
    10,
    false,
  ]);
  const said = { thoughts: 'Hm \ud83d', text: 'Hi \ud83d', besides: 'weather{}' };
  const { besides: _, ...kept } = said;
  expect(withinCap(exampleCall(), said)).toEqual({ ...kept, isPastAsked: false });
});

it('keeps a call of a tool whole, or not at all', () => {
  const call = exampleCall({ maxTokens: 4 });
  const keep = (besides: string) => withinCap(call, { thoughts: '', text: 'See', besides });
  expect(keep('weather{"town":"Bern"}')).toEqual({ thoughts: '', text: 'See', isPastAsked: false });
  expect(keep(WORD.repeat(100))).toEqual({ thoughts: '', text: 'See', isPastAsked: true });
});

it('holds thoughts and text together to the tokens that were asked for', () => {
  const call = exampleCall({ maxTokens: 4 });
  const keep = (thoughts: string, text: string) => withinCap(call, { thoughts, text, besides: '' });
  expect(keep(WORD.repeat(20), WORD.repeat(20))).toMatchObject({ isPastAsked: false });
  const cut = keep(WORD.repeat(30), WORD.repeat(30));
  expect([cut.thoughts, cut.isPastAsked]).toEqual([WORD.repeat(30), true]);
  expect(cut.text.length).toBeLessThan(WORD.length * 11);
  expect(keep(WORD.repeat(60), 'See')).toMatchObject({ text: '', isPastAsked: true });
});
