import type { Clock, Logger } from '@tollgate/core';
import {
  type DecodedMessage,
  decodeMessage,
  presentableKey,
  type UnusableMessage,
  unusableMessage,
} from './codec';
import { createEvent, toOutgoing } from './create-event';
import type { EventBusObserver, OutgoingEvent, ReceivedEvent } from './event-bus';
import { OPERATOR_KEY, type TopicName } from './topics';

/** A message as an adapter got it, before anybody looked inside. */
export interface RawMessage {
  readonly key: string;
  readonly payload: Buffer;
  readonly offset: string;
  /** The payload, when it is parsed already; nobody may change it. */
  readonly decoded?: readonly DecodedMessage[];
}

export interface ReceiveContext {
  readonly group: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: EventBusObserver;
  /** Publishes a dead letter. */
  publishDeadLetter(letter: OutgoingEvent): Promise<void>;
}

/** Where the messages lay. */
export interface MessagePlace {
  readonly topic: TopicName;
  readonly partition: number;
}

/** What messages hold. */
interface ReceivedBatch {
  /** For the handler. */
  readonly events: readonly ReceivedEvent[];
  /** What must not block its partition. */
  readonly unhandled: readonly UnhandledMessage[];
}

/** A message, or an item of one, that no handler is given. */
interface UnhandledMessage extends RawMessage {
  readonly found: Exclude<DecodedMessage, { kind: 'event' }>;
}

/** Sorts messages into events for the handler and those that are passed over. */
export function receiveBatch(place: MessagePlace, messages: readonly RawMessage[]): ReceivedBatch {
  const events: ReceivedEvent[] = [];
  const unhandled: UnhandledMessage[] = [];
  for (const message of messages) {
    const { key, offset } = message;
    for (const found of message.decoded ?? decodeMessage(place.topic, message.payload)) {
      if (found.kind === 'event') events.push({ ...place, key, event: found.event, offset });
      else unhandled.push({ ...message, found });
    }
  }
  return { events, unhandled };
}

/**
 * What only a newer version knows is counted and skipped, unusable messages leave a dead letter. Call
 * it only with messages whose place is about to be committed: each further call would leave another
 * dead letter. Never rejects: when the dead letter cannot be published, the log line holds all that it
 * would have said.
 */
export async function passOverEach(
  context: ReceiveContext,
  place: MessagePlace,
  messages: readonly UnhandledMessage[],
): Promise<void> {
  for (const message of messages) await passOver(context, place, message, message.found);
}

/** Publishes a dead letter for an event that its handler cannot use: its hash and its size. */
export async function sendToDeadLetters(
  context: ReceiveContext,
  received: ReceivedEvent,
  reason: string,
): Promise<void> {
  const { topic, partition, key, offset, event } = received;
  const payload = Buffer.from(JSON.stringify(event));
  const unusable = unusableMessage(payload, 'handler_failed', reason, event.id);
  await passOver(context, { topic, partition }, { key, payload, offset }, unusable);
}

async function passOver(
  context: ReceiveContext,
  place: MessagePlace,
  message: RawMessage,
  decoded: Exclude<DecodedMessage, { kind: 'event' }>,
): Promise<void> {
  const { group, logger, observer } = context;
  const where = { group, ...place, offset: message.offset };
  if (decoded.kind === 'skipped') {
    observer.skipped(place.topic, group);
    const type = presentableKey(decoded.type);
    logger.debug(
      { ...where, type },
      'skipped an event of a type, or a denial for a reason, that this version does not know',
    );
    return;
  }
  observer.deadLettered(place.topic, group, decoded.cause);
  const fields = {
    ...where,
    cause: decoded.cause,
    reason: decoded.reason,
    event_id: decoded.eventId,
    payload_sha256: decoded.payloadSha256,
    payload_bytes: decoded.payloadBytes,
  };
  logger.error(fields, 'an unusable message becomes a dead letter');
  // A dead letter about a dead letter would only travel in a circle.
  if (place.topic === 'tollgate.dead-letter.v1') return;
  try {
    await context.publishDeadLetter(deadLetterFor(context, place, message, decoded));
  } catch (error) {
    logger.error({ ...fields, error }, 'could not publish a dead letter');
  }
}

function deadLetterFor(
  context: ReceiveContext,
  place: MessagePlace,
  message: RawMessage,
  unusable: UnusableMessage,
): OutgoingEvent {
  const key = presentableKey(message.key);
  const data = {
    source_topic: place.topic,
    group: context.group,
    reason: unusable.reason,
    event_id: unusable.eventId,
    key,
    payload_sha256: unusable.payloadSha256,
    payload_bytes: unusable.payloadBytes,
    record: null,
  };
  return toOutgoing(key ?? OPERATOR_KEY, createEvent('dead_letter.recorded', data, context.clock));
}
