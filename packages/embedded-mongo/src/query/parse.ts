import { BSONRegExp } from 'bson';
import { CommandError } from '../errors';
import { encodeKey } from '../values/index-key';
import { parsePath } from '../values/path';
import { requireDocument } from '../values/require-document';
import {
  type Document,
  isDocument,
  isTruthy,
  toSafeInteger,
  typeName,
  type Value,
} from '../values/value';
import { compilePattern } from './pattern';
import type { Comparison, FieldTest, Pattern, Predicate } from './predicate';
import { parseTypeNames } from './type-names';

/** Above this many operands `$in` looks up a key instead of comparing one by one. */
const LINEAR_OPERANDS_MAX = 16;
/** Most operands of one `$in`, `$nin` or `$all`, and most clauses of one `$and`, `$or`, `$nor`. */
const OPERANDS_MAX = 10_000;

/** Parses a filter; anything outside the closed list of operators is an error that names it. */
export function parseFilter(filter: Document): Predicate {
  const clauses: Predicate[] = [];
  for (const [name, condition] of filter) {
    if (!name.startsWith('$')) clauses.push(...parseField(name, condition));
    else clauses.push(parseLogical(name, condition));
  }
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { kind: 'and', clauses };
}

function parseLogical(name: string, operand: Value): Predicate {
  if (name !== '$and' && name !== '$or' && name !== '$nor') {
    throw new CommandError('BadValue', `unknown top level operator: ${name}`);
  }
  const parts = requireOperands(name, operand);
  if (parts.length === 0) throw new CommandError('BadValue', `${name} must be a nonempty array`);
  const clauses = parts.map((part) => parseFilter(requireDocument(part, `an entry of ${name}`)));
  return { kind: name === '$and' ? 'and' : name === '$or' ? 'or' : 'nor', clauses };
}

function requireOperands(name: string, operand: Value): readonly Value[] {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', `${name} needs an array`);
  if (operand.length > OPERANDS_MAX) {
    throw new CommandError('BadValue', `${name} has more than ${OPERANDS_MAX} entries`);
  }
  return operand;
}

function parseField(name: string, condition: Value): Predicate[] {
  const path = parsePath(name);
  return parseCondition(condition).map((test) => ({ kind: 'field', name, path, test }));
}

/** True when a document is a set of operators rather than a value to be equal to. */
export function hasOperators(value: Value): value is Document {
  if (!isDocument(value)) return false;
  const [first] = value.keys();
  return first?.startsWith('$') ?? false;
}

function parseCondition(condition: Value): FieldTest[] {
  if (condition instanceof BSONRegExp) return [{ kind: 'regex', pattern: toPattern(condition) }];
  if (!hasOperators(condition)) return [compare('eq', condition)];
  const tests: FieldTest[] = [];
  for (const [operator, operand] of condition) {
    if (operator === '$options') {
      if (!condition.has('$regex')) throw new CommandError('BadValue', '$options needs a $regex');
    } else if (operator === '$regex') {
      tests.push({ kind: 'regex', pattern: parseRegex(operand, condition.get('$options')) });
    } else {
      tests.push(parseOperator(operator, operand));
    }
  }
  return tests;
}

function compare(comparison: Comparison, operand: Value): FieldTest {
  return { kind: 'compare', comparison, operand };
}

function parseOperator(operator: string, operand: Value): FieldTest {
  switch (operator) {
    case '$eq':
      return compare('eq', operand);
    case '$gt':
      return compare('gt', refuseRegex(operator, operand));
    case '$gte':
      return compare('gte', refuseRegex(operator, operand));
    case '$lt':
      return compare('lt', refuseRegex(operator, operand));
    case '$lte':
      return compare('lte', refuseRegex(operator, operand));
    case '$ne':
      return { kind: 'not', tests: [compare('eq', refuseRegex(operator, operand))] };
    case '$in':
      return parseIn(operator, operand);
    case '$nin':
      return { kind: 'not', tests: [parseIn(operator, operand)] };
    case '$exists':
      return { kind: 'exists', expected: isTruthy(operand) };
    case '$not':
      return parseNot(operand);
    case '$size':
      return parseSize(operand);
    case '$type':
      return { kind: 'type', names: parseTypeNames(operand) };
    case '$all':
      return parseAll(operand);
    case '$elemMatch':
      return parseElementMatch(operand);
    default:
      throw new CommandError('BadValue', `unknown operator: ${operator}`);
  }
}

function refuseRegex(operator: string, operand: Value): Value {
  if (!(operand instanceof BSONRegExp)) return operand;
  throw new CommandError('BadValue', `Can't have regex as arg to ${operator}.`);
}

function toPattern(value: BSONRegExp): Pattern {
  return compilePattern(value.pattern, value.options);
}

function parseRegex(operand: Value, options: Value | undefined): Pattern {
  if (options !== undefined && typeof options !== 'string') {
    throw new CommandError('BadValue', '$options has to be a string');
  }
  if (operand instanceof BSONRegExp) {
    return compilePattern(operand.pattern, options ?? operand.options);
  }
  if (typeof operand !== 'string') throw new CommandError('BadValue', '$regex has to be a string');
  return compilePattern(operand, options ?? '');
}

function parseIn(operator: string, operand: Value): FieldTest {
  const operands: Value[] = [];
  const patterns: Pattern[] = [];
  for (const value of requireOperands(operator, operand)) {
    if (value instanceof BSONRegExp) patterns.push(toPattern(value));
    else if (hasOperators(value)) {
      throw new CommandError('BadValue', `cannot nest $ under ${operator}`);
    } else operands.push(value);
  }
  const keys =
    operands.length > LINEAR_OPERANDS_MAX
      ? new Set(operands.map((value) => encodeKey(value).toString('latin1')))
      : undefined;
  return { kind: 'in', operands, patterns, keys };
}

function parseNot(operand: Value): FieldTest {
  if (!(operand instanceof BSONRegExp) && !hasOperators(operand)) {
    throw new CommandError('BadValue', '$not needs a regex or a document of operators');
  }
  return { kind: 'not', tests: parseCondition(operand) };
}

function parseSize(operand: Value): FieldTest {
  const size = toSafeInteger(operand);
  if (size === undefined || size < 0) {
    throw new CommandError('BadValue', `Failed to parse $size. Expected a whole number`);
  }
  return { kind: 'size', size };
}

function parseAll(operand: Value): FieldTest {
  const tests = requireOperands('$all', operand).flatMap((value) => {
    if (hasOperators(value) && !(value.size === 1 && value.has('$elemMatch'))) {
      throw new CommandError('BadValue', 'no $ expressions in $all but $elemMatch');
    }
    return parseCondition(value);
  });
  return { kind: 'all', tests };
}

function parseElementMatch(operand: Value): FieldTest {
  if (!isDocument(operand)) {
    throw new CommandError('BadValue', `$elemMatch needs an Object, not ${typeName(operand)}`);
  }
  const [first] = operand.keys();
  const isLogical = first === '$and' || first === '$or' || first === '$nor';
  return hasOperators(operand) && !isLogical
    ? { kind: 'elementValue', tests: parseCondition(operand) }
    : { kind: 'elementDocument', predicate: parseFilter(operand) };
}
