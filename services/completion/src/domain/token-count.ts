import { promptTokensMin } from './prompt-size';

/** Counts the tokens of a text of bounded length. */
export type CountPiece = (text: string) => number;

/** A number in [0, 1) that nobody can foresee. */
export type Random = () => number;

/** Counts tokens while others go on; rejects when it cannot, and then nobody has counted. */
export interface TokenCounter {
  /** Of an answer: one text for each choice. */
  countAnswer(texts: readonly string[]): Promise<number>;
  /** Of canonical messages, and of the members that only some channels take. */
  countPrompt(messages: Buffer, extra: Buffer): Promise<number>;
}

/** What was handed to the caller so far. Its tokens are counted at the end, if anybody asks. */
export interface DeliveredText {
  add(text: string, choice?: number): void;
  /** UTF-8 bytes of all choices. */
  readonly bytes: number;
  /** One text for each choice. */
  texts(): readonly string[];
}

/** Starts at nothing. */
export function createDeliveredText(): DeliveredText {
  const byChoice: string[] = [];
  let bytes = 0;
  return {
    add(text, choice = 0) {
      if (text === '') return;
      bytes += Buffer.byteLength(text);
      byChoice[choice] = (byChoice[choice] ?? '') + text;
    },
    get bytes() {
      return bytes;
    },
    // A vendor numbers its choices as it likes: holes are left out.
    texts: () => Object.values(byChoice),
  };
}

/** Longest text that is tokenized at once. */
const PIECE_CHARACTERS = 2000;
/** The tokenizer's time grows with the square of a word: longer ones are counted in parts. */
const WORD_CHARACTERS_MAX = 64;
const LONG_WORD = /\S{65}/;
/** A longer text is judged by parts of it, so that no count takes longer than a quarter second. */
const SAMPLES = 32;
const COUNTED_CHARACTERS_MAX = SAMPLES * PIECE_CHARACTERS;

/** Tokens of a text of any length. */
export function countText(count: CountPiece, text: string, random: Random): number {
  if (text.length > COUNTED_CHARACTERS_MAX) {
    const tokensMin = promptTokensMin(Buffer.from(text));
    return Math.max(estimateBySamples(count, text, random), tokensMin);
  }
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    tokens += countPiece(count, piece);
    at += piece.length;
  }
  return tokens;
}

/**
 * One part out of each stretch, at a place that chance decides: whoever knew the places could fill
 * them with blanks. A part that reaches over the end goes on at the beginning, so that every
 * character is as likely to be counted as any other.
 */
function estimateBySamples(count: CountPiece, text: string, random: Random): number {
  const stretch = text.length / SAMPLES;
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const at = Math.floor(stretch * (sample + random()));
    const piece = text.slice(at, at + PIECE_CHARACTERS);
    tokens += countPiece(count, piece);
    const missing = PIECE_CHARACTERS - piece.length;
    if (missing > 0) tokens += countPiece(count, text.slice(0, missing));
  }
  return Math.round((tokens / COUNTED_CHARACTERS_MAX) * text.length);
}

function countPiece(count: CountPiece, piece: string): number {
  if (!LONG_WORD.test(piece)) return count(piece);
  let tokens = 0;
  for (let at = 0; at < piece.length; at += WORD_CHARACTERS_MAX) {
    tokens += count(piece.slice(at, at + WORD_CHARACTERS_MAX));
  }
  return tokens;
}

function pieceAt(text: string, at: number): string {
  const piece = text.slice(at, at + PIECE_CHARACTERS);
  if (at + piece.length === text.length) return piece;
  return piece.slice(0, lastWordAt(piece) ?? piece.length);
}

/** Where the last word begins: tokenizers join nothing across a space that follows a character. */
function lastWordAt(text: string): number | undefined {
  for (let at = text.lastIndexOf(' '); at > 0; at = text.lastIndexOf(' ', at - 1)) {
    if (text.charAt(at - 1).trim() !== '') return at;
  }
  return undefined;
}

/** Framing of a message and of a prompt, as the tokenizers of the field count it. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_PROMPT = 3;

/** Tokens of a prompt: all its texts, and its framing. */
export function countPromptText(
  count: CountPiece,
  messages: Buffer,
  extra: Buffer,
  random: Random,
): number {
  const parsed = JSON.parse(messages.toString()) as readonly unknown[];
  const texts = [...parsed.flatMap(textsOf), extra.toString()];
  return texts.reduce(
    (tokens, text) => tokens + countText(count, text, random),
    TOKENS_PER_PROMPT + TOKENS_PER_MESSAGE * parsed.length,
  );
}

function textsOf(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message)
    .filter(([name]) => name !== 'role')
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')));
}
