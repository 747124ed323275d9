import type { SortField } from '../query/sort';
import { compareValues, valuesEqual } from '../values/compare';
import { getPath } from '../values/path';
import { isDocument, type Value } from '../values/value';

/** A change of an array. */
export type ArrayModifier =
  | PushModifier
  | { readonly kind: 'addToSet'; readonly values: readonly Value[] }
  | { readonly kind: 'pull'; readonly removes: (element: Value) => boolean };

/** `$push` with its modifiers; they apply in the order insert, sort, slice. */
export interface PushModifier {
  readonly kind: 'push';
  readonly values: readonly Value[];
  /** Where to insert; negative counts from the end; undefined appends. */
  readonly position: number | undefined;
  readonly sort: 1 | -1 | readonly SortField[] | undefined;
  /** How many elements stay: from the start, or from the end when negative. */
  readonly slice: number | undefined;
}

/** The array after the modifier; the given one is left alone. */
export function modifyArray(array: readonly Value[], modifier: ArrayModifier): Value[] {
  switch (modifier.kind) {
    case 'push':
      return push(array, modifier);
    case 'addToSet':
      return addToSet(array, modifier.values);
    case 'pull':
      return array.filter((element) => !modifier.removes(element));
  }
}

function push(array: readonly Value[], modifier: PushModifier): Value[] {
  const result = [...array];
  result.splice(modifier.position ?? result.length, 0, ...modifier.values);
  const { sort, slice } = modifier;
  if (sort !== undefined) result.sort((left, right) => compareElements(left, right, sort));
  if (slice === undefined) return result;
  return slice < 0 ? result.slice(slice) : result.slice(0, slice);
}

function compareElements(left: Value, right: Value, sort: 1 | -1 | readonly SortField[]): number {
  if (typeof sort === 'number') return compareValues(left, right) * sort;
  for (const field of sort) {
    const a = isDocument(left) ? getPath(left, field.path) : undefined;
    const b = isDocument(right) ? getPath(right, field.path) : undefined;
    const order = compareValues(a, b) * field.direction;
    if (order !== 0) return order;
  }
  return 0;
}

function addToSet(array: readonly Value[], values: readonly Value[]): Value[] {
  const result = [...array];
  for (const value of values) {
    if (!result.some((element) => valuesEqual(element, value))) result.push(value);
  }
  return result;
}
