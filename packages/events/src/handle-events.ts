import {
  AppError,
  type BackoffPolicy,
  type BoundedMap,
  backoffDelayMs,
  createBoundedMap,
  delay,
  isTransient,
  toAppError,
} from '@tollgate/core';
import { type EventHandler, HandledInPart, type ReceivedEvent } from './event-bus';
import { type ReceiveContext, sendToDeadLetters } from './receive-batch';

/** How long a consumer waits before it hands the same events to a failing handler again. */
export const HANDLER_BACKOFF_DEFAULT: BackoffPolicy = { initialMs: 100, maxMs: 10_000 };

/**
 * After so many failures of a batch its events are handed over in parts. With the default backoff
 * that is about a second, in which a fault of the moment passes.
 */
const ATTEMPTS_TOGETHER = 5;

/**
 * Keys whose last event became a dead letter. Their next events go to the handler apart from those
 * of others, so that they delay no other key.
 */
export type Suspects = BoundedMap<string, true>;

const SUSPECTS_MAX = 1_000;

/** Those of one consumer. */
export function createSuspects(): Suspects {
  return createBoundedMap(SUSPECTS_MAX);
}

export interface HandleContext extends ReceiveContext {
  readonly handle: EventHandler;
  /** Events that the handler gets at once, at most: a message may hold many. */
  readonly batchMax: number;
  readonly signal: AbortSignal;
  readonly suspects: Suspects;
}

export interface RepeatContext extends HandleContext {
  readonly backoff: BackoffPolicy;
}

/** What came of handing events over. */
interface Handled {
  /** How many from the front are done: handled, or sent to the dead letters. */
  readonly done: number;
  /** The next pause need not be longer than the one before. */
  readonly hasProgress: boolean;
}

/**
 * Hands the events to the handler. All of them come again when the handler fails, until it has failed
 * so often that one of them must be the cause: then smaller and smaller parts are handed over, and one
 * that still fails alone stops none of the others. A store or a service that is away is nobody's
 * fault: everything waits for it.
 */
export async function handleInBatches(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<Handled> {
  const { batchMax } = context;
  for (let start = 0; start < events.length; start += batchMax) {
    const some = events.slice(start, start + batchMax);
    const { done: doneOfSome, hasProgress } = await handleBatch(some, context, attempt);
    const done = start + doneOfSome;
    if (doneOfSome < some.length) return { done, hasProgress: hasProgress || done > 0 };
  }
  return { done: events.length, hasProgress: true };
}

async function handleBatch(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
): Promise<Handled> {
  const isSuspect = ({ key }: ReceivedEvent) => context.suspects.get(key) === true;
  const some = events.filter((event) => !isSuspect(event));
  const done = new Set<ReceivedEvent>();
  const parts: PartContext = { ...context, attempt, done, hasProgress: false };
  const failure = await callHandler(some, context, attempt, some.length < events.length);
  if (failure === undefined) {
    for (const event of some) done.add(event);
    await isolatePart(events.filter(isSuspect), parts);
  } else if (attempt + 1 >= ATTEMPTS_TOGETHER && !isTransient(failure) && !context.signal.aborted) {
    await splitAndIsolate(some, parts);
  }
  const waiting = events.findIndex((event) => !done.has(event));
  return {
    done: waiting < 0 ? events.length : waiting,
    hasProgress: parts.hasProgress || failure instanceof HandledInPart,
  };
}

interface PartContext extends HandleContext {
  readonly attempt: number;
  /** Handled, or sent to the dead letters. */
  readonly done: Set<ReceivedEvent>;
  /** A part was handled in part. */
  hasProgress: boolean;
}

/** False when the others have to wait too. */
async function isolatePart(
  events: readonly ReceivedEvent[],
  context: PartContext,
): Promise<boolean> {
  const { attempt, done, suspects, signal } = context;
  const error = await callHandler(events, context, attempt, true);
  if (signal.aborted) return false;
  if (error === undefined) {
    for (const event of events) {
      done.add(event);
      suspects.delete(event.key);
    }
    return true;
  }
  if (error instanceof HandledInPart) context.hasProgress = true;
  if (isTransient(error)) return false;
  const [first, ...others] = events;
  if (first === undefined || others.length > 0) return splitAndIsolate(events, context);
  suspects.set(first.key, true);
  await sendToDeadLetters(context, first, reasonOf(error));
  done.add(first);
  return true;
}

/** Half of the keys and then the other half; of one key each event alone, in their order. */
async function splitAndIsolate(
  events: readonly ReceivedEvent[],
  context: PartContext,
): Promise<boolean> {
  const keys = [...new Set(events.map(({ key }) => key))];
  const front = new Set(keys.slice(0, Math.ceil(keys.length / 2)));
  const parts =
    keys.length === 1
      ? events.map((event) => [event])
      : [events.filter(({ key }) => front.has(key)), events.filter(({ key }) => !front.has(key))];
  for (const part of parts) if (!(await isolatePart(part, context))) return false;
  return true;
}

/** Names kinds of errors, never their text, which may repeat what the event holds. */
function reasonOf({ code, cause }: AppError): string {
  const kind = cause instanceof Error ? ` (${cause.name})` : '';
  return `the handler fails with ${code}${kind}`;
}

/**
 * Calls the handler once. A failure is logged, counted and answered, not thrown; what was handled in
 * part has not failed, and is answered only.
 */
async function callHandler(
  events: readonly ReceivedEvent[],
  context: HandleContext,
  attempt: number,
  isPart: boolean,
): Promise<AppError | undefined> {
  const [first] = events;
  if (first === undefined) return undefined;
  const { group, handle, signal, logger, observer } = context;
  const { topic, partition, offset } = first;
  try {
    await handle(events, { signal, isPart });
    observer.handled(topic, group, events.length);
    return undefined;
  } catch (error) {
    // A handler that was asked to give up did what it was asked.
    if (signal.aborted) return new AppError('SERVICE_UNAVAILABLE');
    const fields = { group, topic, partition, offset, events: events.length, attempt, error };
    if (error instanceof HandledInPart) {
      logger.debug(fields, 'an event handler handled its events in part');
      return error;
    }
    observer.handlerFailed(topic, group);
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
    const { done, hasProgress } = await handleInBatches(rest, context, attempt);
    rest = rest.slice(done);
    if (rest.length === 0) return true;
    if (hasProgress) attempt = 0;
    // Only the signal makes this reject, and the loop looks at it next.
    await delay(clock, backoffDelayMs(backoff, attempt), signal).catch(() => undefined);
  }
  return false;
}
