import { Binary, BSONRegExp, ObjectId } from 'bson';
import { compareNumbers } from './numbers';
import { type Document, isNumber, typeRank, type Value } from './value';

/** MongoDB's total order over values of any types; a missing value orders as null. */
export function compareValues(left: Value | undefined, right: Value | undefined): number {
  const rank = typeRank(left);
  const difference = rank - typeRank(right);
  if (difference !== 0) return difference;
  if (left === undefined || left === null || right === undefined || right === null) return 0;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean') return Number(left) - Number(right);
  return compareObjects(left, right);
}

/** Same type and same value. */
export function valuesEqual(left: Value | undefined, right: Value | undefined): boolean {
  return compareValues(left, right) === 0;
}

function compareObjects(left: Value, right: Value): number {
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (left instanceof ObjectId && right instanceof ObjectId) {
    return Buffer.compare(left.id, right.id);
  }
  if (left instanceof Map && right instanceof Map) return compareDocuments(left, right);
  if (Array.isArray(left) && Array.isArray(right)) return compareArrays(left, right);
  if (left instanceof Binary && right instanceof Binary) return compareBinaries(left, right);
  if (left instanceof BSONRegExp && right instanceof BSONRegExp) {
    return compareText(left.pattern, right.pattern) || compareText(left.options, right.options);
  }
  return 0;
}

/**
 * By UTF-8 bytes, as MongoDB does. UTF-16 order differs only where one side is a surrogate: those
 * stand for code points above every other unit.
 */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const aIsSurrogate = (a & 0xf800) === 0xd800;
    const bIsSurrogate = (b & 0xf800) === 0xd800;
    if (aIsSurrogate !== bIsSurrogate) return aIsSurrogate ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}

function compareDocuments(left: Document, right: Document): number {
  const others = right.entries();
  for (const [name, value] of left) {
    const next = others.next();
    if (next.done) return 1;
    const [otherName, otherValue] = next.value;
    const order =
      typeRank(value) - typeRank(otherValue) ||
      compareText(name, otherName) ||
      compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return left.size - right.size;
}

function compareArrays(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, value] of left.entries()) {
    if (index >= right.length) return 1;
    const order = compareValues(value, right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareBinaries(left: Binary, right: Binary): number {
  return (
    left.length() - right.length() ||
    left.sub_type - right.sub_type ||
    Buffer.compare(left.value(), right.value())
  );
}
