import { AppError, isObject, type JsonObject, nearestName } from '@tollgate/core';
import { invalidField } from '../../http/errors';

export function requireObject(body: unknown): asserts body is JsonObject {
  if (isObject(body)) return;
  throw new AppError('VALIDATION_ERROR', {
    publicMessage: 'The request body must be a JSON object.',
  });
}

/** Whether a field asks for nothing: null says no more than leaving it out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Reads an optional number in a closed range; null counts as absent. */
export function optionalNumber(
  body: JsonObject,
  param: string,
  min: number,
  max: number,
): number | undefined {
  const value = body[param];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw invalidField(param, `must be a number from ${min} to ${max}.`);
  }
  return value;
}

/** Reads an optional integer in a closed range; null counts as absent. */
export function optionalInteger(
  body: JsonObject,
  param: string,
  min: number,
  max: number,
): number | undefined {
  const value = body[param];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalidField(param, `must be an integer from ${min} to ${max}.`);
  }
  return value;
}

/** Reads an optional boolean; null counts as absent. */
export function optionalBoolean(body: JsonObject, name: string, param = name): boolean | undefined {
  const value = body[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'boolean') throw invalidField(param, 'must be true or false.');
  return value;
}

/** Reads an optional object; null counts as absent. */
export function optionalObject(body: JsonObject, param: string): JsonObject | undefined {
  const value = body[param];
  if (isAbsent(value)) return undefined;
  if (!isObject(value)) throw invalidField(param, 'must be an object.');
  return value;
}

/** Reads an optional text; null counts as absent. */
export function optionalString(body: JsonObject, name: string, param = name): string | undefined {
  const value = body[name];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') throw invalidField(param, 'must be a string.');
  return value;
}

/** The text of an object that has no other fields than these. */
export function stringIn(
  value: JsonObject,
  field: string,
  known: ReadonlySet<string>,
  param: string,
): string {
  requireNoOthers(value, known, param);
  const text = value[field];
  if (typeof text !== 'string') throw invalidField(`${param}.${field}`, 'must be a string.');
  return text;
}

/** The blocks of a content, or its parts: each format has its own word for them. */
export function objectsIn(
  value: unknown,
  param: string,
  noun: 'block' | 'part',
): readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidField(param, `must be a string or an array of at least one ${noun}.`);
  }
  return (value as readonly unknown[]).map((each, index) => {
    if (!isObject(each)) throw invalidField(`${param}[${index}]`, 'must be an object with a type.');
    return each;
  });
}

/** The fields that a schema knows. */
export function fieldsOf({ shape }: { readonly shape: object }): ReadonlySet<string> {
  return new Set(Object.keys(shape));
}

/**
 * Refuses fields that a format would have to drop. One that is null, empty, or said to be off asks
 * for nothing.
 */
export function requireNoOthers(value: JsonObject, known: ReadonlySet<string>, place = ''): void {
  for (const name in value) {
    if (known.has(name) || isNeutral(value[name])) continue;
    const shown = name.slice(0, SHOWN_NAME_LENGTH);
    throw invalidField(place === '' ? shown : `${place}.${shown}`, 'is not supported here.');
  }
}

const SHOWN_NAME_LENGTH = 64;

function isNeutral(value: unknown): boolean {
  if (isAbsent(value) || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && (value.type === 'disabled' || Object.keys(value).length === 0);
}

/** So many are named; a body of one format sent to another has some more. */
export const IGNORED_MAX = 8;
/** Names alone are told, never what could be a key or a part of a prompt. */
const PLAIN_NAME = /^[a-z_]{1,32}$/i;
const HIDDEN_NAME = '*';

/**
 * The fields that are not known and ask for something; undefined without any. A field that asks for
 * nothing is among them where `isTold` says so.
 */
export function findIgnored(
  body: JsonObject,
  known: ReadonlySet<string>,
  isTold = (_name: string) => false,
): readonly string[] | undefined {
  let ignored: string[] | undefined;
  for (const name in body) {
    if (known.has(name) || (isNeutral(body[name]) && !isTold(name))) continue;
    ignored ??= [];
    ignored.push(PLAIN_NAME.test(name) ? name : HIDDEN_NAME);
    if (ignored.length === IGNORED_MAX) break;
  }
  return ignored;
}

/**
 * Names each field with the one that was likely meant: `max_token, did you mean max_tokens`. A
 * request that was accepted ignored them; a refusal says that they are not known.
 */
export function describeUnknownFields(
  names: readonly string[],
  known: ReadonlySet<string>,
  word: 'ignored' | 'not known' = 'ignored',
): string {
  const sentences = names.map((name) => {
    const meant = findMeant(name, known);
    return meant === undefined ? name : `${name}, did you mean ${meant}`;
  });
  return `${word}: ${sentences.join('; ')}`;
}

/** The field that was likely meant. Both spellings of words are in use: maxTokens. */
export function findMeant(name: string, known: ReadonlySet<string>): string | undefined {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return nearestName(plain, known);
}
