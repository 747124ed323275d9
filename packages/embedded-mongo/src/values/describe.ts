import { ObjectId } from 'bson';
import { isDocument, isNumber, typeName, type Value } from './value';

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
