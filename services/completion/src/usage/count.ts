import type { TokenCounts } from '@tollgate/core';

// How many tokens a text has, in three ways. Before the vendor is called its bytes must do: a count
// takes too long to wait for. Afterwards the vendor's own count holds when it is believable, and
// otherwise ours, which a thread makes.

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
  const tokensMin = texts.reduce((tokens, text) => tokens + promptTokensMin(text), 0);
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

/** Token counts as a vendor reported them: any JSON value may stand in each place. */
export interface VendorUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly cached: unknown;
  /** Of the prompt's, those that were put into the cache, where the vendor says. */
  readonly cacheWrite?: unknown;
  /** Of the completion's, where the vendor says. */
  readonly reasoning?: unknown;
  /** Of the prompt's and of the completion's, those of audio, where the vendor says. */
  readonly promptAudio?: unknown;
  readonly completionAudio?: unknown;
}

/** A report that makes sense. */
export interface AcceptedUsage extends TokenCounts {
  readonly cacheWrite: number;
  /** Of the completion's, those that were thought. */
  readonly reasoning: number;
  /** Of the prompt's and of the completion's, those of audio. */
  readonly promptAudio: number;
  readonly completionAudio: number;
}

/** The bounds that a believable report keeps. */
export interface UsageBounds {
  /** UTF-8 bytes of everything that was sent as prompt, the data of media excepted. */
  readonly promptTextBytes: number;
  /** The count that vendors may have for images and files. */
  readonly mediaTokensMax: number;
  readonly messageCount: number;
  /** The most that the model may generate for the request, reasoning that nobody sees included. */
  readonly completionTokensMax: number;
  /** Whether any text was received. */
  readonly receivedText: boolean;
}

const TOKENS_PER_MESSAGE_MAX = 32;
const HIDDEN_PROMPT_TOKENS_MAX = 4096;

/**
 * The vendor's counts when they make sense, undefined when they must be replaced by a count of the
 * text: negative, no integers, more than the request can have cost, or nothing where text came.
 */
export function acceptUsage(
  usage: VendorUsage | undefined,
  bounds: UsageBounds,
): AcceptedUsage | undefined {
  if (usage === undefined) return undefined;
  const prompt = countOf(usage.prompt);
  const completion = countOf(usage.completion);
  if (prompt === undefined || completion === undefined) return undefined;
  // A tokenizer makes at most one token of a byte; vendors add some of their own.
  const promptMax =
    bounds.promptTextBytes +
    bounds.mediaTokensMax +
    TOKENS_PER_MESSAGE_MAX * bounds.messageCount +
    HIDDEN_PROMPT_TOKENS_MAX;
  if (prompt === 0 || prompt > promptMax) return undefined;
  if (completion > bounds.completionTokensMax) return undefined;
  if (completion === 0 && bounds.receivedText) return undefined;
  const cached = Math.min(countOf(usage.cached) ?? 0, prompt);
  const cacheWrite = Math.min(countOf(usage.cacheWrite) ?? 0, prompt - cached);
  const reasoning = Math.min(countOf(usage.reasoning) ?? 0, completion);
  const promptAudio = Math.min(countOf(usage.promptAudio) ?? 0, prompt);
  const completionAudio = Math.min(countOf(usage.completionAudio) ?? 0, completion);
  return { prompt, completion, cached, cacheWrite, reasoning, promptAudio, completionAudio };
}

/** The same for the prompt alone, where the vendor counted more, or less, than is charged. */
export function acceptPrompt(
  usage: VendorUsage | undefined,
  bounds: UsageBounds,
): TokenCounts | undefined {
  if (usage === undefined) return undefined;
  return acceptUsage({ ...usage, completion: 0 }, { ...bounds, receivedText: false });
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Counts the tokens of a text of bounded length. */
export type CountPiece = (text: string) => number;

/** A number in [0, 1) that nobody can foresee. */
export type Random = () => number;

/** Counts what is charged, while others go on; rejects when it cannot, and nobody has counted. */
export interface TokenCounter {
  /** Of an answer: one text for each choice. */
  countAnswer(texts: readonly string[]): Promise<number>;
  /**
   * Of canonical messages, thoughts included, and of the JSON of tools, schemas and the other
   * members that need a capability.
   */
  countPrompt(messages: Buffer, capabilityMembers: Buffer): Promise<number>;
}

/** Counts for clients too, who ask what a prompt would have. */
export interface ClientTokenCounter extends TokenCounter {
  /** As `countPrompt`, after everything that is charged. */
  countPromptForClient(messages: Buffer, capabilityMembers: Buffer): Promise<number>;
}

/** The text handed to the client so far. Its tokens are counted at the end, if anybody asks. */
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
  const tokensMin = texts.reduce((sum, text) => sum + promptTokensMin(Buffer.from(text)), 0);
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

/** Framing of a message and of a prompt, as the tokenizers of the field count it. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_PROMPT = 3;

/** Tokens of a prompt: all its texts, and the framing of messages. */
export function countPromptText(
  count: CountPiece,
  messages: Buffer,
  capabilityMembers: Buffer,
  random: Random,
): number {
  const parsed = JSON.parse(messages.toString()) as readonly unknown[];
  const texts = [...parsed.flatMap(textsOf), capabilityMembers.toString()];
  const framing = framingTokensOf(parsed) + mediaTokensUsual(mediaIn(parsed));
  return framing + countTexts(count, texts, random);
}

/** Texts that become vectors stand alone. */
function framingTokensOf(messages: readonly unknown[]): number {
  if (typeof messages[0] === 'string') return 0;
  return TOKENS_PER_PROMPT + TOKENS_PER_MESSAGE * messages.length;
}

function textsOf(message: unknown): readonly string[] {
  if (typeof message === 'string') return [message];
  if (typeof message !== 'object' || message === null) return [];
  const {
    content,
    role: _role,
    thinking_blocks: thoughts,
    ...others
  } = message as Readonly<Record<string, unknown>>;
  // Text apart, the parts of a content are images and files, whose bytes are no tokens.
  const said = Array.isArray(content) ? content.map((part: ContentPart) => part.text) : [content];
  const thought = Array.isArray(thoughts) ? thoughts.map((block: Thought) => block.thinking) : [];
  return [...said, ...thought, ...Object.values(others)]
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')));
}

/** Its signature, and what a vendor keeps to itself, are no text. */
interface Thought {
  readonly thinking?: unknown;
}

interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
}

function mediaIn(messages: readonly unknown[]): PromptMedia {
  const parts = messages.flatMap((message) => {
    const { content } = (message ?? {}) as { readonly content?: unknown };
    return Array.isArray(content) ? (content as readonly ContentPart[]) : [];
  });
  const countOfType = (type: string) => parts.filter((part) => part.type === type).length;
  return { bytes: 0, images: countOfType('image_url'), files: countOfType('file') };
}
