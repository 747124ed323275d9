import { isUtf8 } from 'node:buffer';
import { AppError, endOfJsonString, isDeeperThan } from '@tollgate/core';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** How a body is read. */
export interface JsonTextRules {
  readonly depthMax: number;
  /**
   * Refuses an object that names a member twice, of which the last would win silently, or names
   * one `__proto__`, which would be lost silently.
   */
  readonly refuseDuplicates: boolean;
}

/**
 * Parses a request body. Refuses invalid UTF-8, nesting beyond the bound (checked before parsing,
 * so that a hostile body never becomes objects) and, where asked, duplicate members.
 */
export function parseJsonText(bytes: Buffer, rules: JsonTextRules): unknown {
  if (!isUtf8(bytes)) throw invalid('The request body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (isDeeperThan(text, rules.depthMax)) {
    throw invalid(`The request body is nested deeper than ${rules.depthMax} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
  if (rules.refuseDuplicates) {
    const duplicate = findDuplicateMember(text);
    if (duplicate !== undefined) {
      throw new AppError('VALIDATION_ERROR', {
        publicMessage: 'The request body names a member twice.',
        param: duplicate,
      });
    }
  }
  if (rules.refuseDuplicates || mayHoldHalfPair(text)) refuseLostText(value, rules);
  return value;
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** Only an escape can write half of a surrogate pair: UTF-8 was checked before. */
function mayHoldHalfPair(text: string): boolean {
  // Hardly any text has such escapes, and a plain search is fifty times as fast.
  return text.includes('\\u') && HALF_PAIR.test(text);
}

/**
 * Refuses what would not arrive as it was said: half of a surrogate pair, which no UTF-8 can carry
 * and which becomes another character on its way, and members that objects cannot have.
 */
function refuseLostText(value: unknown, rules: JsonTextRules, path = ''): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw lost(path, 'holds half of a surrogate pair.');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = Array.isArray(value)
      ? `${path}[${name}]`
      : path === ''
        ? name
        : `${path}.${name}`;
    if (!name.isWellFormed()) throw lost(path, 'has a name with half of a surrogate pair.');
    if (rules.refuseDuplicates && name === '__proto__') throw lost(inner, 'is no possible name.');
    refuseLostText(member, rules, inner);
  }
}

function lost(path: string, rule: string): AppError {
  if (path === '') return invalid(`The request body ${rule}`);
  return new AppError('VALIDATION_ERROR', { publicMessage: `${path}: ${rule}`, param: path });
}

function invalid(publicMessage: string): AppError {
  return new AppError('VALIDATION_ERROR', { publicMessage });
}

/** The first member name that one object of the valid JSON text has twice. */
export function findDuplicateMember(text: string): string | undefined {
  // One set of names per open object; arrays hold a place so that brackets pair up.
  const open: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN_BRACE) open.push(new Set());
    else if (code === OPEN_BRACKET) open.push(undefined);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
    else if (code === QUOTE) {
      const end = endOfJsonString(text, index);
      const names = open.at(-1);
      if (names !== undefined && isFollowedByColon(text, end + 1)) {
        const name = String(JSON.parse(text.slice(index, end + 1)));
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end;
    }
  }
  return undefined;
}

function isFollowedByColon(text: string, start: number): boolean {
  let index = start;
  while (/[ \t\n\r]/.test(text.charAt(index))) index += 1;
  return text.charAt(index) === ':';
}
