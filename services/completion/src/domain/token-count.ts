/** Counts the tokens of a text of bounded length. */
export type CountTokens = (text: string) => number;

/**
 * Longest piece that is tokenized at once. The tokenizer's time grows faster than the text, so a
 * whole prompt in one call would let one request stop all others.
 */
export const PIECE_CHARACTERS = 2000;

/** A shorter text is counted as a whole each time, because that costs nearly nothing. */
const SHORT_CHARACTERS = 128;

/**
 * Meters a text that grows. Nothing is counted before someone asks, because a vendor that reports
 * its usage leaves nothing to count; then the costly part is done once for each word.
 */
export interface TextMeter {
  add(text: string): void;
  readonly characters: number;
  /** Tokens so far. */
  tokens(): number;
}

/** Starts at nothing. */
export function createTextMeter(count: CountTokens): TextMeter {
  let counted = 0;
  let pending = '';
  let characters = 0;
  // Tokens of `pending`; cleared when more arrives.
  let pendingTokens: number | undefined = 0;

  const countFirst = (length: number) => {
    counted += count(pending.slice(0, length));
    pending = pending.slice(length);
  };
  const countPending = (): number => {
    while (pending.length >= SHORT_CHARACTERS) {
      const piece = pending.slice(0, PIECE_CHARACTERS);
      const length = lastWordAt(piece) ?? piece.length;
      if (length < pending.length || length === PIECE_CHARACTERS) countFirst(length);
      else break;
    }
    return pending === '' ? 0 : count(pending);
  };
  return {
    add(text) {
      if (text === '') return;
      characters += text.length;
      pending += text;
      pendingTokens = undefined;
    },
    get characters() {
      return characters;
    },
    tokens() {
      pendingTokens ??= countPending();
      return counted + pendingTokens;
    },
  };
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

/**
 * Tokens of a prompt, step by step: each step counts one piece and yields, so that the caller can
 * let others work in between. The last value is the total.
 */
export function* countPromptStepwise(
  count: CountTokens,
  messages: Buffer,
  extra: Buffer,
): Generator<void, number, void> {
  const parsed = JSON.parse(messages.toString()) as readonly unknown[];
  let tokens = TOKENS_PER_PROMPT + TOKENS_PER_MESSAGE * parsed.length;
  const texts = [...parsed.flatMap(textsOf), extra.toString()];
  for (const text of texts) {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      tokens += count(text.slice(at, at + PIECE_CHARACTERS));
      yield;
    }
  }
  return tokens;
}

function textsOf(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message)
    .filter(([name]) => name !== 'role')
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')));
}
