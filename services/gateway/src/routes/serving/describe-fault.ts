import { nearestName } from '@tollgate/core';
import { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Said of a field or a parameter that is not there, before any hint. */
const UNKNOWN = 'is not known here';
const NAMES_MAX = 30;
/** Members of an object that are named where something else was sent. */
const SHAPE_MAX = 6;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * The fault of a value and the accepted form, in a sentence that goes on from the name
 * of the field. Rules that a schema states in its own words are kept: this is asked for the others.
 */
export function describeFault(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input, fieldsOf(issue.inst));
    case 'too_small':
      return describeBound('at least', issue.origin, issue.minimum);
    case 'too_big':
      return describeBound('at most', issue.origin, issue.maximum);
    case 'invalid_value':
      return describeChoice(issue.values, issue.input);
    case 'invalid_format':
      return describeFormat(issue.format, issue.pattern);
    case 'unrecognized_keys': {
      return describeUnknown(issue.keys[0] ?? '', fieldsOf(issue.inst));
    }
    default:
      return 'has a form that is not accepted.';
  }
}

/** The fault of a name that is not known: names the nearest one, or all when they are few. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known, Math.max(2, Math.floor(name.length / 3)));
  if (meant !== undefined) return `${UNKNOWN}. Did you mean ${meant}?`;
  if (known.length === 0) return `${UNKNOWN}: nothing is taken.`;
  return known.length > NAMES_MAX ? `${UNKNOWN}.` : `${UNKNOWN}. Known are ${known.join(', ')}.`;
}

function fieldsOf(inst: RawIssue['inst']): readonly string[] {
  return inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
}

function describeType(expected: string, input: unknown, fields: readonly string[]): string {
  // A field of any form that may be left out elsewhere has no name of its form.
  if (expected === 'nonoptional') return 'is required.';
  const shape = fields.length > 0 && fields.length <= SHAPE_MAX ? ` (${fields.join(', ')})` : '';
  const kind = `${KINDS[expected] ?? expected}${shape}`;
  if (input === undefined) return `is required, and must be ${kind}.`;
  return `must be ${kind}, not ${describeValue(input)}.`;
}

function describeValue(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return KINDS.array ?? '';
  // A whole number was wanted where a number is refused.
  return typeof input === 'number' ? String(input) : (KINDS[typeof input] ?? typeof input);
}

function describeBound(comparison: string, origin: string, bound: number | bigint): string {
  if (origin === 'string') {
    if (comparison === 'at least' && Number(bound) === 1) return 'must not be empty.';
    return `must have ${comparison} ${bound} ${Number(bound) === 1 ? 'character' : 'characters'}.`;
  }
  if (origin === 'array') {
    return `must have ${comparison} ${bound} ${Number(bound) === 1 ? 'item' : 'items'}.`;
  }
  return `must be ${comparison} ${bound}.`;
}

function describeChoice(values: readonly unknown[], input: unknown): string {
  const names = values.map(String);
  const form =
    names.length === 1 ? `must be ${names.join('')}.` : `must be one of ${names.join(', ')}.`;
  if (input === undefined) return `is required: it ${form}`;
  const meant = typeof input === 'string' ? nearestName(input, names) : undefined;
  return meant === undefined ? form : `${form} Did you mean ${meant}?`;
}

function describeFormat(format: string, pattern: string | undefined): string {
  if (format === 'datetime') {
    return 'must be a time with its zone, such as 2026-01-31T12:00:00Z.';
  }
  return pattern === undefined ? `must be a valid ${format}.` : `must have the form ${pattern}.`;
}
