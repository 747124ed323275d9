import { Binary, type BSONRegExp, Double, Int32, ObjectId } from 'bson';

/**
 * A document keeps its fields in a Map: a plain object would reorder names such as "10", and the
 * order of fields is part of a BSON document's identity.
 */
export type Document = Map<string, Value>;

/** The three numeric types in use; Int64 is a bigint so that it stays exact. */
export type NumberValue = Int32 | bigint | Double;

/**
 * A BSON value as this store works with it: of the types that services store, and the regular
 * expression, which is known so that a filter with one is refused by name. A missing field is
 * `undefined`, never a Value.
 */
export type Value =
  | null
  | boolean
  | string
  | NumberValue
  | Date
  | ObjectId
  | Binary
  | BSONRegExp
  | Document
  | Value[];

/** True for an embedded document. */
export function isDocument(value: Value | undefined): value is Document {
  return value instanceof Map;
}

/** True for the numeric types that can be compared and computed with. */
export function isNumber(value: Value | undefined): value is NumberValue {
  return typeof value === 'bigint' || value instanceof Int32 || value instanceof Double;
}

/**
 * MongoDB's order of types, lowest first. The numbers double as the first byte of an index key,
 * which leaves 0 and 1 free for terminators.
 */
export const TYPE_RANK = {
  undefined: 0x08,
  null: 0x0a,
  number: 0x14,
  string: 0x1e,
  document: 0x28,
  array: 0x32,
  binary: 0x3c,
  objectId: 0x46,
  boolean: 0x50,
  date: 0x5a,
  regex: 0x6e,
} as const;

/** The place of a value's type in the order of types; a missing value ranks as null. */
export function typeRank(value: Value | undefined): number {
  switch (typeof value) {
    case 'string':
      return TYPE_RANK.string;
    case 'bigint':
      return TYPE_RANK.number;
    case 'boolean':
      return TYPE_RANK.boolean;
    case 'undefined':
      return TYPE_RANK.null;
    default:
      return value === null ? TYPE_RANK.null : objectRank(value);
  }
}

function objectRank(value: Exclude<Value, null | string | bigint | boolean>): number {
  if (value instanceof Map) return TYPE_RANK.document;
  if (value instanceof Int32 || value instanceof Double) return TYPE_RANK.number;
  if (value instanceof Date) return TYPE_RANK.date;
  if (Array.isArray(value)) return TYPE_RANK.array;
  if (value instanceof ObjectId) return TYPE_RANK.objectId;
  return value instanceof Binary ? TYPE_RANK.binary : TYPE_RANK.regex;
}

/** MongoDB's alias of a value's type, as error messages write it. */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof ObjectId) return 'objectId';
  return value instanceof Binary ? 'binData' : 'regex';
}

/** A number of any type as a JavaScript number when it is a whole one that fits exactly. */
export function toSafeInteger(value: Value | undefined): number | undefined {
  if (!isNumber(value)) return undefined;
  const plain = typeof value === 'bigint' ? Number(value) : value.value;
  return Number.isSafeInteger(plain) ? plain : undefined;
}

/** MongoDB's truth: everything but false, null, missing and zero. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === 'bigint') return value !== 0n;
  if (value instanceof Int32 || value instanceof Double) return value.value !== 0;
  return true;
}

/** A deep copy of what can be changed in place; scalars are shared. */
export function cloneValue<T extends Value>(value: T): T;
export function cloneValue(value: Value): Value {
  if (value instanceof Map) {
    const copy: Document = new Map();
    for (const [name, member] of value) copy.set(name, cloneValue(member));
    return copy;
  }
  return Array.isArray(value) ? value.map((member) => cloneValue(member)) : value;
}

const TEXT_LENGTH_MAX = 128;

/** A value in the shell's notation for error messages; long ones are cut. */
export function describeValue(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, TEXT_LENGTH_MAX));
  if (isNumber(value)) return String(typeof value === 'bigint' ? value : value.value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDocument(value)) {
    const members = [...value].map(([name, member]) => `${name}: ${describeValue(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`.slice(0, 1_024);
  }
  return Array.isArray(value)
    ? `[ ${value.map(describeValue).join(', ')} ]`.slice(0, 1_024)
    : typeName(value);
}
