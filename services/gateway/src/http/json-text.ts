import { isUtf8 } from 'node:buffer';
import { AppError, endOfJsonString, findExcess, type JsonObject } from '@tollgate/core';
import { invalidField } from './errors';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/**
 * Parsing one text holds everything else up: ten megabytes of `{},` for most of a second.
 * Half a million is beyond what a request to a vendor holds, lists of tokens included.
 */
const VALUES_MAX = 500_000;

/** How a body is read. */
export interface JsonTextRules {
  readonly depthMax: number;
  /**
   * Refuses an object that names a field twice, of which the last would win silently, or names
   * one `__proto__`, which would be lost silently.
   */
  readonly refuseDuplicates: boolean;
}

/**
 * Parses a request body. Refuses invalid UTF-8, nesting and numbers of values beyond their bounds
 * (checked before parsing, so that a hostile body never becomes objects) and, where asked,
 * duplicate fields.
 */
export function parseJsonText(bytes: Buffer, rules: JsonTextRules): unknown {
  if (!isUtf8(bytes)) throw invalidBody('The request body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  const excess = findExcess(text, { depthMax: rules.depthMax, valuesMax: VALUES_MAX });
  if (excess === 'depth') {
    throw invalidBody(`The request body is nested deeper than ${rules.depthMax} levels.`);
  }
  if (excess === 'values') {
    throw invalidBody(`The request body holds more than ${VALUES_MAX} values.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidBody('The request body is not valid JSON.');
  }
  if (rules.refuseDuplicates) {
    const duplicate = findDuplicateField(text);
    if (duplicate !== undefined) {
      throw new AppError('VALIDATION_ERROR', {
        publicMessage: 'The request body names a member twice.',
        param: duplicate,
      });
    }
  }
  if (rules.refuseDuplicates || holdsHalfPair(text)) requireNoLostText(value, rules);
  return value;
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** Only an escape can write half of a surrogate pair: UTF-8 was checked before. */
function holdsHalfPair(text: string): boolean {
  // Hardly any text has such escapes, and a plain search is fifty times as fast.
  if (!text.includes('\\u') || !HALF_PAIR.test(text)) return false;
  let at = text.indexOf('\\');
  while (at !== -1) {
    const first = surrogateAt(text, at);
    const isPair = first === 'high' && surrogateAt(text, at + ESCAPE_LENGTH) === 'low';
    if (first !== undefined && !isPair) return true;
    // What a backslash stands before is never the beginning of an escape.
    at = text.indexOf('\\', at + (isPair ? 2 * ESCAPE_LENGTH : 2));
  }
  return false;
}

const ESCAPE_LENGTH = 6;

/** Which half of a pair the escape stands for that begins here. */
function surrogateAt(text: string, at: number): 'high' | 'low' | undefined {
  if (text[at] !== '\\' || text[at + 1] !== 'u') return undefined;
  const unit = Number.parseInt(text.slice(at + 2, at + ESCAPE_LENGTH), 16);
  if (unit < 0xd800 || unit > 0xdfff) return undefined;
  return unit < 0xdc00 ? 'high' : 'low';
}

/**
 * Refuses what would not arrive as it was said: half of a surrogate pair, which no UTF-8 can carry
 * and which becomes another character on its way, and fields that objects cannot have.
 */
function requireNoLostText(value: unknown, rules: JsonTextRules): void {
  const found = findLostText(value, rules);
  if (found !== undefined) throw lost(found.path.replace(/^\./, ''), found.rule);
}

/** The path is written on the way back: a body may hold millions of values, and none is at fault. */
function findLostText(
  value: unknown,
  rules: JsonTextRules,
): { readonly path: string; readonly rule: string } | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : { path: '', rule: 'holds half of a surrogate pair.' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findLostText(value[index], rules);
      if (found !== undefined) return { ...found, path: `[${index}]${found.path}` };
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (!name.isWellFormed()) {
      return { path: '', rule: 'has a name with half of a surrogate pair.' };
    }
    if (rules.refuseDuplicates && name === '__proto__') {
      return { path: `.${name}`, rule: 'is no possible name.' };
    }
    const found = findLostText((value as JsonObject)[name], rules);
    if (found !== undefined) return { ...found, path: `.${name}${found.path}` };
  }
  return undefined;
}

function lost(path: string, rule: string): AppError {
  if (path === '') return invalidBody(`The request body ${rule}`);
  return invalidField(path, rule);
}

function invalidBody(publicMessage: string): AppError {
  return new AppError('VALIDATION_ERROR', { publicMessage });
}

/** The first field name that one object of the valid JSON text has twice. */
export function findDuplicateField(text: string): string | undefined {
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
