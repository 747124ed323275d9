import { assertNever } from '@tollgate/core';
import { BSONRegExp, Double, MaxKey, MinKey } from 'bson';
import { compareValues, valuesEqual } from '../values/compare';
import { encodeKey } from '../values/index-key';
import { type FieldPath, visitPath } from '../values/path';
import { type Document, isDocument, typeName, typeRank, type Value } from '../values/value';
import { testPattern } from './pattern';
import type { Comparison, FieldTest, Pattern, Predicate } from './predicate';

/** True when the document satisfies the filter. */
export function matches(predicate: Predicate, document: Document): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.clauses.every((clause) => matches(clause, document));
    case 'or':
      return predicate.clauses.some((clause) => matches(clause, document));
    case 'nor':
      return !predicate.clauses.some((clause) => matches(clause, document));
    case 'field':
      return matchesPath(document, predicate.path, predicate.test);
    default:
      return assertNever(predicate);
  }
}

function matchesPath(document: Document, path: FieldPath, test: FieldTest): boolean {
  switch (test.kind) {
    case 'not':
      return !test.tests.every((inner) => matchesPath(document, path, inner));
    case 'all':
      return (
        test.tests.length > 0 && test.tests.every((inner) => matchesPath(document, path, inner))
      );
    case 'exists': {
      const found = visitPath(document, path, 0, (value) => value !== undefined);
      return found === test.expected;
    }
    default:
      return visitPath(document, path, 0, (value, isElement) => passes(test, value, isElement));
  }
}

/** The test of one value on its own, as `$elemMatch` and `$pull` apply it to an element. */
export function matchesValue(test: FieldTest, value: Value): boolean {
  // A document with one field lets the same path rules (arrays included) decide.
  return matchesPath(new Map([['value', value]]), ELEMENT_PATH, test);
}

const ELEMENT_PATH: FieldPath = ['value'];

type LeafTest = Exclude<FieldTest, { readonly kind: 'not' | 'all' | 'exists' }>;

function passes(test: LeafTest, value: Value | undefined, isElement: boolean): boolean {
  switch (test.kind) {
    case 'compare':
      return compareTo(value, test.comparison, test.operand);
    case 'in':
      return isAmong(value, test);
    case 'regex':
      return passesPattern(test.pattern, value);
    case 'type':
      return value !== undefined && test.names.has(typeName(value));
    case 'size':
      return !isElement && Array.isArray(value) && value.length === test.size;
    case 'elementDocument':
      return (
        !isElement &&
        Array.isArray(value) &&
        value.some((element) => isDocument(element) && matches(test.predicate, element))
      );
    case 'elementValue':
      return (
        !isElement &&
        Array.isArray(value) &&
        value.some((element) => test.tests.every((inner) => matchesValue(inner, element)))
      );
    default:
      return assertNever(test);
  }
}

function passesPattern(pattern: Pattern, value: Value | undefined): boolean {
  if (typeof value === 'string') return testPattern(pattern, value);
  return (
    value instanceof BSONRegExp &&
    value.pattern === pattern.source &&
    value.options === pattern.options
  );
}

function isAmong(
  value: Value | undefined,
  test: Extract<FieldTest, { readonly kind: 'in' }>,
): boolean {
  if (test.patterns.some((pattern) => passesPattern(pattern, value))) return true;
  if (test.keys !== undefined) return test.keys.has(encodeKey(value).toString('latin1'));
  return test.operands.some((operand) => compareTo(value, 'eq', operand));
}

function isNaNValue(value: Value | undefined): boolean {
  return value instanceof Double && Number.isNaN(value.value);
}

/** Ordering stays within one type, except against MinKey and MaxKey; null stands for missing. */
function compareTo(value: Value | undefined, comparison: Comparison, operand: Value): boolean {
  const rank = typeRank(operand);
  if (comparison === 'eq') return typeRank(value) === rank && valuesEqual(value, operand);
  const crossesTypes = operand instanceof MinKey || operand instanceof MaxKey;
  if (value === undefined && operand !== null) return false;
  if (!crossesTypes && typeRank(value) !== rank) return false;
  const order = compareValues(value, operand);
  const orEqual = comparison === 'gte' || comparison === 'lte';
  if (isNaNValue(value) || isNaNValue(operand)) return orEqual && order === 0;
  if (order === 0) return orEqual;
  return comparison === 'gt' || comparison === 'gte' ? order > 0 : order < 0;
}
