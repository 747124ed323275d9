import { z } from 'zod';
import {
  balanceExhausted,
  balanceLow,
  creditsAdded,
  keyBudgetExceeded,
  spendingResumed,
  spendingSuspended,
} from './schemas/billing';
import { deadLetterRecorded } from './schemas/dead-letter';
import {
  denialsCounted,
  refusalsSampled,
  refusalsUnauthorized,
  refusalsUnrouted,
  unservedCounted,
} from './schemas/denials';
import {
  accountCreated,
  accountErased,
  keyCreated,
  keyExpiring,
  keyRevoked,
  keyRotated,
  planChanged,
} from './schemas/identity';
import { ledgerAdjustmentPosted, ledgerBatchPosted, ledgerEntryPosted } from './schemas/ledger';
import { identifier, isoTime } from './schemas/primitives';
import { channelDisabled, channelRecovered } from './schemas/routing';
import { usageBatch, usageRecord } from './schemas/usage';
import type { TopicName } from './topics';

/**
 * The one table of event types: the topic that carries each and the schema of its data. A new event
 * is a row here; its type, its codec and its reference page follow. What one that customers may
 * receive needs besides is in docs/first-hour.md.
 */
const EVENTS = {
  'usage.recorded': { topic: 'tollgate.usage.v1', data: usageRecord },
  'usage.batch_recorded': { topic: 'tollgate.usage.v1', data: usageBatch },
  'ledger.entry_posted': { topic: 'tollgate.ledger.v1', data: ledgerEntryPosted },
  'ledger.batch_posted': { topic: 'tollgate.ledger.v1', data: ledgerBatchPosted },
  'ledger.adjustment_posted': { topic: 'tollgate.ledger.v1', data: ledgerAdjustmentPosted },
  'denials.counted': { topic: 'tollgate.denials.v1', data: denialsCounted },
  'unserved.counted': { topic: 'tollgate.denials.v1', data: unservedCounted },
  'refusals.sampled': { topic: 'tollgate.denials.v1', data: refusalsSampled },
  'refusals.unauthorized': { topic: 'tollgate.denials.v1', data: refusalsUnauthorized },
  'refusals.unrouted': { topic: 'tollgate.denials.v1', data: refusalsUnrouted },
  'balance.low': { topic: 'tollgate.billing.v1', data: balanceLow },
  'balance.exhausted': { topic: 'tollgate.billing.v1', data: balanceExhausted },
  'spending.suspended': { topic: 'tollgate.billing.v1', data: spendingSuspended },
  'spending.resumed': { topic: 'tollgate.billing.v1', data: spendingResumed },
  'credits.added': { topic: 'tollgate.billing.v1', data: creditsAdded },
  'key.budget_exceeded': { topic: 'tollgate.billing.v1', data: keyBudgetExceeded },
  'account.created': { topic: 'tollgate.identity.v1', data: accountCreated },
  'account.erased': { topic: 'tollgate.identity.v1', data: accountErased },
  'key.created': { topic: 'tollgate.identity.v1', data: keyCreated },
  'key.rotated': { topic: 'tollgate.identity.v1', data: keyRotated },
  'key.revoked': { topic: 'tollgate.identity.v1', data: keyRevoked },
  'key.expiring': { topic: 'tollgate.identity.v1', data: keyExpiring },
  'plan.changed': { topic: 'tollgate.identity.v1', data: planChanged },
  'channel.disabled': { topic: 'tollgate.routing.v1', data: channelDisabled },
  'channel.recovered': { topic: 'tollgate.routing.v1', data: channelRecovered },
  'dead_letter.recorded': { topic: 'tollgate.dead-letter.v1', data: deadLetterRecorded },
} as const satisfies Readonly<Record<string, { topic: TopicName; data: z.ZodType }>>;

/** The type of an event, noun then verb. */
export type EventType = keyof typeof EVENTS;

/** The body of an event of the type. */
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>;

/** Grows only when an older consumer would misread the event; added fields do not count. */
export const EVENT_SCHEMA_VERSION = 1;

/** The envelope of every event. */
export interface EventEnvelope<Type extends EventType> {
  /** `evt_` and what names it, only to be compared; the same in every redelivery. */
  readonly id: string;
  readonly type: Type;
  readonly schema_version: typeof EVENT_SCHEMA_VERSION;
  /** ISO-8601 time at which it happened, or was sent where `data` says when it happened. */
  readonly time: string;
  readonly data: EventData<Type>;
}

/** Any event, told apart by `type`. */
export type TollgateEvent = { [Type in EventType]: EventEnvelope<Type> }[EventType];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<TollgateEvent, { readonly type: Type }>;

/** One row for the generated reference and for the codec. */
export interface CatalogueEntry {
  readonly type: EventType;
  readonly topic: TopicName;
  /** The whole envelope on the wire. */
  readonly schema: z.ZodType<TollgateEvent>;
  /** One sentence: what happened. */
  readonly description: string;
}

const ENVELOPE = {
  id: identifier.describe(
    '`evt_` and what names it, only to be compared; the same in every redelivery.',
  ),
  schema_version: z.literal(EVENT_SCHEMA_VERSION),
  time: isoTime.describe(
    'When it happened, ISO-8601 in UTC; when it was sent where `data` says when it happened.',
  ),
};

/** A batch before anybody has looked at what is in it: each of its items is judged by itself. */
export const batchEnvelope = z.object({ ...ENVELOPE, data: z.record(z.string(), z.unknown()) });

function envelopeOf(type: EventType): z.ZodType<TollgateEvent> {
  const { data } = EVENTS[type];
  const { id, schema_version, time } = ENVELOPE;
  const schema = z.object({ id, type: z.literal(type), schema_version, time, data });
  // The table ties type and data together row by row, which a lookup by a union type cannot show.
  return schema as unknown as z.ZodType<TollgateEvent>;
}

/** True when this version knows the type. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text);
}

/** The topic that carries events of the type. */
export function topicOf(type: EventType): TopicName {
  return EVENTS[type].topic;
}

/** Every event with its topic, schema and sentence, in the order of the table. */
export const eventCatalogue: readonly CatalogueEntry[] = Object.freeze(
  (Object.keys(EVENTS) as EventType[]).map((type) => ({
    type,
    topic: EVENTS[type].topic,
    schema: envelopeOf(type),
    description: EVENTS[type].data.description ?? '',
  })),
);
