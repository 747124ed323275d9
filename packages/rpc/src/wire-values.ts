import {
  BUDGET_PERIODS,
  type BudgetPeriod,
  CHANNEL_TYPES,
  type ChannelType,
  fromIsoTime,
  type Idempotency,
  invalid,
  MODEL_KINDS,
  type ModelKind,
  toIsoTime,
} from '@tollgate/core';
import { completionV1, type routingV1 } from '@tollgate/protos';

/** Values that several contracts have in common, as they travel. */

/** How a word travels: `CHANNEL_TYPE` and `openai` are CHANNEL_TYPE_OPENAI. */
export function toProtoName<Prefix extends string, Word extends string>(
  prefix: Prefix,
  word: Word,
) {
  return `${prefix}_${word.toUpperCase()}` as `${Prefix}_${Uppercase<Word>}`;
}

/** Undefined for a name that is of none of these words. */
export function fromProtoName<Word extends string>(
  words: readonly Word[],
  prefix: string,
  name: string,
): Word | undefined {
  return words.find((word) => toProtoName(prefix, word) === name);
}

/** The period as identity and billing name it. */
export function toProtoPeriod(period: BudgetPeriod) {
  return period === 'none' ? 'BUDGET_PERIOD_UNSPECIFIED' : toProtoName('BUDGET_PERIOD', period);
}

/** A period that this version does not know never ends. */
export function fromProtoPeriod(period: string): BudgetPeriod {
  return fromProtoName(BUDGET_PERIODS, 'BUDGET_PERIOD', period) ?? 'none';
}

const { UNSPECIFIED, DAY, WEEK, MONTH } = completionV1.BudgetPeriod;
const COMPLETION_PERIODS = {
  none: UNSPECIFIED,
  day: DAY,
  week: WEEK,
  month: MONTH,
} as const satisfies Readonly<Record<BudgetPeriod, completionV1.BudgetPeriod>>;

/** The period as a completion request carries it. */
export function toCompletionPeriod(period: BudgetPeriod): completionV1.BudgetPeriod {
  return COMPLETION_PERIODS[period];
}

/** A period that this version does not know never ends. */
export function fromCompletionPeriod(period: completionV1.BudgetPeriod): BudgetPeriod {
  const found = Object.entries(COMPLETION_PERIODS).find(([, number]) => number === period);
  return (found?.[0] ?? 'none') as BudgetPeriod;
}

export function toProtoChannelType(type: ChannelType) {
  return toProtoName('CHANNEL_TYPE', type);
}

/** Undefined for a protocol that this version does not speak. */
export function fromProtoChannelType(type: routingV1.ChannelType__Output): ChannelType | undefined {
  return fromProtoName(CHANNEL_TYPES, 'CHANNEL_TYPE', type);
}

export function toProtoModelKind(kind: ModelKind) {
  return toProtoName('MODEL_KIND', kind);
}

/** Undefined where none was said, and for a kind that this version does not know. */
export function fromProtoModelKind(kind: routingV1.ModelKind__Output): ModelKind | undefined {
  return fromProtoName(MODEL_KINDS, 'MODEL_KIND', kind);
}

/** Absent times are empty text in every contract. */
export function toProtoTime(epochMs: number | null | undefined): string {
  return epochMs === null || epochMs === undefined ? '' : toIsoTime(epochMs);
}

/** Throws VALIDATION_ERROR for a text that is no time, an empty one too. */
export function fromProtoTime(text: string, param: string): number {
  const timeMs = fromIsoTime(text);
  if (timeMs === undefined) throw invalid(param, `${param} must be a time in ISO-8601.`);
  return timeMs;
}

/** Undefined where none was said. */
export function fromProtoOptionalTime(text: string, param: string): number | undefined {
  return text === '' ? undefined : fromProtoTime(text, param);
}

/** Absent texts are empty in every contract. */
export function fromProtoText(text: string): string | undefined {
  return text === '' ? undefined : text;
}

export function fromProtoIdempotency(request: {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
}): Idempotency {
  return { key: request.idempotencyKey, bodyDigest: request.bodyDigest };
}

/** In the place of null, which a message cannot have: a limit or a budget that is none. */
export const UNLIMITED = -1;

/** A limit that is absent stays absent: it keeps its value, or is that of the plan. */
export function toProtoLimit(limit: number | null | undefined): number | undefined {
  return limit === null ? UNLIMITED : limit;
}

/** The most that a field of the type uint32 holds. */
export const UINT32_MAX = 0xffff_ffff;

/** Rounded up, and within the bounds of the field whatever somebody put into it. */
export function toUint32(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.ceil(value)), UINT32_MAX);
}
