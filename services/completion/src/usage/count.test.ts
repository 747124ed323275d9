import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  acceptUsage,
  countPromptText,
  countTexts,
  createDeliveredText,
  mediaTokensMax,
  promptTokensMax,
  promptTokensMin,
  promptTokensToReserve,
} from './count';

const NO_BYTES = Buffer.alloc(0);
const byWord = (text: string) => text.split(' ').filter((word) => word !== '').length;
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
  expect(tokens).toBeGreaterThanOrEqual(promptTokensMin(Buffer.from(text)));
  expect(tokens).toBeGreaterThan(250_000);
});

it('counts text in pieces as it would count it in one', () => {
  const text = ENGLISH.repeat(200);
  expect(countTexts(countTokens, [text], createRandom())).toBe(countTokens(text));
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
  const capabilityMembers = Buffer.from('{"tools": [] }');
  const tokens = countPromptText(
    byWord,
    Buffer.from(JSON.stringify(messages)),
    capabilityMembers,
    () => 0,
  );
  expect(tokens).toBe(3 + 2 * 4 + 4 + 3);
});

it('counts no more of a prompt than of one text, however many messages it has', () => {
  const content = ENGLISH.repeat(100);
  const messages = Array.from({ length: 100 }, () => ({ role: 'user', content }));
  let characters = 0;
  const count = (piece: string) => {
    characters += piece.length;
    return piece.length;
  };
  const json = Buffer.from(JSON.stringify(messages));
  const tokens = countPromptText(count, json, NO_BYTES, createRandom());
  expect([tokens, characters]).toEqual([3 + 100 * 4 + 100 * content.length, 64_000]);
});

it('counts what was thought before, and neither its signature nor what is kept secret', () => {
  const thoughts = [
    { type: 'thinking', thinking: 'e f', signature: 'g h i' },
    { type: 'redacted_thinking', data: 'k l m n' },
  ];
  const messages = [{ role: 'assistant', content: 'a b', thinking_blocks: thoughts }];
  const tokens = countPromptText(byWord, Buffer.from(JSON.stringify(messages)), NO_BYTES, () => 0);
  expect(tokens).toBe(3 + 4 + 2 + 2);
});

/** Text as the gateway sends it. */
function messagesOf(content: string): Buffer {
  return Buffer.from(JSON.stringify([{ role: 'user', content }]));
}

const PROSE = 'The quick brown fox doesn\'t jump over the lazy dog; "why" is what it asks.\n';

describe('a prompt of unknown tokens', () => {
  it('is estimated at half its bytes, with room for each message', () => {
    expect(promptTokensToReserve(101, 2)).toBe(51 + 16 + 8);
    expect(promptTokensMax(101, 2)).toBe(101 + 16 + 8);
  });

  it.each([
    ['words', PROSE.repeat(20)],
    [
      'code',
      'for (let i = 0; i < xs.length; i += 1) {\n        total += xs[i];\n    }\n'.repeat(9),
    ],
    ['German', 'Die Donaudampfschifffahrtsgesellschaft unterhält Rechtsschutzversicherungen. '],
    ['Chinese', '我们今天去公园散步，然后回家做饭。'.repeat(10)],
    ['Hindi', 'आज हम पार्क में टहलने जाते हैं और फिर घर आते हैं। '.repeat(10)],
    ['base64', Buffer.from(PROSE.repeat(9)).toString('base64')],
    ['zeros in base64', 'A'.repeat(3000)],
    ['hexadecimal digits', Buffer.from(PROSE).toString('hex')],
    ['lines', '----------------\n\n\n\n\t\t\t\t        ===================='.repeat(9)],
    ['emoji', '🙂🚀👩‍👩‍👧'.repeat(30)],
    ['rare letters', '𒀀𒀁𒀂'.repeat(30)],
  ])('has its tokens between the bounds when it is %s', (_what, text) => {
    const messages = messagesOf(text);
    const tokens = countTokens(text);
    const framing = promptTokensMin(messagesOf(''));
    expect(promptTokensMin(messages) - framing).toBeLessThanOrEqual(tokens);
    expect(promptTokensMax(messages.length, 1)).toBeGreaterThanOrEqual(tokens);
  });

  it('is known to be long when it has many words', () => {
    expect(promptTokensMin(messagesOf('one two three '.repeat(1000)))).toBeGreaterThan(3000);
  });
});

const bounds = {
  promptTextBytes: 40,
  mediaTokensMax: 0,
  messageCount: 1,
  completionTokensMax: 100,
  receivedText: true,
};
const usage = (changes: object) => ({ prompt: 12, completion: 3, cached: 0, ...changes });

it('takes counts that make sense, with the cached part within the prompt', () => {
  expect(acceptUsage(usage({}), bounds)).toEqual({
    prompt: 12,
    completion: 3,
    cached: 0,
    cacheWrite: 0,
    reasoning: 0,
    promptAudio: 0,
    completionAudio: 0,
  });
  expect(acceptUsage(usage({ reasoning: 50 }), bounds)?.reasoning).toBe(3);
  const audio = (of: object) => acceptUsage(usage(of), bounds);
  expect(audio({ promptAudio: 5, completionAudio: 2 })).toMatchObject({
    promptAudio: 5,
    completionAudio: 2,
  });
  expect(audio({ promptAudio: 50, completionAudio: 50 })).toMatchObject({
    promptAudio: 12,
    completionAudio: 3,
  });
  expect(audio({ promptAudio: -1, completionAudio: 'x' })).toMatchObject({
    promptAudio: 0,
    completionAudio: 0,
  });
  expect(acceptUsage(usage({ cached: 5 }), bounds)?.cached).toBe(5);
  expect(acceptUsage(usage({ cached: 50 }), bounds)?.cached).toBe(12);
  expect(acceptUsage(usage({ cached: -1 }), bounds)?.cached).toBe(0);
  // What was read from the cache and what was put there are different parts of the prompt.
  expect(acceptUsage(usage({ cacheWrite: 4 }), bounds)?.cacheWrite).toBe(4);
  expect(acceptUsage(usage({ cached: 5, cacheWrite: 50 }), bounds)?.cacheWrite).toBe(7);
  expect(acceptUsage(usage({ cacheWrite: 'x' }), bounds)?.cacheWrite).toBe(0);
});

it.each([
  ['absent', undefined],
  ['a negative prompt', usage({ prompt: -12 })],
  ['a negative completion', usage({ completion: -1 })],
  ['not a number', usage({ completion: Number.NaN })],
  ['text', usage({ prompt: '12' })],
  ['a fraction', usage({ completion: 1.5 })],
  ['null', usage({ completion: null })],
  ['more prompt than was sent', usage({ prompt: 1_000_000 })],
  ['more completion than was asked for', usage({ completion: 101 })],
  ['no prompt at all', usage({ prompt: 0 })],
  ['no completion where text came', usage({ completion: 0 })],
])('has a count of the text in place of usage that is %s', (_what, reported) => {
  expect(acceptUsage(reported, bounds)).toBeUndefined();
});

it('believes an empty answer', () => {
  const silent = { ...bounds, receivedText: false };
  expect(acceptUsage(usage({ completion: 0 }), silent)).toMatchObject({ completion: 0 });
});

describe('images and files', () => {
  const media = { bytes: 4_000_000, images: 2, files: 1 };

  it('are believed up to what a vendor states for them', () => {
    const mediaMax = mediaTokensMax(media);
    expect(mediaMax).toBe(2 * 50_000 + 1_000_000);
    const seen = usage({ prompt: 90_000 });
    expect(acceptUsage(seen, bounds)).toBeUndefined();
    expect(acceptUsage(seen, { ...bounds, mediaTokensMax: mediaMax })?.prompt).toBe(90_000);
  });

  it('are counted as usual ones, and their data as nothing', () => {
    const data = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const part = { type: 'text', text: 'one two' };
    const image = { type: 'image_url', image_url: { url: data } };
    const countOf = (content: unknown) =>
      countPromptText(
        (text) => text.split(' ').length,
        Buffer.from(JSON.stringify([{ role: 'user', content }])),
        Buffer.alloc(0),
        () => 0,
      );
    expect(countOf([part, image])).toBe(countOf('one two') + 2000);
  });
});
