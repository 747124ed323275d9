import { Double, Int32, ObjectId } from 'bson';
import { CommandError } from '../errors';
import { integerResult, plainNumber, toDouble } from '../values/numbers';
import { isNumber, typeName, type Value } from '../values/value';
import type { Operator } from './expression-types';

function conversionFailure(value: Value, target: string): CommandError {
  return new CommandError(
    'ConversionFailure',
    `Unsupported conversion from ${typeName(value)} to ${target}`,
  );
}

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return String(plainNumber(value));
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  throw conversionFailure(value, 'string');
}

const WHOLE_NUMBER = /^[+-]?\d{1,20}$/;

function toBigInt(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Int32) return BigInt(value.value);
  if (value instanceof Date) return BigInt(value.getTime());
  if (value instanceof Double && Number.isFinite(value.value)) {
    return BigInt(Math.trunc(value.value));
  }
  if (typeof value === 'string' && WHOLE_NUMBER.test(value)) {
    return BigInt(value.replace(/^\+/, ''));
  }
  throw conversionFailure(value, 'long');
}

function toLong(value: Value): Value {
  return BigInt(plainNumber(integerResult(toBigInt(value), false)));
}

function toFloat(value: Value): Value {
  if (isNumber(value)) return new Double(toDouble(value));
  if (typeof value === 'boolean') return new Double(value ? 1 : 0);
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isNaN(parsed)) throw conversionFailure(value, 'double');
  return new Double(parsed);
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  const epochMs =
    typeof value === 'bigint' || value instanceof Double
      ? Math.trunc(toDouble(value))
      : typeof value === 'string'
        ? Date.parse(value)
        : value instanceof ObjectId
          ? value.getTimestamp().getTime()
          : Number.NaN;
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) throw conversionFailure(value, 'date');
  return date;
}

/** One operand; null and missing stay null. */
function conversion(convert: (value: Value) => Value): Operator {
  return {
    operands: [1, 1],
    apply: ([value]) => (value === undefined || value === null ? null : convert(value)),
  };
}

function concat(operands: readonly (Value | undefined)[]): Value {
  if (operands.some((value) => value === undefined || value === null)) return null;
  const texts = operands.map((value) => {
    if (typeof value === 'string') return value;
    throw new CommandError(
      'Location16702',
      `$concat only supports strings, not ${typeName(value)}`,
    );
  });
  return texts.join('');
}

/** Texts, and values of one type as another. */
export const CONVERSIONS: Readonly<Record<string, Operator>> = {
  $concat: { operands: [0, Number.POSITIVE_INFINITY], apply: concat },
  $toString: conversion(toText),
  $toLong: conversion(toLong),
  $toDouble: conversion(toFloat),
  $toDate: conversion(toDate),
};
