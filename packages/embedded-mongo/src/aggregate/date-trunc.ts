import { CommandError } from '../errors';
import { isDocument, toSafeInteger, typeName, type Value } from '../values/value';
import type { Expression } from './expression-types';

/** Bins are counted from here, as in MongoDB. */
const REFERENCE_MS = Date.UTC(2_000, 0, 1);
const REFERENCE_YEAR = 2_000;
/** 2000-01-01 was a Saturday. */
const REFERENCE_WEEKDAY = 6;
const DAY_MS = 86_400_000;

const FIXED_UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['millisecond', 1],
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', DAY_MS],
]);

const UNIT_MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
]);

const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

const PARAMETERS: ReadonlySet<string> = new Set([
  'date',
  'unit',
  'binSize',
  'timezone',
  'startOfWeek',
]);

/** Compiles `$dateTrunc`: the start of the bin that a date falls into, in UTC. */
export function compileDateTrunc(
  operand: Value,
  compile: (value: Value) => Expression,
): Expression {
  if (!isDocument(operand)) {
    throw new CommandError('FailedToParse', '$dateTrunc only supports an object as its argument');
  }
  for (const name of operand.keys()) {
    if (!PARAMETERS.has(name)) {
      throw new CommandError('FailedToParse', `Unrecognized argument to $dateTrunc: ${name}`);
    }
  }
  const parameter = (name: string, fallback: Value) => compile(operand.get(name) ?? fallback);
  const date = parameter('date', null);
  const unit = parameter('unit', null);
  const binSize = parameter('binSize', 1n);
  const timezone = parameter('timezone', 'UTC');
  const startOfWeek = parameter('startOfWeek', 'sunday');
  return (document) => {
    const value = date(document);
    if (value === undefined || value === null) return null;
    if (!(value instanceof Date)) {
      throw new CommandError('TypeMismatch', `$dateTrunc needs a date, not ${typeName(value)}`);
    }
    requireUtc(timezone(document));
    const size = toSafeInteger(binSize(document));
    if (size === undefined || size < 1) {
      throw new CommandError('FailedToParse', '$dateTrunc needs a positive whole binSize');
    }
    return truncateDate(value, unit(document), size, startOfWeek(document));
  };
}

function requireUtc(timezone: Value | undefined): void {
  if (timezone === 'UTC' || timezone === 'GMT' || timezone === '+00:00') return;
  throw new CommandError('BadValue', '$dateTrunc supports the timezone UTC only');
}

function truncateDate(
  date: Date,
  unit: Value | undefined,
  binSize: number,
  startOfWeek: Value | undefined,
): Date {
  const name = typeof unit === 'string' ? unit : '';
  const unitMs = FIXED_UNITS_MS.get(name);
  if (unitMs !== undefined) return fixedBin(date, REFERENCE_MS, unitMs * binSize);
  const unitMonths = UNIT_MONTHS.get(name);
  if (unitMonths !== undefined) return monthBin(date, unitMonths * binSize);
  if (name !== 'week') {
    throw new CommandError('FailedToParse', `unknown time unit value: ${name}`);
  }
  const weekday = WEEKDAYS.findIndex(
    (day) =>
      typeof startOfWeek === 'string' && day.slice(0, 3) === startOfWeek.toLowerCase().slice(0, 3),
  );
  if (weekday < 0) throw new CommandError('FailedToParse', 'unknown startOfWeek');
  const shiftDays = (weekday - REFERENCE_WEEKDAY + 7) % 7;
  return fixedBin(date, REFERENCE_MS + shiftDays * DAY_MS, 7 * DAY_MS * binSize);
}

function fixedBin(date: Date, referenceMs: number, binMs: number): Date {
  return new Date(referenceMs + Math.floor((date.getTime() - referenceMs) / binMs) * binMs);
}

function monthBin(date: Date, binMonths: number): Date {
  const months = (date.getUTCFullYear() - REFERENCE_YEAR) * 12 + date.getUTCMonth();
  return new Date(Date.UTC(REFERENCE_YEAR, Math.floor(months / binMonths) * binMonths, 1));
}
