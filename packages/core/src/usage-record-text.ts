import {
  type CloseRecord,
  toSnakeCase,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageField,
  type UsageRecord,
} from './usage-record';

/** One member with what stands before its value. */
interface TextMember {
  readonly member: string;
  readonly lead: string;
  readonly type: UsageField['type'];
}

function toTextMember([member, field]: readonly [string, UsageField]): TextMember {
  return { member, lead: `,"${toSnakeCase(field.writtenAs ?? member)}":`, type: field.type };
}

const PLACE = Object.entries<UsageField>(USAGE_RECORD_PLACE).map(toTextMember);
const WHOLE = [...PLACE, ...Object.entries<UsageField>(USAGE_RECORD_FIELDS).map(toTextMember)];

/**
 * The JSON of a record as the topics carry it: snake_case, amounts as text, null for what is absent.
 * Written piece by piece, because making an object first, only for JSON to walk through it, costs
 * more than all the rest.
 */
export function writeUsageRecordText(record: UsageRecord | CloseRecord): string {
  const members = record as unknown as Readonly<Record<string, unknown>>;
  let text = `{"kind":"${record.kind}"`;
  for (const { member, lead, type } of record.kind === 'usage' ? WHOLE : PLACE) {
    const value = members[member];
    text += lead + (value === undefined ? 'null' : textOf(value, type));
  }
  return `${text}}`;
}

function textOf(value: unknown, type: UsageField['type']): string {
  switch (type) {
    case 'amount':
      return `"${value as bigint}"`;
    case 'prices': {
      const { prompt, completion, cachedPrompt } = value as UsageRecord['prices'];
      return `{"prompt":"${prompt}","completion":"${completion}","cached_prompt":"${cachedPrompt}"}`;
    }
    case 'budget': {
      const { limit, period } = value as NonNullable<UsageRecord['budget']>;
      return `{"limit":"${limit}","period":${period === 'none' ? 'null' : `"${period}"`}}`;
    }
    case 'time':
    case 'oneOf':
      return `"${value as string}"`;
    case 'flag':
      return value === true ? 'true' : 'false';
    case 'count':
    case 'ordinal':
      return Number.isFinite(value) ? `${value as number}` : 'null';
    default:
      return quote(value as string);
  }
}

// What JSON never escapes, and most of what names are made of.
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
