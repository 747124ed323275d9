import {
  AppError,
  type BackoffPolicy,
  backoffDelayMs,
  delay,
  isPassing,
  toAppError,
} from '@tollgate/core';
import type { EventHandler, ReceivedEvent } from './event-bus';
import { type ReceiveContext, sendToDeadLetters } from './receive-batch';

/** How long a consumer waits before it hands the same events to a failing handler again. */
export const HANDLER_BACKOFF_DEFAULT: BackoffPolicy = { initialMs: 100, maxMs: 10_000 };

/**
 * After so many failures of a batch its events are handed over one by one. With the default backoff
 * that is some three seconds, in which a fault of the moment passes.
 */
const ATTEMPTS_TOGETHER = 5;

export interface HandleContext extends ReceiveContext {
  readonly handle: EventHandler;
  /** Events that the handler gets at once, at most: a message may hold many. */
  readonly maxBatch: number;
  readonly signal: AbortSignal;
}

export interface RepeatContext extends HandleContext {
  readonly backoff: BackoffPolicy;
}

/**
 * Hands the events to the handler, and answers how many from the front are done: handled, or sent
 * to the dead letters. All of them come again when the handler fails, until it has failed so
 * often that one of them must be the cause: then each is handed over alone, and one that still
 * fails stops none of the others. A store or a service that is away is nobody's fault: everything
 * waits for it.
 */
export async function handleSome(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<number> {
  const { maxBatch } = context;
  for (let start = 0; start < events.length; start += maxBatch) {
    const some = events.slice(start, start + maxBatch);
    const done = await handleTogether(some, context, attempt);
    if (done < some.length) return start + done;
  }
  return events.length;
}

async function handleTogether(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<number> {
  const failure = await handleOnce(events, context, attempt);
  if (failure === undefined) return events.length;
  if (attempt + 1 < ATTEMPTS_TOGETHER || context.signal.aborted) return 0;
  for (const [done, event] of events.entries()) {
    const error = await handleOnce([event], context, attempt);
    if (context.signal.aborted) return done;
    if (error === undefined) continue;
    if (isPassing(error)) return done;
    await sendToDeadLetters(context, event, reasonOf(error));
  }
  return events.length;
}

/** Names kinds of errors, never their text, which may repeat what the event holds. */
function reasonOf({ code, cause }: AppError): string {
  const kind = cause instanceof Error ? ` (${cause.name})` : '';
  return `the handler fails with ${code}${kind}`;
}

/** Calls the handler once. A failure is logged, counted and answered, not thrown. */
async function handleOnce(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<AppError | undefined> {
  const [first] = events;
  if (first === undefined) return undefined;
  const { group, handle, signal, logger, observer } = context;
  const { topic, partition, offset } = first;
  try {
    await handle(events, { signal });
    observer.handled(topic, group, events.length);
    return undefined;
  } catch (error) {
    // A handler that was asked to give up did what it was asked.
    if (signal.aborted) return new AppError('SERVICE_UNAVAILABLE');
    observer.handlerFailed(topic, group);
    const fields = { group, topic, partition, offset, events: events.length, attempt, err: error };
    logger.warn(fields, 'an event handler failed');
    return toAppError(error);
  }
}

/**
 * Hands the events over until all are done. True when they are, false when the signal ended the
 * attempts. The events wait in place, because skipping them would lose them and moving on would
 * break the order of their key.
 */
export async function handleUntilDone(
  events: readonly ReceivedEvent[],
  context: RepeatContext,
): Promise<boolean> {
  const { signal, backoff, clock } = context;
  let rest = events;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const done = await handleSome(rest, context, attempt);
    rest = rest.slice(done);
    if (rest.length === 0) return true;
    // Only the signal makes this reject, and the loop looks at it next.
    await delay(clock, backoffDelayMs(backoff, attempt), signal).catch(() => undefined);
  }
  return false;
}
