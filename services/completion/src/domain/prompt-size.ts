/**
 * How many tokens a prompt may have, from its bytes alone: before the vendor is called nobody has
 * counted them, and a count takes too long to wait for.
 */
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_REQUEST = 8;
const BYTES_PER_TOKEN = 2;
/** Text has about four bytes to a token in most languages. */
export const BYTES_PER_TOKEN_USUAL = 4;

/**
 * What natural language stays below: two bytes to a token. Dense text (base64, rare scripts) may
 * have up to a token to each byte, which `promptTokensMax` covers.
 */
export function estimatePromptTokens(promptBytes: number, messageCount: number): number {
  return Math.ceil(promptBytes / BYTES_PER_TOKEN) + framingOf(messageCount);
}

/** What no tokenizer exceeds: a token to each byte. */
export function promptTokensMax(promptBytes: number, messageCount: number): number {
  return promptBytes + framingOf(messageCount);
}

/** Tokens of text that nobody can count any more. */
export function usualTokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN_USUAL);
}

/** Tokens of text that was not counted: as many as usual, and as many as its words make at least. */
export function judgeTokens(bytes: number, texts: readonly Buffer[]): number {
  const tokensMin = texts.reduce((tokens, text) => tokens + promptTokensMin(text), 0);
  return Math.max(usualTokensOf(bytes), tokensMin);
}

function framingOf(messageCount: number): number {
  return TOKENS_PER_MESSAGE * messageCount + TOKENS_PER_REQUEST;
}

/** No vocabulary has tokens of words that are longer than this. */
const BYTES_PER_WORD_TOKEN_MAX = 16;
const BACKSLASH = 0x5c;
const APOSTROPHE = 0x27;

/**
 * Tokens that the text of a JSON document has at the very least: no token reaches over two words.
 * Runs of one character, digits, spaces and signs count nothing: some vocabulary joins them.
 */
export function promptTokensMin(json: Buffer): number {
  const { length } = json;
  let tokens = 0;
  for (let at = 0; at < length; ) {
    let wordBytes = 0;
    let previous = NO_BYTE;
    let byte = NO_BYTE;
    for (; at < length; at += 1) {
      byte = json[at] ?? 0;
      if (IS_IN_WORD[byte] === 0) break;
      if (byte !== previous) wordBytes += 1;
      previous = byte;
    }
    tokens += Math.ceil(wordBytes / BYTES_PER_WORD_TOKEN_MAX);
    // What follows a backslash is the name of an escape, not text.
    at += byte === BACKSLASH ? 2 : 1;
  }
  return tokens;
}

const NO_BYTE = -1;
/** By byte: a table is three times as fast as the comparisons over a megabyte. */
const IS_IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (isInWord(byte) ? 1 : 0));

function isInWord(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte >= 0x80 || byte === APOSTROPHE;
}
