import { CommandError } from '../errors';
import { type Filter, hasOperators, parseFilter } from '../query/filter';
import { requireDocument } from '../values/documents';
import { type FieldPath, parsePath } from '../values/path';
import { type Document, isDocument, toSafeInteger, typeName, type Value } from '../values/value';

/** The change of one field. */
export type FieldChange =
  | { readonly kind: 'set' | 'setOnInsert' | 'inc' | 'min' | 'max'; readonly operand: Value }
  | { readonly kind: 'unset' }
  | {
      readonly kind: 'push';
      readonly values: readonly Value[];
      /** How many elements stay: from the start, or from the end when negative. */
      readonly slice: number | undefined;
    }
  /** Removes the documents of an array that match. */
  | { readonly kind: 'pull'; readonly filter: Filter };

/** One field with its change. */
export interface PathChange {
  readonly name: string;
  readonly path: FieldPath;
  readonly change: FieldChange;
}

/** A parsed update: a whole new document, or changes in the order in which they apply. */
export type ParsedUpdate =
  | { readonly kind: 'replace'; readonly replacement: Document }
  | { readonly kind: 'change'; readonly changes: readonly PathChange[] };

/** Parses the `u` of an update; operators outside the closed list are errors that name them. */
export function parseUpdate(update: Value | undefined): ParsedUpdate {
  if (Array.isArray(update)) {
    throw new CommandError('FailedToParse', 'Aggregation-pipeline updates are not supported');
  }
  const document = requireDocument(update, 'an update');
  if (!hasOperators(document)) return parseReplacement(document);
  const changes: PathChange[] = [];
  for (const [operator, fields] of document) {
    const parseChange = OPERATORS.get(operator);
    if (parseChange === undefined) throw unknownOperator(operator);
    if (!isDocument(fields)) {
      throw new CommandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} for ${operator}`,
      );
    }
    for (const [name, operand] of fields) {
      changes.push({ name, path: parseTarget(name), change: parseChange(operand) });
    }
  }
  changes.sort((left, right) => comparePaths(left.path, right.path));
  refuseConflicts(changes);
  return { kind: 'change', changes };
}

function parseReplacement(document: Document): ParsedUpdate {
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

const OPERATORS: ReadonlyMap<string, (operand: Value) => FieldChange> = new Map([
  ['$set', (operand) => ({ kind: 'set', operand })],
  ['$setOnInsert', (operand) => ({ kind: 'setOnInsert', operand })],
  ['$unset', () => ({ kind: 'unset' })],
  ['$inc', (operand) => ({ kind: 'inc', operand })],
  ['$min', (operand) => ({ kind: 'min', operand })],
  ['$max', (operand) => ({ kind: 'max', operand })],
  ['$push', parsePush],
  ['$pull', parsePull],
] as const);

function unknownOperator(operator: string): CommandError {
  return new CommandError(
    'FailedToParse',
    `Unknown modifier: ${operator}. Expected one of ${[...OPERATORS.keys()].join(', ')}`,
  );
}

function parsePush(operand: Value): FieldChange {
  if (!hasOperators(operand)) return { kind: 'push', values: [operand], slice: undefined };
  for (const name of operand.keys()) {
    if (name !== '$each' && name !== '$slice') {
      throw new CommandError('BadValue', `Unrecognized clause in $push: ${name}`);
    }
  }
  const values = operand.get('$each');
  if (!Array.isArray(values)) {
    throw new CommandError('BadValue', 'The argument to $each in $push must be an array');
  }
  const slice = operand.get('$slice');
  const count = toSafeInteger(slice);
  if (slice !== undefined && count === undefined) {
    throw new CommandError('BadValue', 'The value for $slice must be a whole number');
  }
  return { kind: 'push', values, slice: count };
}

function parsePull(operand: Value): FieldChange {
  if (isDocument(operand) && !hasOperators(operand)) {
    return { kind: 'pull', filter: parseFilter(operand) };
  }
  throw new CommandError('BadValue', '$pull takes a filter on documents only');
}

function parseTarget(name: string): FieldPath {
  const path = parsePath(name);
  const positional = path.find((component) => component.startsWith('$'));
  if (positional === undefined) return path;
  throw /^\$(\[.*\])?$/.test(positional)
    ? new CommandError(
        'BadValue',
        `The positional operator '${positional}' is not supported (in '${name}')`,
      )
    : new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${positional}' is not valid for storage (in '${name}')`,
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

/** A path is changed once, and neither is one that it contains. */
function refuseConflicts(changes: readonly PathChange[]): void {
  const names = new Set<string>();
  for (const { name } of changes) {
    if (names.has(name)) throw conflict(name, name);
    names.add(name);
  }
  for (const { name, path } of changes) {
    for (let length = 1; length < path.length; length += 1) {
      const containing = path.slice(0, length).join('.');
      if (names.has(containing)) throw conflict(name, containing);
    }
  }
}

function conflict(name: string, at: string): CommandError {
  return new CommandError(
    'ConflictingUpdateOperators',
    `Updating the path '${name}' would create a conflict at '${at}'`,
  );
}
