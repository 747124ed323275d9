import { type Logger, REPORT_LENGTH_MAX } from '@tollgate/core';
import { VendorFailure, type VendorWords } from '../domain/vendor';
import type { Candidate } from '../routing/candidate';
import type { CompletionRequest } from './request';

/** The attempts of one request; they write it as they go. */
export interface AttemptLog {
  /** When the request arrived: monotonic. */
  readonly startedMs: number;
  count: number;
  /**
   * Those that brought no complete answer: failed, broken off, or given up for one that came
   * sooner.
   */
  readonly otherAttempts: OtherAttempt[];
  /**
   * Who may have worked for nothing beside the last attempt: outrun by another one, timed out or given
   * up. No client is charged for it.
   */
  readonly paidByOperator: Candidate[];
  /** Monotonic time at which the last call was made; undefined while it waits in a queue. */
  calledMs?: number | undefined;
  /** The attempt whose answer the client gets, and the monotonic time at which it was made. */
  answered?: { readonly by: Candidate; readonly calledMs: number };
}

/** An attempt that did not bring the answer, as operators are told of it. */
export interface OtherAttempt {
  readonly channelId: string;
  readonly model: string;
  readonly outcome: VendorFailure['outcome'];
  readonly reason: string;
  /** When it was made, from the arrival of the request. */
  readonly afterMs: number;
  readonly tookMs: number;
  /** How long its vendor wants to be left alone, where it limited us. */
  readonly retryAfterMs?: number | undefined;
  /** What the vendor said, as soon as it has. */
  readonly words: VendorWords | undefined;
}

/**
 * When an attempt was made and when it was over, as the log of its request counts. One that never
 * left the queue of its account counts from its joining.
 */
export interface AttemptSpan {
  readonly calledMs: number;
  readonly endedMs: number;
}

export function failedAttemptOf(
  { startedMs }: AttemptLog,
  { channel, model }: Candidate,
  failure: VendorFailure,
  span: AttemptSpan,
): OtherAttempt {
  const { error, message: reason, outcome } = failure;
  return {
    channelId: channel.id,
    model: model.name,
    outcome,
    reason,
    ...timesOf(startedMs, span),
    // Gemini says it in fractions.
    retryAfterMs: outcome === 'rate_limited' ? Math.ceil(error.retryAfterMs ?? 0) : undefined,
    get words() {
      return failure.words;
    },
  };
}

/** The answer broke off after it had begun: the attempt that brought it joins the others. */
export function noteBroken(log: AttemptLog, error: unknown, monotonicNowMs: number): void {
  const { answered } = log;
  const isVendors = error instanceof VendorFailure && error.outcome !== 'aborted';
  if (answered === undefined || !isVendors) return;
  const span = { calledMs: answered.calledMs, endedMs: monotonicNowMs };
  log.otherAttempts.push(failedAttemptOf(log, answered.by, error, span));
}

/** An attempt that was given up because another channel answered sooner. */
export function outrunAttemptOf(
  { startedMs }: AttemptLog,
  { channel, model }: Candidate,
  span: AttemptSpan,
): OtherAttempt {
  return {
    channelId: channel.id,
    model: model.name,
    outcome: 'aborted',
    reason: 'another channel answered sooner',
    ...timesOf(startedMs, span),
    words: undefined,
  };
}

function timesOf(startedMs: number, { calledMs, endedMs }: AttemptSpan) {
  return {
    afterMs: Math.round(calledMs - startedMs),
    tookMs: Math.round(endedMs - calledMs),
  };
}

/** Tells operators of a request that no attempt answered. */
export function warnOfAttempts(
  logger: Logger,
  { caller, model, requestId }: CompletionRequest,
  { answered, otherAttempts: attempts }: AttemptLog,
): void {
  if (answered !== undefined || attempts.length === 0) return;
  const { accountId, keyId } = caller;
  const line = { requestId, accountId, keyId, model, attempts };
  logger.warn(line, 'no vendor call of a request worked');
}

/** The attempts as the record has them: without the vendor's messages where they are too long. */
export function attemptReportOf(attempts: readonly OtherAttempt[]): string | undefined {
  if (attempts.length === 0) return undefined;
  const textOf = (withMessages: boolean) =>
    JSON.stringify(
      attempts.map(
        ({ afterMs, channelId, model, outcome, reason, retryAfterMs, tookMs, words }) => ({
          channel_id: channelId,
          model,
          outcome,
          reason,
          after_ms: afterMs,
          took_ms: tookMs,
          retry_after_ms: retryAfterMs,
          http_status: words?.status,
          vendor_error: words?.error || undefined,
          vendor_message: withMessages ? words?.message || undefined : undefined,
        }),
      ),
    );
  const texts = [textOf(true), textOf(false)];
  return texts.find((text) => text.length <= REPORT_LENGTH_MAX);
}
