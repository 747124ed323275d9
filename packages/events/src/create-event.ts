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

/** Wraps data in an envelope with a new id and the present time. Nothing is validated. */
export function createEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  clock: Clock,
): EventOf<Type> {
  const envelope = {
    id: createId('event'),
    type,
    schema_version: EVENT_SCHEMA_VERSION,
    time: toIsoTime(clock.now()),
    data,
  };
  // An envelope with a generic type member is a member of the union, which the compiler cannot see.
  return envelope as unknown as EventOf<Type>;
}

/** Addresses an event: its topic follows from its type, its key keeps it in order (see TOPICS). */
export function toOutgoing(key: string, event: TollgateEvent): OutgoingEvent {
  return { topic: topicOf(event.type), key, event };
}
