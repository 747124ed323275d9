import { type BackoffPolicy, backoffDelayMs, type Clock, delay, type Logger } from '@tollgate/core';
import type { EventBusObserver, EventHandler, ReceivedEvent } from './event-bus';

/** How long a consumer waits before it hands the same events to a failing handler again. */
export const HANDLER_BACKOFF_DEFAULT: BackoffPolicy = { initialMs: 100, maxMs: 10_000 };

/** What a call of a handler needs. */
export interface HandleContext {
  readonly group: string;
  readonly handle: EventHandler;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly observer: EventBusObserver;
}

/** What calling it again and again needs besides. */
export interface RepeatContext extends HandleContext {
  readonly backoff: BackoffPolicy;
  readonly clock: Clock;
}

/** Calls the handler once. True when it succeeded; a failure is logged and counted, not thrown. */
export async function handleOnce(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<boolean> {
  const [first] = events;
  if (first === undefined) return true;
  const { group, handle, signal, logger, observer } = context;
  const { topic, partition, offset } = first;
  try {
    await handle(events, { signal });
    observer.handled(topic, group, events.length);
    return true;
  } catch (error) {
    // A handler that was asked to give up did what it was asked.
    if (signal.aborted) return false;
    observer.handlerFailed(topic, group);
    const fields = { group, topic, partition, offset, events: events.length, attempt, err: error };
    logger.warn(fields, 'an event handler failed and will get its events again');
    return false;
  }
}

/**
 * Hands the events to the handler until it succeeds. True when it did, false when the signal ended
 * the attempts. The events wait in place, because skipping them would lose facts and moving on
 * would break the order of their key.
 */
export async function handleUntilDone(
  events: readonly ReceivedEvent[],
  context: RepeatContext,
): Promise<boolean> {
  const { signal, backoff, clock } = context;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    if (await handleOnce(events, context, attempt)) return true;
    // Only the signal makes this reject, and the loop looks at it next.
    await delay(clock, backoffDelayMs(backoff, attempt), signal).catch(() => undefined);
  }
  return false;
}
