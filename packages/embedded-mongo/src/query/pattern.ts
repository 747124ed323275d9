import { CommandError } from '../errors';
import type { Pattern } from './predicate';

/** Longest pattern accepted, in UTF-16 units. */
export const PATTERN_LENGTH_MAX = 512;
/** Longest text a pattern is run against; a longer one is an error, not a silent miss. */
export const PATTERN_SUBJECT_LENGTH_MAX = 65_536;

/**
 * Compiles a pattern that cannot run away. JavaScript's engine backtracks, so the constructs that
 * make backtracking exponential are refused by name: a repeated group that repeats or chooses
 * inside, lookaround and back-references.
 */
export function compilePattern(source: string, options: string): Pattern {
  if (source.length > PATTERN_LENGTH_MAX) {
    throw new CommandError('BadValue', `$regex is longer than ${PATTERN_LENGTH_MAX} characters`);
  }
  const unknown = options.replace(/[ims]/g, '');
  if (unknown !== '') {
    throw new CommandError('BadValue', `$regex option '${unknown}' is not supported`);
  }
  refuseRunaway(source);
  const flags = [...new Set(options)].join('');
  try {
    return { source, options, expression: new RegExp(source, flags) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('Location51091', `Regular expression is invalid: ${reason}`);
  }
}

/** Runs a pattern on a text of bounded length. */
export function testPattern(pattern: Pattern, text: string): boolean {
  if (text.length > PATTERN_SUBJECT_LENGTH_MAX) {
    throw new CommandError(
      'BadValue',
      `$regex was given a text of more than ${PATTERN_SUBJECT_LENGTH_MAX} characters`,
    );
  }
  return pattern.expression.test(text);
}

function refuseRunaway(source: string): void {
  const text = source.replace(/\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\\[1-9k]/.test(text)) throw notSupported('a back-reference');
  if (/\(\?(?!:)/.test(text)) throw notSupported('lookaround or a special group');
  const plain = text.replace(/\\./g, 'x');
  const groups: boolean[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    const character = plain[at] ?? '';
    if (character === '(') {
      groups.push(false);
    } else if (character === ')') {
      const varies = groups.pop() ?? false;
      const repeats = /[*+{]/.test(plain[at + 1] ?? '');
      if (varies && repeats) throw notSupported('a repeated group that varies inside');
      if (varies || repeats) markOuter(groups);
    } else if (/[*+{|]/.test(character) || (character === '?' && plain[at - 1] !== '(')) {
      markOuter(groups);
    }
  }
}

/** Whatever surrounds something that varies, varies too. */
function markOuter(groups: boolean[]): void {
  if (groups.length > 0) groups[groups.length - 1] = true;
}

function notSupported(what: string): CommandError {
  return new CommandError('BadValue', `$regex with ${what} is not supported`);
}
