/** Answers begin with this, so that nobody takes one for a model's. */
const OPENING = ['This', ' is', ' a', ' simulated', ' answer', '.'] as const;

const WORDS = (
  'amber basin cedar delta ember fable grove harbor inlet jade kiln ' +
  'lantern meadow nectar orchard pebble quarry river saddle timber umber valley ' +
  'willow yarrow zephyr anchor beacon copper drift elm fern garnet'
).split(' ');

/** Words with characters of two, three and four bytes. */
const WIDE_WORDS = ['grün', 'naïve', '€uro', '日本', '🙂', '🚀ok'] as const;

const VARIANTS = 64;
const STRIDE = 7;
const SENTENCE_LENGTH = 12;
/** The start of a text is enough to tell requests apart, and costs the same for any length. */
const HASHED_CHARACTERS_MAX = 256;

/** Picks one of a few texts from what was asked, the same one for the same question. */
export function textVariant(question: string): number {
  let hash = question.length | 0;
  const end = Math.min(question.length, HASHED_CHARACTERS_MAX);
  for (let index = 0; index < end; index += 1) {
    hash = Math.imul(hash ^ question.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % VARIANTS;
}

/** Exactly `count` tokens: words with the blank before them. */
export function simulatedTokens(variant: number, count: number, wide = false): readonly string[] {
  const words: readonly string[] = wide ? WIDE_WORDS : WORDS;
  return Array.from({ length: count }, (_, index) => {
    const opening = OPENING[index];
    if (opening !== undefined) return opening;
    const position = index - OPENING.length;
    const word = words[(variant + position * STRIDE) % words.length] ?? '';
    return ` ${word}${position % SENTENCE_LENGTH === SENTENCE_LENGTH - 1 ? '.' : ''}`;
  });
}

/** Splits a given text into words with the blank before them; joined they are the text again. */
export function tokensOfText(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/**
 * The documented rule for prompts: 3, and for each message 4 and a quarter of its characters
 * (UTF-16 units), rounded up. Completion tokens are the pieces that are written.
 */
export function countPromptTokens(messageLengths: readonly number[]): number {
  return messageLengths.reduce((sum, length) => sum + 4 + Math.ceil(length / 4), 3);
}
