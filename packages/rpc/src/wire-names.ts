import {
  type BudgetPeriod,
  type ChannelType,
  fromIsoTime,
  invalid,
  type ModelKind,
  toIsoTime,
} from '@tollgate/core';
import { completionV1, type routingV1 } from '@tollgate/protos';

/** Names that several contracts have in common, as they travel. */

const PERIODS = {
  none: 'BUDGET_PERIOD_UNSPECIFIED',
  day: 'BUDGET_PERIOD_DAY',
  week: 'BUDGET_PERIOD_WEEK',
  month: 'BUDGET_PERIOD_MONTH',
} as const satisfies Readonly<Record<BudgetPeriod, string>>;

/** The period as identity and billing name it. */
export function toProtoPeriod(period: BudgetPeriod) {
  return PERIODS[period];
}

/** A period that this version does not know never ends. */
export function fromProtoPeriod(period: string): BudgetPeriod {
  const found = Object.entries(PERIODS).find(([, name]) => name === period);
  return (found?.[0] ?? 'none') as BudgetPeriod;
}

const { UNSPECIFIED, DAY, WEEK, MONTH } = completionV1.BudgetPeriod;
const SESSION_PERIODS = {
  none: UNSPECIFIED,
  day: DAY,
  week: WEEK,
  month: MONTH,
} as const satisfies Readonly<Record<BudgetPeriod, completionV1.BudgetPeriod>>;

/** The period as a completion request carries it. */
export function toSessionPeriod(period: BudgetPeriod): completionV1.BudgetPeriod {
  return SESSION_PERIODS[period];
}

/** A period that this version does not know never ends. */
export function fromSessionPeriod(period: completionV1.BudgetPeriod): BudgetPeriod {
  const found = Object.entries(SESSION_PERIODS).find(([, number]) => number === period);
  return (found?.[0] ?? 'none') as BudgetPeriod;
}

const CHANNEL_TYPES = {
  openai: 'CHANNEL_TYPE_OPENAI',
  anthropic: 'CHANNEL_TYPE_ANTHROPIC',
  gemini: 'CHANNEL_TYPE_GEMINI',
  simulator: 'CHANNEL_TYPE_SIMULATOR',
} as const satisfies Readonly<Record<ChannelType, routingV1.ChannelType>>;

export function toProtoChannelType(type: ChannelType) {
  return CHANNEL_TYPES[type];
}

/** Undefined for a protocol that this version does not speak. */
export function fromProtoChannelType(type: routingV1.ChannelType__Output): ChannelType | undefined {
  const found = Object.entries(CHANNEL_TYPES).find(([, name]) => name === type);
  return found?.[0] as ChannelType | undefined;
}

const MODEL_KINDS = {
  chat: 'MODEL_KIND_CHAT',
  embedding: 'MODEL_KIND_EMBEDDING',
} as const satisfies Readonly<Record<ModelKind, routingV1.ModelKind>>;

export function toProtoModelKind(kind: ModelKind) {
  return MODEL_KINDS[kind];
}

/** Undefined where none was said, and for a kind that this version does not know. */
export function fromProtoModelKind(kind: routingV1.ModelKind__Output): ModelKind | undefined {
  const found = Object.entries(MODEL_KINDS).find(([, name]) => name === kind);
  return found?.[0] as ModelKind | undefined;
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

/** The members by which a repeated request is recognised. */
export function fromProtoIdempotency(request: {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
}) {
  return { key: request.idempotencyKey, bodyDigest: request.bodyDigest };
}
