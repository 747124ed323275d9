import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countPromptText, countText, createDeliveredText } from './token-count';

const byWord = (text: string) => text.split(' ').filter((word) => word !== '').length;
const ENGLISH = 'The quick brown fox jumps over the lazy dog. ';

/** The same letters at every run, in no order that means anything. */
function lettersOf(length: number): string {
  let seed = 7;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCharCode(97 + (seed % 26));
  }).join('');
}

it('gives the tokenizer no long piece, and no long word, at once', () => {
  const pieces: string[] = [];
  const count = (text: string) => {
    pieces.push(text);
    return 1;
  };
  countText(count, ENGLISH.repeat(300));
  countText(count, lettersOf(9000));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2000);
  const words = pieces.flatMap((piece) => piece.split(' '));
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(64);
});

it('counts no more than a part of a long text, and says what all of it has', () => {
  for (const text of [ENGLISH.repeat(20_000), lettersOf(1_000_000)]) {
    let characters = 0;
    const tokens = countText((piece) => {
      characters += piece.length;
      return countTokens(piece);
    }, text);
    expect(characters).toBeLessThanOrEqual(64_000);
    const share = tokens / ((countTokens(text.slice(0, 1800)) * text.length) / 1800);
    expect(share).toBeGreaterThan(0.95);
    expect(share).toBeLessThan(1.05);
  }
});

it('counts text in pieces as it would count it in one', () => {
  const text = ENGLISH.repeat(200);
  expect(countText(countTokens, text)).toBe(countTokens(text));
});

it('keeps the text of each choice apart', () => {
  const delivered = createDeliveredText();
  delivered.add('Hel');
  delivered.add('Gü', 2);
  delivered.add('lo');
  delivered.add('ten', 2);
  expect(delivered.texts()).toEqual(['Hello', 'Güten']);
  expect(delivered.bytes).toBe(11);
});

it('counts every text of a prompt, and the members that only some channels take', () => {
  const messages = [
    { role: 'system', content: 'a b' },
    { role: 'user', content: 'c', name: 'd' },
  ];
  const extra = Buffer.from('{"tools": [] }');
  const tokens = countPromptText(byWord, Buffer.from(JSON.stringify(messages)), extra);
  expect(tokens).toBe(3 + 2 * 4 + 4 + 3);
});
