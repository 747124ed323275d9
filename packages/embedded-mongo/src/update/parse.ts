import { CommandError } from '../errors';
import { hasOperators } from '../query/parse';
import { type FieldPath, parsePath } from '../values/path';
import { requireDocument } from '../values/require-document';
import { type Document, isDocument, typeName, type Value } from '../values/value';
import type { ArrayModifier } from './array-modifier';
import { parseArrayModifier } from './parse-array';

/** What happens to one field. */
export type FieldChange =
  | { readonly kind: 'set' | 'setOnInsert' | 'inc' | 'min' | 'max'; readonly operand: Value }
  | { readonly kind: 'unset' }
  | { readonly kind: 'currentDate' }
  | ArrayModifier;

/** One field with its change. */
export interface PathChange {
  readonly name: string;
  readonly path: FieldPath;
  readonly change: FieldChange;
}

/** A parsed update: a whole new document, or changes in the order in which they apply. */
export type UpdatePlan =
  | { readonly kind: 'replace'; readonly replacement: Document }
  | { readonly kind: 'change'; readonly changes: readonly PathChange[] };

/** Parses the `u` of an update; operators outside the closed list are errors that name them. */
export function parseUpdate(update: Value | undefined): UpdatePlan {
  if (Array.isArray(update)) {
    throw new CommandError('FailedToParse', 'Aggregation-pipeline updates are not supported');
  }
  const document = requireDocument(update, 'an update');
  if (!hasOperators(document)) return parseReplacement(document);
  const changes: PathChange[] = [];
  for (const [operator, fields] of document) {
    if (!isDocument(fields)) {
      throw new CommandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} for ${operator}`,
      );
    }
    for (const [name, operand] of fields) {
      const path = parseTarget(name);
      changes.push({ name, path, change: parseChange(operator, name, operand) });
    }
    if (fields.size === 0) requireKnown(operator);
  }
  changes.sort((left, right) => comparePaths(left.path, right.path));
  refuseConflicts(changes);
  return { kind: 'change', changes };
}

function parseReplacement(document: Document): UpdatePlan {
  for (const name of document.keys()) {
    if (name.startsWith('$')) {
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' is not allowed in a replacement document`,
      );
    }
  }
  return { kind: 'replace', replacement: document };
}

function parseTarget(name: string): FieldPath {
  const path = parsePath(name);
  const positional = path.find((component) => component.startsWith('$'));
  if (positional !== undefined) {
    const problem = /^\$(\[.*\])?$/.test(positional)
      ? `The positional operator '${positional}' is not supported`
      : `The dollar ($) prefixed field '${positional}' is not valid for storage`;
    throw new CommandError(
      problem.includes('positional') ? 'BadValue' : 'DollarPrefixedFieldName',
      `${problem} (in '${name}')`,
    );
  }
  return path;
}

const OPERATORS: ReadonlySet<string> = new Set([
  '$set',
  '$setOnInsert',
  '$unset',
  '$inc',
  '$min',
  '$max',
  '$currentDate',
  '$push',
  '$addToSet',
  '$pull',
]);

function requireKnown(operator: string): void {
  if (OPERATORS.has(operator)) return;
  throw new CommandError(
    'FailedToParse',
    `Unknown modifier: ${operator}. Expected one of ${[...OPERATORS].join(', ')}`,
  );
}

function parseChange(operator: string, name: string, operand: Value): FieldChange {
  switch (operator) {
    case '$set':
      return { kind: 'set', operand };
    case '$setOnInsert':
      return { kind: 'setOnInsert', operand };
    case '$inc':
      return { kind: 'inc', operand };
    case '$min':
      return { kind: 'min', operand };
    case '$max':
      return { kind: 'max', operand };
    case '$unset':
      return { kind: 'unset' };
    case '$currentDate':
      return parseCurrentDate(name, operand);
    default:
      requireKnown(operator);
      return parseArrayModifier(operator, operand);
  }
}

function parseCurrentDate(name: string, operand: Value): FieldChange {
  const asDate = isDocument(operand) && operand.size === 1 && operand.get('$type') === 'date';
  if (operand === true || asDate) return { kind: 'currentDate' };
  throw new CommandError(
    'BadValue',
    `$currentDate of '${name}' takes true or { $type: 'date' } only`,
  );
}

/** By component; numbers as numbers. New fields appear in this order, as in MongoDB. */
function comparePaths(left: FieldPath, right: FieldPath): number {
  for (const [index, component] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (component === other) continue;
    const numeric = /^\d+$/.test(component) && /^\d+$/.test(other);
    const difference = numeric ? Number(component) - Number(other) : 0;
    return difference || (component < other ? -1 : 1);
  }
  return left.length - right.length;
}

/** Sorted, a path that contains another stands directly before the first it contains. */
function refuseConflicts(changes: readonly PathChange[]): void {
  for (const [index, next] of changes.entries()) {
    const previous = changes[index - 1];
    if (previous === undefined) continue;
    const contained = previous.path.every((component, at) => next.path[at] === component);
    if (contained) {
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${next.name}' would create a conflict at '${previous.name}'`,
      );
    }
  }
}
