import {
  type NumberedRecord,
  RECORD_CODE_LENGTH_MAX,
  RECORD_NAME_LENGTH_MAX,
  REPORT_LENGTH_MAX,
  toSnakeCase,
  type UnitPrices,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageField,
  type UsageFieldType,
  type UsageRecord,
  writtenRecords,
} from '@tollgate/core';
import { z } from 'zod';
import {
  budgetPeriod,
  count,
  ITEMS_PER_EVENT_MAX,
  identifier,
  isoTime,
  nanoAmount,
  ordinal,
  shortName,
} from './primitives';

const SCHEMAS: Readonly<Record<Exclude<UsageFieldType, 'oneOf'>, z.ZodType>> = {
  identifier,
  name: shortName,
  reference: z.string().max(RECORD_NAME_LENGTH_MAX),
  code: z.string().min(1).max(RECORD_CODE_LENGTH_MAX),
  report: z.string().max(REPORT_LENGTH_MAX),
  count,
  ordinal,
  amount: nanoAmount,
  flag: z.boolean(),
  time: isoTime,
  prices: z.object({
    prompt: nanoAmount,
    completion: nanoAmount,
    cached_prompt: nanoAmount,
    cache_write: nanoAmount.optional().describe('That of the prompt when it is absent.'),
  }),
  budget: z.object({ limit: nanoAmount, period: budgetPeriod }),
};

function schemaOf({ type, values, optional, later, is }: UsageField): z.ZodType {
  const present = type === 'oneOf' ? z.enum(values ?? []) : SCHEMAS[type];
  const read = later === true ? present.nullish() : present.nullable();
  const schema = optional === true ? read : present;
  return is === undefined ? schema : schema.describe(is);
}

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : '';

type Table = typeof USAGE_RECORD_PLACE & typeof USAGE_RECORD_FIELDS;
type NameOutside<Member extends keyof Table> = Table[Member] extends {
  readonly writtenAs: infer Name extends string;
}
  ? Name
  : Member;

/** A member on the wire: amounts are text, and what is absent is null. */
type Written<Value> = Value extends undefined
  ? null
  : Value extends bigint
    ? string
    : Value extends UnitPrices
      ? {
          readonly prompt: string;
          readonly completion: string;
          readonly cached_prompt: string;
          readonly cache_write?: string | undefined;
        }
      : Value extends { readonly limit: bigint }
        ? { readonly limit: string; readonly period: z.infer<typeof budgetPeriod> }
        : Value;

/** Builds zod members from `USAGE_RECORD_FIELDS`, named in snake_case. */
function membersOf<Members extends keyof Omit<UsageRecord, 'kind'>>(
  fields: Readonly<Record<Members, UsageField>>,
) {
  const members = Object.entries<UsageField>(fields).map(
    ([member, field]) => [toSnakeCase(field.writtenAs ?? member), schemaOf(field)] as const,
  );
  return Object.fromEntries(members) as {
    [Member in Members as SnakeCase<NameOutside<Member>>]: z.ZodType<Written<UsageRecord[Member]>>;
  };
}

const place = membersOf(USAGE_RECORD_PLACE);

/** A finished request. Counts may contradict each other: billing settles such a record at 0. */
const finishedUsageRecord = z
  .object({ ...place, kind: z.literal('usage'), ...membersOf(USAGE_RECORD_FIELDS) })
  .describe('A finished request with its tokens, prices and amount.');

/** The last record of a lease: nothing was reserved after it. */
const closeUsageRecord = z
  .object({ ...place, kind: z.literal('close') })
  .describe('The last record of a lease, which returns what is left of it.');

/** A completion instance's report on one number of one lease. */
export const usageRecord = z
  .discriminatedUnion('kind', [finishedUsageRecord, closeUsageRecord])
  .describe('One numbered record of a credit lease: a finished request, or the end of the lease.');

/** A completion instance's report on one account. */
export const usageBatch = z
  .object({
    records: z
      .array(usageRecord)
      .min(1)
      .max(ITEMS_PER_EVENT_MAX)
      .describe('In the order of their numbers within each lease.'),
  })
  .describe('Several numbered records of one account; consumers read each as one usage.recorded.');

export type UsageRecordEvent = z.infer<typeof usageRecord>;

/** The record as the topics carry it. */
export function toUsageRecordEvent(record: NumberedRecord): UsageRecordEvent {
  const written = { ...writtenRecords.write(record), kind: record.kind };
  // The table made both the schema and the members.
  return written as unknown as UsageRecordEvent;
}

/** A record from a topic; the bus has checked it. */
export function fromUsageRecordEvent(event: UsageRecordEvent): NumberedRecord {
  return writtenRecords.read(event.kind, event);
}
