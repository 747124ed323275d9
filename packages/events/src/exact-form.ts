import {
  BUDGET_PERIODS,
  isIdentifier,
  NANO_MAX,
  RECORD_CODE_LENGTH_MAX,
  RECORD_NAME_LENGTH_MAX,
  REPORT_LENGTH_MAX,
  SETTLED_REASONS,
  toSnakeCase,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageField,
  type UsageFieldType,
} from '@tollgate/core';
import { EVENT_SCHEMA_VERSION } from './event-catalogue';
import { AMOUNT } from './schemas/primitives';

type Members = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** Longer ones may be beyond Int64. */
const AMOUNT_DIGITS_SAFE = 18;
// February 29 is left to the schema.
const TIME =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const isAmount: Check = (value) =>
  typeof value === 'string' &&
  AMOUNT.test(value) &&
  (value.length <= AMOUNT_DIGITS_SAFE || BigInt(value) <= NANO_MAX);
const isTime: Check = (value) => typeof value === 'string' && TIME.test(value);
const isIdentifierText: Check = (value) => typeof value === 'string' && isIdentifier(value);
const isTextOf =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most;
const isIntegerFrom =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least;

const CHECKS: Readonly<Record<Exclude<UsageFieldType, 'oneOf'>, Check>> = {
  identifier: isIdentifierText,
  name: isTextOf(1, RECORD_NAME_LENGTH_MAX),
  reference: isTextOf(0, RECORD_NAME_LENGTH_MAX),
  code: isTextOf(1, RECORD_CODE_LENGTH_MAX),
  report: isTextOf(0, REPORT_LENGTH_MAX),
  count: isIntegerFrom(0),
  ordinal: isIntegerFrom(1),
  amount: isAmount,
  flag: (value) => typeof value === 'boolean',
  time: isTime,
  prices: (value) =>
    (hasMembers(value, 3) || (hasMembers(value, 4) && isAmount(value.cache_write))) &&
    isAmount(value.prompt) &&
    isAmount(value.completion) &&
    isAmount(value.cached_prompt),
  budget: (value) =>
    hasMembers(value, 2) &&
    isAmount(value.limit) &&
    (value.period === null || isOneOf(BUDGET_PERIODS, value.period)),
};

function toCheck([member, field]: readonly [string, UsageField]): readonly [string, Check] {
  const { type, values, optional, writtenAs } = field;
  const present: Check = type === 'oneOf' ? (value) => isOneOf(values, value) : CHECKS[type];
  const check: Check = optional === true ? (value) => value === null || present(value) : present;
  return [toSnakeCase(writtenAs ?? member), check];
}

const PLACE = Object.entries<UsageField>(USAGE_RECORD_PLACE).map(toCheck);
const FIELDS = Object.entries<UsageField>(USAGE_RECORD_FIELDS);
const USUAL = [...PLACE, ...FIELDS.filter(([, { rare }]) => rare !== true).map(toCheck)];
/** Those that most records do not even have. */
const RARE = FIELDS.filter(([, { rare }]) => rare === true).map(toCheck);

/**
 * Whether the value is a usage record as this version writes it. Every record that billing and its
 * followers get is looked at, and the schema takes five times as long; what is refused here may
 * still be one, of another version, so the schema decides about it.
 */
export function isExactRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Members;
  const { kind } = members;
  if (kind !== 'usage' && kind !== 'close') return false;
  const checks = kind === 'usage' ? USUAL : PLACE;
  for (const [name, check] of checks) if (!check(members[name])) return false;
  let rare = 0;
  if (kind === 'usage') {
    for (const [name, check] of RARE) {
      if (members[name] === undefined) continue;
      if (!check(members[name])) return false;
      rare += 1;
    }
  }
  return hasMembers(value, checks.length + rare + 1);
}

/** The same for the ledger's entry of a charge. */
export function isExactCharge(value: unknown): boolean {
  if (!hasMembers(value, 7) || value.kind !== 'charge' || value.credit !== null) return false;
  const { charge } = value;
  return (
    isIdentifierText(value.account_id) &&
    isIntegerFrom1(value.seq) &&
    isAmount(value.amount) &&
    isTime(value.at) &&
    hasMembers(charge, 5) &&
    isAmount(charge.charged) &&
    isAmount(charge.absorbed) &&
    isAmount(charge.overrun) &&
    isOneOf(SETTLED_REASONS, charge.settled_reason) &&
    isExactRecord(charge.record)
  );
}

/** The same for what every event is wrapped in, whatever its data are. */
export function isExactEnvelope(value: unknown): boolean {
  return (
    hasMembers(value, 5) &&
    isIdentifierText(value.id) &&
    value.schema_version === EVENT_SCHEMA_VERSION &&
    isTime(value.time) &&
    value.data !== undefined
  );
}

const isIntegerFrom1 = isIntegerFrom(1);

function isOneOf(values: readonly string[] | undefined, value: unknown): boolean {
  return typeof value === 'string' && values?.includes(value) === true;
}

/** An object with exactly so many members: what a newer version added is the schema's to drop. */
function hasMembers(value: unknown, count: number): value is Members {
  return typeof value === 'object' && value !== null && Object.keys(value).length === count;
}
