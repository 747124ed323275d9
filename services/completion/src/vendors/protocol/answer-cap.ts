import type { VendorCall } from '../../domain/vendor';

/** No vocabulary has longer tokens, runs of blanks included. */
const CHARACTERS_PER_TOKEN_MAX = 128;
const CHARACTERS_BEYOND_MAX = 1024;
/** No vocabulary joins more characters of a script that is written without blanks. */
const UNSPACED_PER_TOKEN_MAX = 24;
/**
 * Tokens end at blanks, so a text has no fewer of them than words. Twice as many, because some
 * vocabulary may yet join words, and a few more, because a vendor may look only after each step of
 * several tokens.
 */
const WORDS_PER_TOKEN_MAX = 2;
const WORDS_BEYOND_MAX = 32;

/**
 * Holds the text of one choice to the tokens that were asked for. It says of no honest answer that
 * it is past them: counting exactly takes the vendor's vocabulary, and longer than a stream can wait.
 */
export interface AnswerCap {
  /**
   * Takes the next text of the choice, and returns how many of its UTF-16 units, from its beginning,
   * may be passed on.
   */
  admit(text: string): number;
  /** More than was asked for has come. */
  readonly isPast: boolean;
}

/** Starts at the beginning of a choice. */
export function createAnswerCap({ candidate, maxTokens }: VendorCall): AnswerCap {
  const tokensMax = maxTokens ?? candidate.model.completionTokensMax;
  // A vendor that was told no bound keeps its own, which the catalogue may have wrong.
  const wordsMax =
    maxTokens === undefined ? Infinity : WORDS_BEYOND_MAX + WORDS_PER_TOKEN_MAX * tokensMax;
  let charactersLeft = CHARACTERS_BEYOND_MAX + CHARACTERS_PER_TOKEN_MAX * tokensMax;
  let words = 0;
  let isInWord = false;
  let unspaced = 0;
  let isPast = false;

  const admit = (text: string): number => {
    const within = Math.min(text.length, Math.max(0, charactersLeft));
    // Where no tokens were asked for only the length decides.
    if (wordsMax === Infinity) return wholeCharacters(text, within);
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit <= SPACE) {
        isInWord = false;
        continue;
      }
      if (!isLetter(unit)) continue;
      if (!isInWord) {
        [words, unspaced, isInWord] = [words + 1, 0, true];
      }
      if (isUnspaced(unit)) unspaced += 1;
      if (unspaced > UNSPACED_PER_TOKEN_MAX) {
        [words, unspaced] = [words + 1, 1];
      }
      if (words > wordsMax || at >= charactersLeft) return wholeCharacters(text, at);
    }
    return wholeCharacters(text, within);
  };
  return {
    admit(text) {
      const admitted = admit(text);
      // Pieces without text, such as the beginnings of calls, cost our client a frame all the same.
      charactersLeft -= Math.max(1, text.length);
      isPast ||= admitted < text.length || charactersLeft < 0;
      return admitted;
    },
    get isPast() {
      return isPast;
    },
  };
}

/**
 * A choice of a whole answer as far as it was asked for: its thoughts, then its text. What it says
 * besides, such as calls of tools, comes last; half of that means nothing, so a choice that is cut
 * has none of it.
 */
export function withinCap(
  call: VendorCall,
  { besides, text, thoughts }: Readonly<Record<'thoughts' | 'text' | 'besides', string>>,
): { readonly thoughts: string; readonly text: string; readonly isPastAsked: boolean } {
  const cap = createAnswerCap(call);
  const admit = (part: string) => (part === '' || cap.isPast ? '' : part.slice(0, cap.admit(part)));
  const kept = { thoughts: admit(thoughts), text: admit(text) };
  admit(besides);
  return { ...kept, isPastAsked: cap.isPast };
}

const SPACE = 0x20;

/** Letters and digits, as far as one look tells; signs and lines that are drawn stand apart. */
function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (unit < 0x80) return unit >= 0x30 && unit <= 0x39;
  return (unit >= 0xc0 && unit < 0x2000) || unit >= 0x3040;
}

/** Thai and its like, Chinese and Japanese. */
function isUnspaced(unit: number): boolean {
  return unit >= 0xe00 && (unit < 0x2000 || unit >= 0x3040);
}

/** No cut of ours leaves half a pair at the end; one that the vendor wrote itself is passed on. */
function wholeCharacters(text: string, length: number): number {
  if (length === text.length) return length;
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}
