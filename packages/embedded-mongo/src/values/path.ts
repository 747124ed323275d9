import { CommandError } from '../errors';
import { type Document, isDocument, type Value } from './value';

/** A dotted name, taken apart: `a.b.0` is `['a', 'b', '0']`. */
export type FieldPath = readonly string[];

/** Splits a dotted name; an empty component is an error because MongoDB cannot store one. */
export function parsePath(name: string): FieldPath {
  const path = name.split('.');
  if (path.includes('')) {
    throw new CommandError('BadValue', `The field name '${name}' has an empty component`);
  }
  return path;
}

const ARRAY_POSITION = /^(0|[1-9]\d{0,6})$/;

/** The position that a path component names inside an array, or undefined. */
export function arrayPosition(component: string | undefined): number | undefined {
  return component !== undefined && ARRAY_POSITION.test(component) ? Number(component) : undefined;
}

/**
 * Receives a value found at the end of a path; `isElement` tells an element of an array from a
 * value of its own. Answering true ends the visit.
 */
export type PathVisitor = (value: Value | undefined, isElement: boolean) => boolean;

/**
 * Visits every value that a query's path reaches: arrays on the way are entered, an array at the
 * end is visited element by element and then as a whole, and a missing field as undefined.
 */
export function visitPath(
  document: Document,
  path: FieldPath,
  at: number,
  visit: PathVisitor,
): boolean {
  return visitValue(document.get(path[at] ?? ''), path, at + 1, visit);
}

function visitValue(
  value: Value | undefined,
  path: FieldPath,
  next: number,
  visit: PathVisitor,
): boolean {
  if (Array.isArray(value)) return visitArray(value, path, next, visit);
  if (next === path.length) return visit(value, false);
  return isDocument(value) ? visitPath(value, path, next, visit) : visit(undefined, false);
}

function visitArray(
  array: readonly Value[],
  path: FieldPath,
  next: number,
  visit: PathVisitor,
): boolean {
  if (next === path.length) {
    for (const element of array) if (visit(element, true)) return true;
    return visit(array as Value[], false);
  }
  for (const element of array) {
    if (isDocument(element) && visitPath(element, path, next, visit)) return true;
  }
  const position = arrayPosition(path[next]);
  if (position === undefined || position >= array.length) return false;
  // A position names one element; if that is an array itself, it is meant as a whole.
  if (next + 1 === path.length) return visit(array[position], false);
  return visitValue(array[position], path, next + 1, visit);
}

/** The value at a path that goes through documents only; undefined when it does not. */
export function getPath(document: Document, path: FieldPath): Value | undefined {
  let value: Value | undefined = document;
  for (const component of path) {
    if (!isDocument(value)) return undefined;
    value = value.get(component);
  }
  return value;
}
