import type { Clock, Timer } from '@tollgate/core';
import { UnansweredError } from './error-mapping';
import { NO_OTHER_REPLICA, type Sendings } from './replicas';

/**
 * Calls that may be carried out twice, beside every get and list: what only reads, and what bears a
 * number by which the service knows it again (a lease's nonce, a record's number, a request's id).
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  'acquireLease',
  'keepAnswer',
  'settleUsage',
  'verifyApiKey',
]);

const GET_OR_LIST = /^(get|list)[A-Z]/;

export function isRepeatable(name: string): boolean {
  return GET_OR_LIST.test(name) || REPEATABLE.has(name);
}

/**
 * Calls that read as much as somebody asks for: too expensive to repeat, though they only read. That
 * they take long says nothing of the service: it must not keep others from what is asked of it
 * besides.
 */
const EXPENSIVE: ReadonlySet<string> = new Set([
  'audit',
  'queryUsage',
  'searchCharges',
  'searchLedger',
]);

export function isExpensive(name: string): boolean {
  return EXPENSIVE.has(name);
}

/**
 * The part of its deadline after which a call is sent to another replica as well. Of the default
 * deadline that is more than the second for which billing may wait for recalled credit.
 */
const REPEAT_AFTER = 0.4;
/** How often a call is sent in all. */
const SENDINGS_MAX = 3;
/** Repetitions of one client at a time: a service that is slow for all is not asked thrice by all. */
const REPEATS_OPEN_MAX = 100;

export interface RepeatOptions {
  readonly sendings: Sendings;
  /** Sends it once. */
  send(signal: AbortSignal): Promise<unknown>;
  /** Of all sendings together. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  /** Repetitions of this client that are under way. */
  readonly repeats: { open: number };
}

/**
 * The first answer that any replica gives. Those that were asked before go on meanwhile, because a
 * late answer is an answer; they are cancelled once there is one. Rejects with a refusal at once,
 * and with the first silence when nobody answers.
 */
export function firstAnswer({
  sendings,
  send,
  deadlineMs,
  clock,
  repeats,
}: RepeatOptions): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const over = new AbortController();
  let sent = 0;
  let open = 0;
  let firstSilence: unknown;
  let timer: Timer | undefined;

  const onFailure = (error: unknown) => {
    open -= 1;
    if (!(error instanceof UnansweredError)) {
      reject(error);
      return;
    }
    // That there was no other to ask says nothing of why the first did not answer.
    if (hasAnother(error)) firstSilence ??= error;
    if (open === 0 && !(hasAnother(error) && repeat())) reject(firstSilence ?? error);
  };
  const sendOnce = () => {
    sent += 1;
    open += 1;
    timer?.cancel();
    timer = clock.schedule(deadlineMs * REPEAT_AFTER, () => {
      sendings.noteSilence();
      repeat();
    });
    send(over.signal).then(resolve, onFailure);
  };
  const repeat = (): boolean => {
    if (over.signal.aborted || sent === SENDINGS_MAX || repeats.open >= REPEATS_OPEN_MAX) {
      return false;
    }
    repeats.open += 1;
    sendOnce();
    return true;
  };
  sendOnce();
  return promise.finally(() => {
    timer?.cancel();
    over.abort();
    sendings.end();
    repeats.open -= sent - 1;
  });
}

/** grpc-js puts the details of a dropped pick (`replicas.ts`) into the message of the failure. */
function hasAnother({ message }: UnansweredError): boolean {
  return !message.includes(NO_OTHER_REPLICA);
}
