import { type Clock, createId, toIsoTime } from '@tollgate/core';
import type { OutgoingEvent } from './event-bus';
import {
  EVENT_SCHEMA_VERSION,
  type EventData,
  type EventOf,
  type EventType,
  type TollgateEvent,
  topicOf,
} from './event-catalogue';

/** What happens now: wraps data in an envelope with a new id. Nothing is validated. */
export function createEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  clock: Clock,
): EventOf<Type> {
  return createWaitingEvent(type, data, { id: createId('event'), atMs: clock.now() });
}

/**
 * As `createEvent`, for what happened before and waited in an outbox: however often and however
 * late it is published, it has the id that it waited with and the time at which it happened.
 */
export function createWaitingEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): EventOf<Type> {
  const time = toIsoTime(atMs);
  const envelope = { id, type, schema_version: EVENT_SCHEMA_VERSION, time, data };
  // An envelope with a generic type member is a member of the union, which the compiler cannot see.
  return envelope as unknown as EventOf<Type>;
}

/** Addresses an event: its topic follows from its type, its key keeps it in order (see TOPICS). */
export function toOutgoing(key: string, event: TollgateEvent): OutgoingEvent {
  return { topic: topicOf(event.type), key, event };
}
