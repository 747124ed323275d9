import { AppError } from '@tollgate/core';
import type { EventType, TollgateEvent } from './event-catalogue';
import type { TopicName } from './topics';

/** An event on its way out. */
export interface OutgoingEvent {
  readonly topic: TopicName;
  /** Events of one key stay in order; never empty. TOPICS says what it is. */
  readonly key: string;
  readonly event: TollgateEvent;
}

/** An event that is JSON already. */
export interface SerialisedEvent {
  readonly topic: TopicName;
  readonly key: string;
  readonly type: EventType;
  /** The whole envelope. */
  readonly text: string;
}

export type EventToPublish = OutgoingEvent | SerialisedEvent;

/** An event as a consumer group gets it; each item of a batch event comes as an event of its own. */
export interface ReceivedEvent {
  readonly topic: TopicName;
  readonly key: string;
  readonly event: TollgateEvent;
  readonly partition: number;
  /** Place in the partition, a decimal string because Kafka counts in 64 bits. */
  readonly offset: string;
}

export interface PublishOptions {
  /** After this time the call rejects; the events may still arrive, so publish again. */
  readonly timeoutMs: number;
}

export interface HandlerControl {
  /** Aborted when the subscription stops or loses its partition: give up soon, it comes again. */
  readonly signal: AbortSignal;
  /** They are only a part of a batch: handle them at once, and wait for no more to come. */
  readonly isPart: boolean;
}

/**
 * Gets events of one topic and partition, in order. When it resolves they count as handled; when it
 * rejects all of them come again, after a growing delay, and after some rejections in smaller and
 * smaller parts, key by key: an event that is rejected alone becomes a dead letter, unless the
 * failure may pass (`isTransient` of core). A rejection with HandledInPart lets the delay begin
 * anew. It must be idempotent.
 */
export type EventHandler = (
  events: readonly ReceivedEvent[],
  control: HandlerControl,
) => Promise<void>;

/** Some of it is done, and the rest is to come again soon: nothing is away. */
export class HandledInPart extends AppError {
  constructor(internalMessage: string) {
    super('SERVICE_UNAVAILABLE', { internalMessage });
  }
}

export interface SubscribeOptions {
  /** Each group gets every event once or more; the members of a group share them. */
  readonly group: string;
  readonly topics: readonly TopicName[];
  /** Events per call of `handle`, at least 1; 500 when absent. */
  readonly batchMax?: number;
  readonly handle: EventHandler;
}

export interface Subscription {
  /** Ends after the running handler; what it did not finish comes again to the group. */
  stop(): Promise<void>;
}

/**
 * Events between services: at least once, in order per key, to every group on its own. What
 * `publish` has resolved is not lost.
 */
export interface EventBus {
  /**
   * Resolves when the whole batch is accepted durably. Rejects with AppError SERVICE_UNAVAILABLE
   * when that is not certain: the batch, or a part of it, may or may not arrive. The rejection is
   * EventKeysRefused when it is certain of all events but those of some keys.
   */
  publish(batch: readonly EventToPublish[], options: PublishOptions): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Lets running publishes and handlers finish, then lets go of everything. */
  close(): Promise<void>;
}

export const RETRY_AFTER_MS = 1_000;

/** The failure of a bus that is full, late or closing. */
export function busUnavailable(internalMessage: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage,
    retryAfterMs: RETRY_AFTER_MS,
    cause,
  });
}

export function busClosing(): AppError {
  return busUnavailable('the event bus is closing');
}

/** How long a consumer waits until its dead letter is accepted, milliseconds. */
export const DEAD_LETTER_TIMEOUT_MS = 5_000;
/** How long `close` waits for publishes and handlers when a bus is not told. */
export const CLOSE_TIMEOUT_MS_DEFAULT = 10_000;
/** Messages that wait, of one consumer group in the process or of one topic for Kafka. */
export const PENDING_MESSAGES_MAX_DEFAULT = 10_000;
/** Events per handler call when a subscription does not say. */
export const BATCH_MAX_DEFAULT = 500;

/** Why a message is a dead letter: no handler could see it, or its handler fails with it alone. */
export type DeadLetterCause = 'not_json' | 'schema_mismatch' | 'handler_failed';

/** The reports of a bus at work; packages that own metrics count them. */
export interface EventBusObserver {
  /** A message is one event, or a batch event of up to a hundred items. */
  published(topic: TopicName, messages: number): void;
  publishFailed(topic: TopicName, messages: number): void;
  /** Each item of a batch event counts by itself. */
  handled(topic: TopicName, group: string, events: number): void;
  /** A handler rejected; its events come again. */
  handlerFailed(topic: TopicName, group: string): void;
  deadLettered(topic: TopicName, group: string, cause: DeadLetterCause): void;
  /** An event of a type, or a denial for a reason, that this version does not know. */
  skipped(topic: TopicName, group: string): void;
  /** Messages that the group has still to handle in the partitions that this process reads. */
  behind(topic: TopicName, group: string, messages: number): void;
}

/** Counts nothing. */
export const silentObserver: EventBusObserver = {
  published() {},
  publishFailed() {},
  handled() {},
  handlerFailed() {},
  deadLettered() {},
  skipped() {},
  behind() {},
};
