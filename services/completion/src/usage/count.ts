import { tokensMinOf } from './estimate';

/** Counts the tokens of a text of bounded length. */
export type CountPiece = (text: string) => number;

/** A number in [0, 1) that nobody can foresee. */
export type Random = () => number;

/**
 * Counts what is charged, on a thread of its own, so that no other request waits for it. The accounts
 * take turns. Rejects when that thread fails or is too late: then there is no count.
 */
export interface TokenCounter {
  /** Of an answer: one text for each choice. */
  countAnswer(texts: readonly string[], accountId: string): Promise<number>;
  /**
   * Of canonical messages, thoughts included, and of the JSON of tools, schemas and the other
   * members that need a capability.
   */
  countPrompt(messages: Buffer, capabilityMembers: Buffer, accountId: string): Promise<number>;
}

/** Counts for clients too, who ask what a prompt would have. */
export interface ClientTokenCounter extends TokenCounter {
  /** As `countPrompt`, after everything that is charged. */
  countPromptForClient(messages: Buffer, capabilityMembers: Buffer): Promise<number>;
}

/** Longest text that is tokenized at once. */
const PIECE_CHARACTERS = 2000;
/** The tokenizer's time grows with the square of a word: longer ones are counted in parts. */
const WORD_CHARACTERS_MAX = 64;
const LONG_WORD = /\S{65}/;
/**
 * Texts that are longer together are judged by parts of them, so that no count takes longer than a
 * quarter second, however many texts it has.
 */
const SAMPLES = 32;
const COUNTED_CHARACTERS_MAX = SAMPLES * PIECE_CHARACTERS;

/** Tokens of texts of any number and length, which stand apart from each other. */
export function countTexts(count: CountPiece, texts: readonly string[], random: Random): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters <= COUNTED_CHARACTERS_MAX) {
    return texts.reduce((sum, text) => sum + countWhole(count, text), 0);
  }
  const tokensMin = texts.reduce((sum, text) => sum + tokensMinOf(Buffer.from(text)), 0);
  return Math.max(estimateBySamples(count, texts, characters, random), tokensMin);
}

function countWhole(count: CountPiece, text: string): number {
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
function estimateBySamples(
  count: CountPiece,
  texts: readonly string[],
  characters: number,
  random: Random,
): number {
  const stretch = characters / SAMPLES;
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor(stretch * (sample + random()));
    const to = from + PIECE_CHARACTERS;
    tokens += countBetween(count, texts, from, to);
    if (to > characters) tokens += countBetween(count, texts, 0, to - characters);
  }
  return Math.round((tokens / COUNTED_CHARACTERS_MAX) * characters);
}

/** Tokens of the characters `from` to `to`, as if the texts followed each other. */
function countBetween(
  count: CountPiece,
  texts: readonly string[],
  from: number,
  to: number,
): number {
  let tokens = 0;
  let at = 0;
  for (const text of texts) {
    if (at >= to) break;
    const piece = text.slice(Math.max(0, from - at), to - at);
    if (piece !== '') tokens += countPiece(count, piece);
    at += text.length;
  }
  return tokens;
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
