import type { BudgetPeriod } from './budget-period';
import { fromIsoTime } from './clock';
import { isIdentifier } from './ids';
import type { Nano, UnitPrices } from './money';

/**
 * The type of a field of a usage record; its unit and its bounds belong to the type.
 * - `identifier`: 1 to 128 printable ASCII characters without spaces
 * - `name`: 1 to 256 characters; `reference`: at most 256; `code`: 1 to 64
 * - `report`: text for operators, at most 2,048 characters
 * - `count`: an integer of 0 or more; `ordinal`: of 1 or more
 * - `amount`: nano-units, 0 to 2^63 - 1
 * - `time`: ISO-8601 in UTC with milliseconds
 */
export type UsageFieldType =
  | 'identifier'
  | 'name'
  | 'reference'
  | 'code'
  | 'report'
  | 'count'
  | 'ordinal'
  | 'amount'
  | 'flag'
  | 'time'
  | 'oneOf'
  | 'prices'
  | 'budget';

/** One field of a usage record. */
export interface UsageField {
  readonly type: UsageFieldType;
  readonly optional?: true;
  /** Records of earlier versions have no such field: absent is none. */
  readonly later?: true;
  /** So few records have it that the others do not even say that it is absent. */
  readonly rare?: true;
  /** Its released name outside, where that is another one. */
  readonly writtenAs?: string;
  /** For `oneOf`. */
  readonly values?: readonly string[];
  /** Its meaning, where the name and the type do not say it. */
  readonly is?: string;
}

/** Where a record belongs: which lease, which number in it, who wrote it. */
export const USAGE_RECORD_PLACE = {
  accountId: { type: 'identifier' },
  lease: { type: 'ordinal', is: 'Number of the lease within the account, from 1.' },
  number: { type: 'ordinal', is: 'Number of the record within the lease, gapless from 1.' },
  holder: { type: 'identifier', is: 'Id of the spool that wrote the record.' },
  epoch: { type: 'count', is: 'Which start of that spool wrote it.' },
  endedAt: { type: 'time' },
} as const satisfies Readonly<Record<string, UsageField>>;

/**
 * Everything else about a finished request. Each field is defined here: the event, the protobuf
 * message and the document are made from it, and a record is checked against it where it comes in.
 * Three writers list the fields again, for speed (two of `usage-record-text.ts`, and completion's
 * `toUsageRecord`); a test and the types hold them to this.
 */
export const USAGE_RECORD_FIELDS = {
  requestId: { type: 'identifier' },
  clientRequestId: {
    type: 'reference',
    optional: true,
    is: 'What the client sent as its own request id.',
  },
  keyId: { type: 'identifier' },
  userId: { type: 'identifier', optional: true },
  model: { type: 'name' },
  requestedModel: { type: 'name' },
  channelId: {
    type: 'identifier',
    optional: true,
    is: 'The channel that answered, or the last that was asked; null where damage took the record.',
  },
  ownChannel: {
    type: 'flag',
    is: 'True on a channel of the account itself, where amount is 0.',
  },
  priceVersion: { type: 'count' },
  prices: { type: 'prices', is: 'Unit prices in nano-units per 1M tokens.' },
  promptTokens: { type: 'count' },
  completionTokens: { type: 'count' },
  cachedTokens: { type: 'count', is: 'The part of prompt_tokens that the vendor had cached.' },
  cacheWriteTokens: {
    type: 'count',
    optional: true,
    later: true,
    is: 'The part of prompt_tokens that the vendor put into its cache.',
  },
  reasoningTokens: {
    type: 'count',
    optional: true,
    later: true,
    is: 'The part of completion_tokens that was thought.',
  },
  promptAudioTokens: {
    type: 'count',
    optional: true,
    later: true,
    is: 'The part of prompt_tokens that was audio.',
  },
  completionAudioTokens: {
    type: 'count',
    optional: true,
    later: true,
    is: 'The part of completion_tokens that was audio.',
  },
  reserved: {
    type: 'amount',
    writtenAs: 'drawn',
    is: 'What was reserved for the request.',
  },
  amount: { type: 'amount', is: 'What the request claims to cost.' },
  source: {
    type: 'oneOf',
    values: ['exact', 'counted', 'partial', 'none'],
    is: 'exact: by the vendor; counted: by our tokenizer; partial: of a cut answer; none: nothing was counted.',
  },
  reason: {
    type: 'oneOf',
    values: [
      'stop',
      'length',
      'content_filter',
      'tool_calls',
      'client_gone',
      'vendor_gone',
      'vendor_error',
      'no_channel',
      'deadline',
      'shutdown',
      'crash',
      'internal_error',
    ],
    is: 'Why the answer ended.',
  },
  status: {
    type: 'oneOf',
    values: ['succeeded', 'failed'],
    is: 'Whether the client got an answer.',
  },
  errorCode: {
    type: 'code',
    optional: true,
    is: 'What the client was told when it failed: a code of the error table.',
  },
  stream: { type: 'flag', is: 'True when the answer was streamed.' },
  attempts: { type: 'count', is: 'How many calls of vendors were made.' },
  failedAttempts: {
    type: 'report',
    optional: true,
    later: true,
    is: 'JSON: the calls of vendors that did not help, in their order. For operators.',
  },
  latencyMs: { type: 'count' },
  firstTokenMs: { type: 'count', optional: true },
  startedAt: { type: 'time' },
  limitsLeft: {
    type: 'code',
    optional: true,
    later: true,
    is: 'What was left of its limits, as the headers of its answer said: `rpm 59/60 rpd 999/1000`.',
  },
  ignoredMembers: {
    type: 'reference',
    optional: true,
    later: true,
    rare: true,
    is: 'Members of its body that were ignored, as its answer named them, with blanks between.',
  },
  vendorAbsorbed: {
    type: 'amount',
    is: 'Vendor cost of what no client is charged for: the operator pays it.',
  },
  budget: { type: 'budget', optional: true, is: "The key's budget, when it has one." },
} as const satisfies Readonly<Record<string, UsageField>>;

/** The fields of a whole record, its place first. */
export const WHOLE_RECORD: readonly (readonly [string, UsageField])[] = [
  ...Object.entries<UsageField>(USAGE_RECORD_PLACE),
  ...Object.entries<UsageField>(USAGE_RECORD_FIELDS),
];

/** The budget that a key carries; it travels with the request because identity owns it. */
export interface Budget {
  readonly limit: Nano;
  readonly period: BudgetPeriod;
}

type ValueOf<Field extends UsageField> = Field extends { readonly type: 'count' | 'ordinal' }
  ? number
  : Field extends { readonly type: 'amount' }
    ? Nano
    : Field extends { readonly type: 'flag' }
      ? boolean
      : Field extends { readonly values: readonly (infer Value)[] }
        ? Value
        : Field extends { readonly type: 'prices' }
          ? UnitPrices
          : Field extends { readonly type: 'budget' }
            ? Budget
            : string;

type Later<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly later: true } ? Name : never;
}[keyof Fields];

type FieldsOf<Fields extends Readonly<Record<string, UsageField>>> = {
  readonly [Name in Exclude<keyof Fields, Later<Fields>>]: Fields[Name] extends {
    readonly optional: true;
  }
    ? ValueOf<Fields[Name]> | undefined
    : ValueOf<Fields[Name]>;
} & { readonly [Name in Later<Fields>]?: ValueOf<Fields[Name]> | undefined };

/** Which lease a record belongs to, and its place there. */
export interface RecordPlace extends FieldsOf<typeof USAGE_RECORD_PLACE> {}

/** Everything that is known about one finished request. */
export interface UsageRecord extends RecordPlace, FieldsOf<typeof USAGE_RECORD_FIELDS> {
  readonly kind: 'usage';
}

/** The last record of a lease: what is left returns to the account. */
export interface CloseRecord extends RecordPlace {
  readonly kind: 'close';
}

/** A record that billing settles, in the order of `number` within its lease. */
export type NumberedRecord = UsageRecord | CloseRecord;

/** The fields of a request that are known when it begins. */
export type UsageStart = Pick<
  UsageRecord,
  | 'accountId'
  | 'budget'
  | 'channelId'
  | 'clientRequestId'
  | 'ignoredMembers'
  | 'keyId'
  | 'lease'
  | 'limitsLeft'
  | 'model'
  | 'ownChannel'
  | 'priceVersion'
  | 'prices'
  | 'requestedModel'
  | 'requestId'
  | 'reserved'
  | 'startedAt'
  | 'stream'
  | 'userId'
>;

/** Those that are known when it ends; `number`, `holder` and `epoch` are given with its record. */
export type UsageOutcome = Omit<
  UsageRecord,
  'epoch' | 'holder' | 'kind' | 'number' | keyof UsageStart
>;

/** Why a request ended. */
export type UsageEndReason = UsageRecord['reason'];

/** Of a `name` or a `reference`, characters. */
export const RECORD_NAME_LENGTH_MAX = 256;
/** Of a `code`, characters. */
export const RECORD_CODE_LENGTH_MAX = 64;
/** Of a `report`, characters. */
export const REPORT_LENGTH_MAX = 2048;

/**
 * Whether all texts are within their bounds, so that they may be shown to everybody. Numbers and
 * amounts are not looked at: whoever settles the record does that.
 */
export function hasReadableTexts(record: UsageRecord): boolean {
  return WHOLE_RECORD.every(([name, field]) => {
    // Read by the names of the table, which has every field of the interface.
    const value = (record as unknown as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? field.optional === true : isReadable(value, field);
  });
}

function isReadable(value: unknown, { type, values }: UsageField): boolean {
  if (typeof value !== 'string') return true;
  switch (type) {
    case 'identifier':
      return isIdentifier(value);
    case 'name':
      return value !== '' && value.length <= RECORD_NAME_LENGTH_MAX;
    case 'reference':
      return value.length <= RECORD_NAME_LENGTH_MAX;
    case 'code':
      return value !== '' && value.length <= RECORD_CODE_LENGTH_MAX;
    case 'report':
      return value.length <= REPORT_LENGTH_MAX;
    case 'time':
      return fromIsoTime(value) !== undefined;
    case 'oneOf':
      return values?.includes(value) === true;
    default:
      return true;
  }
}
