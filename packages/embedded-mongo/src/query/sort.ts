import { CommandError } from '../errors';
import { compareValues } from '../values/compare';
import { type FieldPath, parsePath, visitPath } from '../values/path';
import { type Document, toSafeInteger, type Value } from '../values/value';

/** One field of a sort order. */
export interface SortField {
  readonly name: string;
  readonly path: FieldPath;
  readonly direction: 1 | -1;
}

/** Parses a sort document such as `{ at: -1, _id: 1 }`. */
export function parseSort(sort: Document): readonly SortField[] {
  return [...sort].map(([name, value]) => {
    const direction = toSafeInteger(value);
    if (direction !== 1 && direction !== -1) {
      throw new CommandError('Location15975', `$sort key ordering of '${name}' must be 1 or -1`);
    }
    return { name, path: parsePath(name), direction };
  });
}

/** The values that a document sorts by; of an array its lowest element, or highest descending. */
export function sortKeyOf(document: Document, fields: readonly SortField[]): SortKey {
  return fields.map((field) => {
    let best: Value | undefined;
    let found = false;
    visitPath(document, field.path, 0, (value, isElement) => {
      // The array as a whole is visited last; it counts only when it had no elements.
      if (Array.isArray(value) && !isElement) {
        if (!found && value.length === 0) {
          best = value;
          found = true;
        }
        return false;
      }
      if (!found || compareValues(value, best) * field.direction < 0) best = value;
      found = true;
      return false;
    });
    return best;
  });
}

/** One value per sort field. */
export type SortKey = readonly (Value | undefined)[];

/** An empty array sorts below null, as in MongoDB. */
function compareComponents(left: Value | undefined, right: Value | undefined): number {
  const leftEmpty = Array.isArray(left) && left.length === 0;
  const rightEmpty = Array.isArray(right) && right.length === 0;
  if (leftEmpty || rightEmpty) return Number(rightEmpty) - Number(leftEmpty);
  return compareValues(left, right);
}

/** Orders two sort keys. */
export function compareSortKeys(
  left: SortKey,
  right: SortKey,
  fields: readonly SortField[],
): number {
  for (const [index, field] of fields.entries()) {
    const order = compareComponents(left[index], right[index]) * field.direction;
    if (order !== 0) return order;
  }
  return 0;
}
