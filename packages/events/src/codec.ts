import { AppError, sha256Hex } from '@tollgate/core';
import type { z } from 'zod';
import type { DeadLetterCause, EventToPublish } from './event-bus';
import {
  batchEnvelope,
  type EventType,
  eventCatalogue,
  isEventType,
  type TollgateEvent,
  topicOf,
} from './event-catalogue';
import { isExactCharge, isExactEnvelope, isExactRecord } from './exact-form';
import { ledgerEventId } from './schemas/ledger';
import type { TopicName } from './topics';

/** Largest event on the wire, bytes; a broker's default bound for a whole batch is 1 MiB. */
export const EVENT_BYTES_MAX = 512 * 1024;

const REASON_ISSUES_MAX = 5;
const KEY_LIKE = /^[A-Za-z0-9_.-]{1,128}$/;
const SCHEMAS: ReadonlyMap<string, z.ZodType<TollgateEvent>> = new Map(
  eventCatalogue.map(({ type, schema }) => [type, schema]),
);

/** The known part of a message that no handler may see. */
export interface UnusableMessage {
  readonly kind: 'unusable';
  readonly cause: DeadLetterCause;
  /** Names fields and rules, never values. */
  readonly reason: string;
  readonly eventId: string | null;
  readonly payloadSha256: string;
  readonly payloadBytes: number;
}

/** The message that the bytes turned out to be. */
export type DecodedMessage =
  | { readonly kind: 'event'; readonly event: TollgateEvent }
  | { readonly kind: 'skipped'; readonly type: string }
  | UnusableMessage;

/**
 * JSON for the wire. Throws AppError INTERNAL_ERROR for an event that must never leave: no key, the
 * wrong topic, too large, or (when `validate` is set, as tests do) against its schema.
 */
export function encodeEvent(outgoing: EventToPublish, validate: boolean): Buffer {
  const { topic, key } = outgoing;
  const type = 'text' in outgoing ? outgoing.type : outgoing.event.type;
  if (key === '') throw unsendable(`event ${type} has no key`);
  if (isEventType(type) && topicOf(type) !== topic) {
    throw unsendable(`event ${type} does not belong on ${topic}`);
  }
  const text = 'text' in outgoing ? outgoing.text : JSON.stringify(outgoing.event);
  if (validate) {
    const parsed = SCHEMAS.get(type)?.safeParse(JSON.parse(text));
    if (parsed?.error) throw unsendable(`event ${type}: ${explain(parsed.error)}`);
  }
  const payload = Buffer.from(text);
  if (payload.length > EVENT_BYTES_MAX) {
    throw unsendable(`event ${type} has ${payload.length} bytes`);
  }
  return payload;
}

/**
 * Reads a message of the topic: fields that are new to this version are dropped silently. It is one
 * event, or as many as a batch has records, each judged by itself.
 */
export function decodeMessage(topic: TopicName, payload: Buffer): readonly DecodedMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    return [unusableMessage(payload, 'not_json', 'is not JSON', null)];
  }
  const form = BATCHES.get(textMember(value, 'type') ?? '');
  if (form !== undefined && topicOf(form.type) === topic) {
    const batch = toBatchEnvelope(value);
    const items: unknown = batch?.data[form.member];
    if (batch !== undefined && Array.isArray(items)) {
      return items.map((data, at) => decodeItem(form, batch, data, at));
    }
  }
  return [decodeOne(topic, value, payload)];
}

// Never handed on whole: no consumer knows batches, so what is in one would be lost in silence.
function toBatchEnvelope(value: unknown): Envelope | undefined {
  if (!isExactEnvelope(value)) return batchEnvelope.safeParse(value).data;
  const { data } = value as { readonly data: unknown };
  return typeof data === 'object' && data !== null ? (value as Envelope) : undefined;
}

type Envelope = Readonly<z.infer<typeof batchEnvelope>>;

/** How an event carries several others. */
interface BatchForm {
  readonly member: string;
  /** The message that each of them would have been alone. */
  readonly type: 'ledger.entry_posted' | 'usage.recorded';
  /** The id and the time that it would have had. */
  placeOf(batch: Envelope, data: unknown, at: number): Pick<Envelope, 'id' | 'time'>;
}

const USAGE_BATCH: BatchForm = {
  member: 'records',
  type: 'usage.recorded',
  placeOf: ({ id, time }, _, at) => ({ id: `${id}.${at}`, time }),
};
const LEDGER_BATCH: BatchForm = {
  member: 'entries',
  type: 'ledger.entry_posted',
  placeOf({ id, time }, data, at) {
    // Not checked yet: an item without account or number gets the id and the time of the batch.
    const { account_id: accountId, seq, at: postedAt } = (data ?? {}) as Envelope['data'];
    if (typeof accountId !== 'string' || typeof seq !== 'number') {
      return { id: `${id}.${at}`, time };
    }
    return { id: ledgerEventId(accountId, seq), time: String(postedAt) };
  },
};
const BATCHES: ReadonlyMap<string, BatchForm> = new Map<EventType, BatchForm>([
  ['usage.batch_recorded', USAGE_BATCH],
  ['ledger.batch_posted', LEDGER_BATCH],
]);

/** One item of a batch as the event that it would have been alone. */
function decodeItem(form: BatchForm, batch: Envelope, data: unknown, at: number): DecodedMessage {
  const { type } = form;
  const { id, time } = form.placeOf(batch, data, at);
  const event = { id, type, schema_version: batch.schema_version, time, data };
  if (QUICK_CHECKS[type]?.(data) === true) return { kind: 'event', event: event as TollgateEvent };
  return decodeOne(topicOf(type), event, Buffer.from(JSON.stringify(event)));
}

/** A message exactly as this version writes it needs no schema, which takes far longer. */
const QUICK_CHECKS: Readonly<Partial<Record<EventType, (data: unknown) => boolean>>> = {
  'usage.recorded': isExactRecord,
  'ledger.entry_posted': isExactCharge,
};

function decodeOne(topic: TopicName, value: unknown, payload: Buffer): DecodedMessage {
  const type = textMember(value, 'type');
  const eventId = textMember(value, 'id')?.slice(0, 128) ?? null;
  if (type === undefined)
    return unusableMessage(payload, 'schema_mismatch', 'type: is missing', eventId);
  // Also skipped: a known type on a topic that does not carry it, which a newer version may move.
  if (!isEventType(type) || topicOf(type) !== topic) return { kind: 'skipped', type };
  const isExact = QUICK_CHECKS[type];
  if (isExact !== undefined && isExactEnvelope(value)) {
    const event = value as TollgateEvent;
    if (isExact(event.data)) return { kind: 'event', event };
  }
  const parsed = SCHEMAS.get(type)?.safeParse(value);
  if (parsed?.success) return { kind: 'event', event: parsed.data };
  if (parsed !== undefined && isOfNewerVersion(type, value, parsed.error))
    return { kind: 'skipped', type };
  const reason = parsed === undefined ? 'has no schema' : explain(parsed.error);
  return unusableMessage(payload, 'schema_mismatch', reason, eventId);
}

/**
 * Members of `data` that get further values with new versions, whose events tell an older version
 * nothing. Of others, such as those of money, an unknown value is a dead letter: nobody may miss it.
 */
const GROWING_MEMBERS: Readonly<Partial<Record<EventType, string>>> = {
  'denials.counted': 'reason',
};

function isOfNewerVersion(type: EventType, event: unknown, { issues }: z.ZodError): boolean {
  const member = GROWING_MEMBERS[type];
  // Zod tells of a member that is missing, or is no text, as of an unknown value.
  if (member === undefined || !textMember(memberOf(event, 'data'), member)) return false;
  return issues.every(
    ({ code, path }) => code === 'invalid_value' && path.join('.') === `data.${member}`,
  );
}

/** The key as far as it may be kept: unknown content in its place is dropped. */
export function presentableKey(key: string): string | null {
  return KEY_LIKE.test(key) ? key : null;
}

function unsendable(internalMessage: string): AppError {
  return new AppError('INTERNAL_ERROR', { internalMessage });
}

/** The kept part of bytes that no handler can use. */
export function unusableMessage(
  payload: Buffer,
  cause: DeadLetterCause,
  reason: string,
  eventId: string | null,
): UnusableMessage {
  const payloadSha256 = sha256Hex(payload);
  const keptId = eventId === null ? null : presentableKey(eventId);
  return {
    kind: 'unusable',
    cause,
    reason,
    eventId: keptId,
    payloadSha256,
    payloadBytes: payload.length,
  };
}

// Paths are our own field names and codes are zod's: neither can repeat what the message holds.
function explain(error: z.ZodError): string {
  const parts = error.issues
    .slice(0, REASON_ISSUES_MAX)
    .map(({ path, code }) => `${path.map(String).join('.') || 'event'}: ${code}`);
  return parts.join(', ');
}

function textMember(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
