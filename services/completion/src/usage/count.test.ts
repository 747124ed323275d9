import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countTexts } from './count';
import { tokensMinOf } from './estimate';

const ENGLISH = 'The quick brown fox jumps over the lazy dog. ';

/** The same numbers at every run, in no order that means anything. */
function createRandom(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 48_271) % (2 ** 31 - 1);
    return seed / (2 ** 31 - 1);
  };
}

function lettersOf(length: number): string {
  const random = createRandom();
  const letterOf = () => String.fromCharCode(97 + Math.floor(random() * 26));
  return Array.from({ length }, letterOf).join('');
}

it('gives the tokenizer no long piece, and no long word, at once', () => {
  const pieces: string[] = [];
  const count = (text: string) => {
    pieces.push(text);
    return 1;
  };
  countTexts(count, [ENGLISH.repeat(300)], createRandom());
  countTexts(count, [lettersOf(9000)], createRandom());
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2000);
  const words = pieces.flatMap((piece) => piece.split(' '));
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(64);
});

it.each([
  ['a long text', [ENGLISH.repeat(20_000)]],
  ['a long word', [lettersOf(1_000_000)]],
  ['many short texts', Array.from({ length: 500 }, () => ENGLISH.repeat(40))],
  ['a short text before a long one', ['Hello', lettersOf(100_000)]],
])('counts no more than a part of %s, and estimates all of it', (_what, texts) => {
  let characters = 0;
  const tokens = countTexts(
    (piece) => {
      characters += piece.length;
      return countTokens(piece);
    },
    texts,
    createRandom(),
  );
  expect(characters).toBe(64_000);
  const all = texts.join('');
  const share = tokens / ((countTokens(all.slice(0, 1800)) * all.length) / 1800);
  expect(share).toBeGreaterThan(0.95);
  expect(share).toBeLessThan(1.05);
});

it('counts every text by itself in whatever part of them it looks at', () => {
  const pieces: string[] = [];
  const count = (piece: string) => {
    pieces.push(piece);
    return 1;
  };
  expect(countTexts(count, Array<string>(100_000).fill('a'), createRandom())).toBe(100_000);
  expect(new Set(pieces)).toEqual(new Set(['a']));
});

/** A text whose stretches of 20,000 characters hide 2,000 blanks at one place each. */
function withBlanksAt(place: number): string {
  const dense = lettersOf(18_000);
  return (dense.slice(0, place) + ' '.repeat(2_000) + dense.slice(place)).repeat(32);
}

it.each([0, 9_000, 18_000])('is not misled by blanks %i characters into each stretch', (place) => {
  const text = withBlanksAt(place);
  const random = createRandom();
  const share = countTexts(countTokens, [text], random) / (32 * countTokens(lettersOf(18_000)));
  expect(share).toBeGreaterThan(0.8);
  expect(share).toBeLessThan(1.2);
});

it('looks at every place of a long text alike, its beginning and its end too', () => {
  const random = createRandom();
  const text = 'x'.repeat(1_000) + ' '.repeat(126_000) + 'x'.repeat(1_000);
  const counts = Array.from({ length: 150 }, () =>
    countTexts((piece) => piece.trim().length, [text], random),
  );
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(mean).toBeGreaterThan(1_600);
  expect(mean).toBeLessThan(2_400);
});

it('counts a long text as no fewer tokens than its words make, wherever chance looks', () => {
  const text = (' '.repeat(2_000) + 'a b c d e f g h '.repeat(1_125)).repeat(32);
  const tokens = countTexts(countTokens, [text], () => 0);
  expect(tokens).toBeGreaterThanOrEqual(tokensMinOf(Buffer.from(text)));
  expect(tokens).toBeGreaterThan(250_000);
});

it('counts text in pieces as it would count it in one', () => {
  const text = ENGLISH.repeat(200);
  expect(countTexts(countTokens, [text], createRandom())).toBe(countTokens(text));
});
