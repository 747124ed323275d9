import { CommandError } from '../errors';
import { matches } from '../query/filter';
import { EMPTY_ARRAY, encodeCompoundKey, type KeyComponent } from '../values/index-key';
import { arrayPosition, type FieldPath } from '../values/path';
import { type Document, isDocument, type Value } from '../values/value';
import type { IndexDefinition } from './index-definition';

/** One entry of a document in an index. */
export interface IndexEntry {
  readonly key: Buffer;
  readonly components: readonly KeyComponent[];
}

/** A document's place in an index. */
export interface IndexPlace {
  readonly entries: readonly IndexEntry[];
  /** An array was indexed element by element, so that one document can have several entries. */
  readonly multikey: boolean;
}

/** A document that an index leaves out. */
export const NO_PLACE: IndexPlace = { entries: [], multikey: false };

/** Where an index has the document; without an entry when it leaves it out. */
export function placeOf(index: IndexDefinition, document: Document): IndexPlace {
  if (index.partial !== undefined && !matches(index.partial, document)) return NO_PLACE;
  const found = index.fields.map((field) => collect(document, field.path));
  if (index.sparse && found.every((field) => field.components.every(isMissing))) return NO_PLACE;
  const multikeyFields = found.filter((field) => field.multikey).length;
  if (multikeyFields > 1) {
    throw new CommandError('CannotIndexParallelArrays', `cannot index parallel arrays`);
  }
  const entries = new Map<string, IndexEntry>();
  for (const components of combinations(found.map((field) => field.components))) {
    const key = encodeCompoundKey(components, index.directions);
    entries.set(key.toString('latin1'), { key, components });
  }
  return { entries: [...entries.values()], multikey: multikeyFields > 0 };
}

function isMissing(component: KeyComponent): boolean {
  return component === undefined;
}

interface Collected {
  readonly components: KeyComponent[];
  multikey: boolean;
}

function collect(document: Document, path: FieldPath): Collected {
  const collected: Collected = { components: [], multikey: false };
  collectValue(collected, document, path, 0);
  return collected;
}

function collectValue(
  collected: Collected,
  value: Value | undefined,
  path: FieldPath,
  next: number,
): void {
  if (Array.isArray(value)) {
    collectArray(collected, value, path, next);
  } else if (next === path.length) {
    collected.components.push(value);
  } else {
    const member = isDocument(value) ? value.get(path[next] ?? '') : undefined;
    collectValue(collected, member, path, next + 1);
  }
}

function collectArray(
  collected: Collected,
  array: readonly Value[],
  path: FieldPath,
  next: number,
): void {
  collected.multikey = true;
  if (array.length === 0) {
    collected.components.push(next === path.length ? EMPTY_ARRAY : undefined);
    return;
  }
  const position = arrayPosition(path[next]);
  if (position !== undefined) {
    collectValue(collected, array[position], path, next + 1);
  }
  for (const element of array) {
    if (next === path.length) collected.components.push(element);
    else if (isDocument(element)) collectValue(collected, element, path, next);
    else if (position === undefined) collected.components.push(undefined);
  }
}

/** Every way to take one component per field. */
function combinations(fields: readonly (readonly KeyComponent[])[]): KeyComponent[][] {
  let rows: KeyComponent[][] = [[]];
  for (const components of fields) {
    rows = rows.flatMap((row) => components.map((component) => [...row, component]));
  }
  return rows;
}
