import { assertNever } from '@tollgate/core';
import { BSONRegExp, Double } from 'bson';
import { CommandError } from '../errors';
import { compareValues, valuesEqual } from '../values/compare';
import { encodeKey } from '../values/index-key';
import { type FieldPath, parsePath, visitPath } from '../values/path';
import { type Document, isDocument, isTruthy, typeRank, type Value } from '../values/value';

/** How a value is compared; `ne` and `nin` are negations of `eq` and `in`. */
export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition on the values that a path reaches. */
export type FieldTest =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly operand: Value }
  | {
      readonly kind: 'in';
      readonly operands: readonly Value[];
      /** Keys of the operands, when there are too many to compare one by one. */
      readonly keys: ReadonlySet<string> | undefined;
    }
  | { readonly kind: 'not'; readonly test: FieldTest }
  | { readonly kind: 'exists'; readonly expected: boolean };

/** One condition on one field. */
export interface Condition {
  readonly name: string;
  readonly path: FieldPath;
  readonly test: FieldTest;
}

/** A parsed filter: a document matches when every condition holds. */
export type Filter = readonly Condition[];

/** Above this many operands `$in` looks up a key instead of comparing one by one. */
const LINEAR_OPERANDS_MAX = 16;
/** Most operands of one `$in` or `$nin`. */
const OPERANDS_MAX = 10_000;

/** Parses a filter; anything outside the closed list of operators is an error that names it. */
export function parseFilter(filter: Document): Filter {
  return [...filter].flatMap(([name, condition]) => {
    if (name.startsWith('$')) {
      throw new CommandError('BadValue', `unknown top level operator: ${name}`);
    }
    const path = parsePath(name);
    return parseTests(condition).map((test) => ({ name, path, test }));
  });
}

function parseTests(condition: Value): readonly FieldTest[] {
  if (!hasOperators(condition)) return [compare('eq', refuseRegex(condition))];
  return [...condition].map(([operator, operand]) => parseOperator(operator, operand));
}

/** True when a document is a set of operators rather than a value to be equal to. */
export function hasOperators(value: Value): value is Document {
  if (!isDocument(value)) return false;
  const [first] = value.keys();
  return first?.startsWith('$') ?? false;
}

function compare(comparison: Comparison, operand: Value): FieldTest {
  return { kind: 'compare', comparison, operand };
}

function parseOperator(operator: string, operand: Value): FieldTest {
  switch (operator) {
    case '$gt':
      return compare('gt', refuseRegex(operand));
    case '$gte':
      return compare('gte', refuseRegex(operand));
    case '$lt':
      return compare('lt', refuseRegex(operand));
    case '$lte':
      return compare('lte', refuseRegex(operand));
    case '$ne':
      return { kind: 'not', test: compare('eq', refuseRegex(operand)) };
    case '$in':
      return parseIn(operator, operand);
    case '$nin':
      return { kind: 'not', test: parseIn(operator, operand) };
    case '$exists':
      return { kind: 'exists', expected: isTruthy(operand) };
    default:
      throw new CommandError('BadValue', `unknown operator: ${operator}`);
  }
}

/** MongoDB would match texts against it; comparing it as a value would find nothing in silence. */
function refuseRegex(operand: Value): Value {
  if (!(operand instanceof BSONRegExp)) return operand;
  throw new CommandError('BadValue', 'a regular expression in a filter is not supported');
}

function parseIn(operator: string, operand: Value): FieldTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', `${operator} needs an array`);
  if (operand.length > OPERANDS_MAX) {
    throw new CommandError('BadValue', `${operator} has more than ${OPERANDS_MAX} entries`);
  }
  for (const value of operand) {
    refuseRegex(value);
    if (hasOperators(value)) throw new CommandError('BadValue', `cannot nest $ under ${operator}`);
  }
  const keys =
    operand.length > LINEAR_OPERANDS_MAX
      ? new Set(operand.map((value) => encodeKey(value).toString('latin1')))
      : undefined;
  return { kind: 'in', operands: operand, keys };
}

/** True when the document satisfies the filter. */
export function matches(filter: Filter, document: Document): boolean {
  return filter.every(({ path, test }) => matchesPath(document, path, test));
}

function matchesPath(document: Document, path: FieldPath, test: FieldTest): boolean {
  switch (test.kind) {
    case 'not':
      return !matchesPath(document, path, test.test);
    case 'exists':
      return visitPath(document, path, 0, (value) => value !== undefined) === test.expected;
    case 'compare':
      return visitPath(document, path, 0, (value) =>
        compareTo(value, test.comparison, test.operand),
      );
    case 'in':
      return visitPath(document, path, 0, (value) => isAmong(value, test));
    default:
      return assertNever(test);
  }
}

function isAmong(
  value: Value | undefined,
  test: Extract<FieldTest, { readonly kind: 'in' }>,
): boolean {
  if (test.keys !== undefined) return test.keys.has(encodeKey(value).toString('latin1'));
  return test.operands.some((operand) => compareTo(value, 'eq', operand));
}

function isNaNValue(value: Value | undefined): boolean {
  return value instanceof Double && Number.isNaN(value.value);
}

/** Ordering stays within one type; null stands for missing. */
function compareTo(value: Value | undefined, comparison: Comparison, operand: Value): boolean {
  const rank = typeRank(operand);
  if (comparison === 'eq') return typeRank(value) === rank && valuesEqual(value, operand);
  if (value === undefined && operand !== null) return false;
  if (typeRank(value) !== rank) return false;
  const order = compareValues(value, operand);
  const orEqual = comparison === 'gte' || comparison === 'lte';
  if (isNaNValue(value) || isNaNValue(operand)) return orEqual && order === 0;
  if (order === 0) return orEqual;
  return comparison === 'gt' || comparison === 'gte' ? order > 0 : order < 0;
}
