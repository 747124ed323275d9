import { Double, Int32 } from 'bson';
import { CommandError } from '../errors';
import type { NumberValue } from './value';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The number itself. JavaScript compares a bigint with a number exactly, whatever their size. */
function plainNumber(value: NumberValue): number | bigint {
  return typeof value === 'bigint' ? value : value.value;
}

/** Orders two numbers of any type exactly; NaN equals itself and is below everything. */
export function compareNumbers(left: NumberValue, right: NumberValue): number {
  const a = plainNumber(left);
  const b = plainNumber(right);
  if (a < b) return -1;
  if (a > b) return 1;
  const leftIsNaN = Number.isNaN(a);
  if (leftIsNaN === Number.isNaN(b)) return 0;
  return leftIsNaN ? -1 : 1;
}

/** The exact sum of integers; a double on either side makes the sum a double. */
export function addNumbers(left: NumberValue, right: NumberValue): NumberValue {
  if (left instanceof Double || right instanceof Double) {
    return new Double(toDouble(left) + toDouble(right));
  }
  const mayBeInt32 = left instanceof Int32 && right instanceof Int32;
  return integerResult(BigInt(plainNumber(left)) + BigInt(plainNumber(right)), mayBeInt32);
}

/** An integer in the smallest type its operands allow: int32 grows to int64, which ends. */
function integerResult(value: bigint, mayBeInt32: boolean): NumberValue {
  if (mayBeInt32 && value >= INT32_MIN && value <= INT32_MAX) return new Int32(Number(value));
  if (value < INT64_MIN || value > INT64_MAX) {
    throw new CommandError('BadValue', `integer overflow: ${value} does not fit in 64 bits`);
  }
  return value;
}

/** The number as a double, with a double's precision. */
function toDouble(value: NumberValue): number {
  return typeof value === 'bigint' ? Number(value) : value.value;
}
