import { BSONRegExp } from 'bson';
import { CommandError } from '../errors';
import { matches, matchesValue } from '../query/match';
import { hasOperators, parseFilter } from '../query/parse';
import { parseSort } from '../query/sort';
import { valuesEqual } from '../values/compare';
import { type Document, isDocument, toSafeInteger, type Value } from '../values/value';
import type { ArrayModifier, PushModifier } from './array-modifier';

/** Parses the operand of `$push`, `$addToSet` or `$pull`. */
export function parseArrayModifier(operator: string, operand: Value): ArrayModifier {
  switch (operator) {
    case '$push':
      return parsePush(operand);
    case '$addToSet':
      return { kind: 'addToSet', values: parseAddToSet(operand) };
    case '$pull':
      return { kind: 'pull', removes: parsePull(operand) };
    default:
      throw new CommandError('FailedToParse', `Unknown modifier: ${operator}`);
  }
}

function parseEach(operator: string, modifiers: Document): readonly Value[] {
  const each = modifiers.get('$each');
  if (Array.isArray(each)) return each;
  throw new CommandError(
    operator === '$push' ? 'BadValue' : 'TypeMismatch',
    `The argument to $each in ${operator} must be an array`,
  );
}

function parsePush(operand: Value): PushModifier {
  const plain = { kind: 'push', position: undefined, sort: undefined, slice: undefined } as const;
  if (!isDocument(operand) || !operand.has('$each')) {
    if (hasOperators(operand)) {
      throw new CommandError('BadValue', '$push takes modifiers together with $each only');
    }
    return { ...plain, values: [operand] };
  }
  for (const name of operand.keys()) {
    if (!['$each', '$slice', '$sort', '$position'].includes(name)) {
      throw new CommandError('BadValue', `Unrecognized clause in $push: ${name}`);
    }
  }
  return {
    kind: 'push',
    values: parseEach('$push', operand),
    position: optionalInteger('$position', operand),
    slice: optionalInteger('$slice', operand),
    sort: parsePushSort(operand.get('$sort')),
  };
}

function optionalInteger(name: string, modifiers: Document): number | undefined {
  const value = modifiers.get(name);
  if (value === undefined) return undefined;
  const integer = toSafeInteger(value);
  if (integer === undefined) {
    throw new CommandError('BadValue', `The value for ${name} must be a whole number`);
  }
  return integer;
}

function parsePushSort(value: Value | undefined): PushModifier['sort'] {
  if (value === undefined) return undefined;
  if (isDocument(value)) return parseSort(value);
  const direction = toSafeInteger(value);
  if (direction === 1 || direction === -1) return direction;
  throw new CommandError('BadValue', 'The $sort is invalid: use 1/-1, or a document of fields');
}

function parseAddToSet(operand: Value): readonly Value[] {
  if (!hasOperators(operand)) return [operand];
  const unknown = [...operand.keys()].find((name) => name !== '$each');
  if (unknown !== undefined) {
    throw new CommandError(
      'BadValue',
      `Found unexpected field after $each in $addToSet: ${unknown}`,
    );
  }
  return parseEach('$addToSet', operand);
}

/** `$pull` takes a value, a condition on elements, or a filter on elements that are documents. */
function parsePull(operand: Value): (element: Value) => boolean {
  if (operand instanceof BSONRegExp || hasOperators(operand)) {
    const predicate = parseFilter(new Map([['value', operand]]));
    const clauses = predicate.kind === 'and' ? predicate.clauses : [predicate];
    const tests = clauses.flatMap((clause) => (clause.kind === 'field' ? [clause.test] : []));
    return (element) => tests.every((test) => matchesValue(test, element));
  }
  if (isDocument(operand)) {
    const predicate = parseFilter(operand);
    return (element) => isDocument(element) && matches(predicate, element);
  }
  return (element) => valuesEqual(element, operand);
}
