import { assertNever } from '@tollgate/core';
import { CommandError } from '../errors';
import { compareValues } from '../values/compare';
import { describeValue } from '../values/describe';
import { compute } from '../values/numbers';
import { arrayPosition, type FieldPath } from '../values/path';
import { cloneValue, type Document, isNumber, typeName, type Value } from '../values/value';
import { modifyArray } from './array-modifier';
import type { FieldChange, PathChange, UpdatePlan } from './parse';

/** What an update needs to know besides the document. */
export interface UpdateContext {
  readonly nowMs: number;
  /** `$setOnInsert` applies only then. */
  readonly inserting: boolean;
}

/** Furthest position that an update may pad an array to. */
const ARRAY_PADDING_MAX = 1_500_000;

/**
 * The document after the update. `document` may be changed in place: callers compare the encoded
 * bytes with those of before to find out whether anything changed.
 */
export function applyUpdate(
  document: Document,
  plan: UpdatePlan,
  context: UpdateContext,
): Document {
  if (plan.kind === 'replace') return replace(document, plan.replacement);
  for (const change of plan.changes) {
    if (change.change.kind === 'setOnInsert' && !context.inserting) continue;
    applyChange(document, change, context);
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
interface Slot {
  readonly value: Value | undefined;
  assign(value: Value): void;
  /** Takes a field away; an element of an array becomes null, as in MongoDB. */
  clear(): void;
}

function applyChange(document: Document, target: PathChange, context: UpdateContext): void {
  const { change, path, name } = target;
  if (change.kind === 'unset' || change.kind === 'pull') {
    const existing = findSlot(document, path);
    if (existing?.value === undefined) return;
    if (change.kind === 'unset') existing.clear();
    else existing.assign(modifyArray(requireArray(existing.value, '$pull', name), change));
    return;
  }
  const slot = makeSlot(document, path, name);
  const value = nextValue(slot.value, change, name, context);
  if (value !== slot.value) slot.assign(value);
}

type AssigningChange = Exclude<FieldChange, { readonly kind: 'unset' | 'pull' }>;

function nextValue(
  current: Value | undefined,
  change: AssigningChange,
  name: string,
  context: UpdateContext,
): Value {
  switch (change.kind) {
    case 'set':
    case 'setOnInsert':
      return cloneValue(change.operand);
    case 'currentDate':
      return new Date(context.nowMs);
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
    case 'addToSet':
      return modifyArray(
        current === undefined ? [] : requireArray(current, `$${change.kind}`, name),
        change,
      );
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
  return compute('add', current, amount);
}

function requireArray(value: Value, operator: string, name: string): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new CommandError(
    'BadValue',
    `The field '${name}' must be an array for ${operator} but is of type ${typeName(value)}`,
  );
}

function documentSlot(document: Document, name: string): Slot {
  return {
    value: document.get(name),
    assign: (value) => document.set(name, value),
    clear: () => document.delete(name),
  };
}

function arraySlot(array: Value[], position: number): Slot {
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

function slotIn(container: Value | undefined, component: string): Slot | undefined {
  if (container instanceof Map) return documentSlot(container, component);
  if (!Array.isArray(container)) return undefined;
  const position = arrayPosition(component);
  if (position === undefined) return undefined;
  if (position > container.length + ARRAY_PADDING_MAX) {
    throw new CommandError('BadValue', `the array position ${position} is too far`);
  }
  return arraySlot(container, position);
}

/** The slot at a path that exists; undefined when it leads nowhere. */
function findSlot(document: Document, path: FieldPath): Slot | undefined {
  let slot: Slot | undefined;
  let container: Value | undefined = document;
  for (const component of path) {
    slot = slotIn(container, component);
    if (slot === undefined) return undefined;
    container = slot.value;
  }
  return slot;
}

/** The slot at a path; missing documents on the way are made, a scalar on the way is an error. */
function makeSlot(document: Document, path: FieldPath, name: string): Slot {
  let container: Value = document;
  let slot: Slot | undefined;
  for (const [index, component] of path.entries()) {
    slot = slotIn(container, component);
    if (slot === undefined) {
      throw new CommandError(
        'PathNotViable',
        `Cannot create field '${component}' in element ` +
          `{${path[index - 1] ?? ''}: ${describeValue(container)}} (in '${name}')`,
      );
    }
    if (index === path.length - 1) break;
    let next: Value | undefined = slot.value;
    if (next === undefined) {
      next = new Map();
      slot.assign(next);
    }
    container = next;
  }
  if (slot === undefined) throw new CommandError('BadValue', 'an update path is empty');
  return slot;
}
