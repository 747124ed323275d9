import { Double } from 'bson';
import { CommandError } from '../errors';
import { compute, integerResult, plainNumber, toDouble } from '../values/numbers';
import { isNumber, type NumberValue, typeName, type Value } from '../values/value';
import type { Operator } from './expression-types';

type Operands = readonly (Value | undefined)[];

const MANY = Number.POSITIVE_INFINITY;

function isNullish(value: Value | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function requireNumber(name: string, value: Value | undefined): NumberValue {
  if (isNumber(value)) return value;
  throw new CommandError(
    'TypeMismatch',
    `${name} only supports numeric types, not ${typeName(value)}`,
  );
}

function requireTwo(name: string, operands: Operands): readonly [NumberValue, NumberValue] {
  return [requireNumber(name, operands[0]), requireNumber(name, operands[1])];
}

function shiftDate(date: Date, byMs: NumberValue): Date {
  const shifted = new Date(date.getTime() + Math.round(toDouble(byMs)));
  if (!Number.isNaN(shifted.getTime())) return shifted;
  throw new CommandError('Overflow', 'a date is out of range');
}

/** Numbers, and at most one date, to which the numbers are milliseconds. */
function add(operands: Operands): Value {
  if (operands.some(isNullish)) return null;
  const dates = operands.filter((value) => value instanceof Date);
  if (dates.length > 1) throw new CommandError('TypeMismatch', 'only one date allowed in an $add');
  const numbers = operands.filter((value) => !(value instanceof Date));
  const [first, ...rest] = numbers.map((value) => requireNumber('$add', value));
  const sum = rest.reduce(
    (left, right) => compute('add', left, right),
    first ?? integerResult(0n, true),
  );
  const [date] = dates;
  return date === undefined ? sum : shiftDate(date, sum);
}

function subtract(operands: Operands): Value {
  const [left, right] = operands;
  if (isNullish(left) || isNullish(right)) return null;
  if (left instanceof Date) {
    if (right instanceof Date) return BigInt(left.getTime() - right.getTime());
    return shiftDate(
      left,
      compute('subtract', integerResult(0n, true), requireNumber('$subtract', right)),
    );
  }
  return compute('subtract', ...requireTwo('$subtract', operands));
}

function multiply(operands: Operands): Value {
  if (operands.some(isNullish)) return null;
  const [first, ...rest] = operands.map((value) => requireNumber('$multiply', value));
  return rest.reduce(
    (left, right) => compute('multiply', left, right),
    first ?? integerResult(1n, true),
  );
}

function divide(operands: Operands): Value {
  if (operands.some(isNullish)) return null;
  const [dividend, divisor] = requireTwo('$divide', operands);
  if (toDouble(divisor) === 0) throw new CommandError('BadValue', "can't $divide by zero");
  return new Double(toDouble(dividend) / toDouble(divisor));
}

function modulo(operands: Operands): Value {
  if (operands.some(isNullish)) return null;
  const [dividend, divisor] = requireTwo('$mod', operands);
  if (toDouble(divisor) === 0) throw new CommandError('Location16610', "can't $mod by zero");
  if (dividend instanceof Double || divisor instanceof Double) {
    return new Double(toDouble(dividend) % toDouble(divisor));
  }
  const isLong = typeof dividend === 'bigint' || typeof divisor === 'bigint';
  return integerResult(BigInt(plainNumber(dividend)) % BigInt(plainNumber(divisor)), !isLong);
}

function floor(operands: Operands): Value {
  const [value] = operands;
  if (isNullish(value)) return null;
  const number = requireNumber('$floor', value);
  return number instanceof Double ? new Double(Math.floor(number.value)) : number;
}

/** Exact on integers; a result that leaves 64 bits is an error, not a rounded double. */
export const ARITHMETIC: Readonly<Record<string, Operator>> = {
  $add: { operands: [0, MANY], apply: add },
  $subtract: { operands: [2, 2], apply: subtract },
  $multiply: { operands: [0, MANY], apply: multiply },
  $divide: { operands: [2, 2], apply: divide },
  $mod: { operands: [2, 2], apply: modulo },
  $floor: { operands: [1, 1], apply: floor },
};
