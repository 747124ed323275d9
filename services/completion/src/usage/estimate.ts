// Tokens by the bytes of a text. Before the vendor is called they must do: a count takes too long to
// wait for. Afterwards they stand for text that could not be counted.

/** Images and files in a prompt: vendors count what they show, not their bytes. */
export interface PromptMedia {
  /** Of the canonical messages, those that are the data of images and files. */
  readonly bytes: number;
  readonly images: number;
  readonly files: number;
}

/**
 * Of an image: what vendors usually count, and the most that one of them states (an image of eight
 * tiles for a small model of OpenAI's is 48,169).
 */
const TOKENS_PER_IMAGE = 2000;
const TOKENS_PER_IMAGE_MAX = 50_000;
/** Of one that is asked to be looked at in little `detail`, at most models of OpenAI's. */
export const TOKENS_PER_LOW_IMAGE = 85;
/** Of a file: some ten pages, and the most that any context holds. */
const TOKENS_PER_FILE = 20_000;
const TOKENS_PER_FILE_MAX = 1_000_000;

/** The usual count of vendors for images and files. */
export function mediaTokensUsual({ files, images }: PromptMedia): number {
  return images * TOKENS_PER_IMAGE + files * TOKENS_PER_FILE;
}

/** The highest count of any vendor. */
export function mediaTokensMax({ files, images }: PromptMedia): number {
  return images * TOKENS_PER_IMAGE_MAX + files * TOKENS_PER_FILE_MAX;
}

const FRAMING_PER_MESSAGE = 8;
const FRAMING_PER_REQUEST = 8;
/** Natural language has more bytes to a token. */
const BYTES_PER_TOKEN_MIN = 2;
/** Text has about four bytes to a token in most languages. */
export const BYTES_PER_TOKEN_USUAL = 4;

/**
 * Natural language stays below this. Dense text (base64, rare scripts) may have up to a token to each
 * byte, which `promptTokensMax` covers.
 */
export function promptTokensToReserve(promptTextBytes: number, messageCount: number): number {
  return Math.ceil(promptTextBytes / BYTES_PER_TOKEN_MIN) + framingOf(messageCount);
}

/** No tokenizer exceeds this: a token to each byte. */
export function promptTokensMax(promptTextBytes: number, messageCount: number): number {
  return promptTextBytes + framingOf(messageCount);
}

/** Tokens of text that is gone: as many as text of that length usually has. */
export function usualTokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN_USUAL);
}

/** Tokens of text that could not be counted: as many as usual, and no fewer than its words make. */
export function estimateTokens(bytes: number, texts: readonly Buffer[]): number {
  const tokensMin = texts.reduce((tokens, text) => tokens + tokensMinOf(text), 0);
  return Math.max(usualTokensOf(bytes), tokensMin);
}

function framingOf(messageCount: number): number {
  return FRAMING_PER_MESSAGE * messageCount + FRAMING_PER_REQUEST;
}

/** No vocabulary has tokens of words that are longer than this. */
const BYTES_PER_WORD_TOKEN_MAX = 16;
const BACKSLASH = 0x5c;
const APOSTROPHE = 0x27;

/**
 * Tokens that a text, plain or in JSON, has at the very least: no token reaches over two words.
 * Runs of one character, digits, spaces and signs count nothing: some vocabulary joins them.
 */
export function tokensMinOf(text: Buffer): number {
  const { length } = text;
  let tokens = 0;
  for (let at = 0; at < length; ) {
    let wordBytes = 0;
    let previous = NO_BYTE;
    let byte = NO_BYTE;
    for (; at < length; at += 1) {
      byte = text[at] ?? 0;
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
