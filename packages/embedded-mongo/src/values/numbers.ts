import { Double, Int32 } from 'bson';
import { CommandError } from '../errors';
import type { NumberValue } from './value';

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The number itself. JavaScript compares a bigint with a number exactly, whatever their size. */
export function plainNumber(value: NumberValue): number | bigint {
  return typeof value === 'bigint' ? value : value.value;
}

/** The number as a double, with a double's precision. */
export function toDouble(value: NumberValue): number {
  return typeof value === 'bigint' ? Number(value) : value.value;
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

/** An integer result in the smallest type its operands allow: int32 grows to int64, which ends. */
export function integerResult(value: bigint, mayBeInt32: boolean): NumberValue {
  if (mayBeInt32 && value >= INT32_MIN && value <= INT32_MAX) return new Int32(Number(value));
  if (value < INT64_MIN || value > INT64_MAX) {
    throw new CommandError('BadValue', `integer overflow: ${value} does not fit in 64 bits`);
  }
  return value;
}

type Operation = 'add' | 'subtract' | 'multiply';

function onDoubles(operation: Operation, left: number, right: number): number {
  if (operation === 'add') return left + right;
  return operation === 'subtract' ? left - right : left * right;
}

function onIntegers(operation: Operation, left: bigint, right: bigint): bigint {
  if (operation === 'add') return left + right;
  return operation === 'subtract' ? left - right : left * right;
}

/** Exact on integers; a double on either side makes the result a double. */
export function compute(operation: Operation, left: NumberValue, right: NumberValue): NumberValue {
  if (left instanceof Double || right instanceof Double) {
    return new Double(onDoubles(operation, toDouble(left), toDouble(right)));
  }
  const bothInt32 = left instanceof Int32 && right instanceof Int32;
  return integerResult(
    onIntegers(operation, BigInt(plainNumber(left)), BigInt(plainNumber(right))),
    bothInt32,
  );
}
