import { assertNever } from '@tollgate/core';
import { CommandError } from '../errors';
import { type Filter, matches } from '../query/filter';
import { compareValues } from '../values/compare';
import { addNumbers } from '../values/numbers';
import { arrayPosition, type FieldPath } from '../values/path';
import {
  cloneValue,
  type Document,
  describeValue,
  isDocument,
  isNumber,
  typeName,
  type Value,
} from '../values/value';
import type { FieldChange, ParsedUpdate, PathChange } from './parse';

/** Furthest position that an update may pad an array to. */
const ARRAY_PADDING_MAX = 1_500_000;

/**
 * The document after the update. `document` may be changed in place: callers compare the encoded
 * bytes with those of before to find out whether anything changed. `$setOnInsert` applies only
 * when the document is new.
 */
export function applyUpdate(document: Document, update: ParsedUpdate, isNew: boolean): Document {
  if (update.kind === 'replace') return replace(document, update.replacement);
  for (const change of update.changes) {
    if (change.change.kind === 'setOnInsert' && !isNew) continue;
    applyChange(document, change);
  }
  return document;
}

function replace(document: Document, replacement: Document): Document {
  const id = document.get('_id');
  const result: Document = new Map();
  const newId = replacement.get('_id') ?? id;
  if (newId !== undefined) result.set('_id', newId);
  for (const [name, value] of replacement) if (name !== '_id') result.set(name, value);
  return result;
}

/** A place that can hold a value: a field of a document or a position of an array. */
interface Field {
  readonly value: Value | undefined;
  assign(value: Value): void;
  /** Takes a field away; an element of an array becomes null, as in MongoDB. */
  clear(): void;
}

function applyChange(document: Document, { change, path, name }: PathChange): void {
  if (change.kind === 'unset' || change.kind === 'pull') {
    const existing = findField(document, path);
    if (existing?.value === undefined) return;
    if (change.kind === 'unset') existing.clear();
    else existing.assign(pull(requireArray(existing.value, '$pull', name), change.filter));
    return;
  }
  const field = makeField(document, path, name);
  const value = nextValue(field.value, change, name);
  if (value !== field.value) field.assign(value);
}

function pull(array: readonly Value[], filter: Filter): Value[] {
  return array.filter((element) => !(isDocument(element) && matches(filter, element)));
}

type AssigningChange = Exclude<FieldChange, { readonly kind: 'unset' | 'pull' }>;

function nextValue(current: Value | undefined, change: AssigningChange, name: string): Value {
  switch (change.kind) {
    case 'set':
    case 'setOnInsert':
      return cloneValue(change.operand);
    case 'inc':
      return increment(current, change.operand, name);
    case 'min':
      return current === undefined || compareValues(change.operand, current) < 0
        ? cloneValue(change.operand)
        : current;
    case 'max':
      return current === undefined || compareValues(change.operand, current) > 0
        ? cloneValue(change.operand)
        : current;
    case 'push':
      return push(current === undefined ? [] : requireArray(current, '$push', name), change);
    default:
      return assertNever(change);
  }
}

function increment(current: Value | undefined, amount: Value, name: string): Value {
  if (!isNumber(amount)) {
    throw new CommandError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: {${name}: ${describeValue(amount)}}`,
    );
  }
  if (current === undefined) return amount;
  if (!isNumber(current)) {
    throw new CommandError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type: '${name}' is ${typeName(current)}`,
    );
  }
  return addNumbers(current, amount);
}

function push(
  array: readonly Value[],
  { values, slice }: Extract<FieldChange, { readonly kind: 'push' }>,
): Value[] {
  const result = [...array, ...values];
  if (slice === undefined) return result;
  return slice < 0 ? result.slice(slice) : result.slice(0, slice);
}

function requireArray(value: Value, operator: string, name: string): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new CommandError(
    'BadValue',
    `The field '${name}' must be an array for ${operator} but is of type ${typeName(value)}`,
  );
}

function fieldOfDocument(document: Document, name: string): Field {
  return {
    value: document.get(name),
    assign: (value) => document.set(name, value),
    clear: () => document.delete(name),
  };
}

function elementOfArray(array: Value[], position: number): Field {
  return {
    value: array[position],
    assign(value) {
      while (array.length < position) array.push(null);
      array[position] = value;
    },
    clear() {
      array[position] = null;
    },
  };
}

function fieldIn(container: Value | undefined, component: string): Field | undefined {
  if (container instanceof Map) return fieldOfDocument(container, component);
  if (!Array.isArray(container)) return undefined;
  const position = arrayPosition(component);
  if (position === undefined) return undefined;
  if (position > container.length + ARRAY_PADDING_MAX) {
    throw new CommandError('BadValue', `the array position ${position} is too far`);
  }
  return elementOfArray(container, position);
}

/** The field at a path that exists; undefined when it leads nowhere. */
function findField(document: Document, path: FieldPath): Field | undefined {
  let field: Field | undefined;
  let container: Value | undefined = document;
  for (const component of path) {
    field = fieldIn(container, component);
    if (field === undefined) return undefined;
    container = field.value;
  }
  return field;
}

/** The field at a path; missing documents on the way are made, a scalar on the way is an error. */
function makeField(document: Document, path: FieldPath, name: string): Field {
  let container: Value = document;
  let field: Field | undefined;
  for (const [index, component] of path.entries()) {
    field = fieldIn(container, component);
    if (field === undefined) {
      throw new CommandError(
        'PathNotViable',
        `Cannot create field '${component}' in element ` +
          `{${path[index - 1] ?? ''}: ${describeValue(container)}} (in '${name}')`,
      );
    }
    if (index === path.length - 1) break;
    let next: Value | undefined = field.value;
    if (next === undefined) {
      next = new Map();
      field.assign(next);
    }
    container = next;
  }
  if (field === undefined) throw new CommandError('BadValue', 'an update path is empty');
  return field;
}
