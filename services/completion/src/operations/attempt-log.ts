import { REPORT_LENGTH_MAX } from '@tollgate/core';
import { VendorFailure, type VendorWords } from '../domain/vendor';
import type { Candidate } from '../routing/candidate';

/** What was tried for one request; calls write it as they go. */
export interface AttemptLog {
  count: number;
  /** Calls that failed, or were given up for another. */
  readonly unhelpful: UnhelpfulAttempt[];
  /**
   * Who may have worked for nothing beside the last call: outrun by another one, timed out or given
   * up. The operator pays them.
   */
  readonly unpaid: Candidate[];
  /** The call whose answer the client gets, and the monotonic time at which it was made. */
  answered?: { readonly by: Candidate; readonly calledMs: number };
}

/** A vendor call that did not help, as operators are told of it. */
export interface UnhelpfulAttempt {
  readonly channelId: string;
  readonly model: string;
  readonly outcome: VendorFailure['outcome'];
  readonly reason: string;
  readonly tookMs: number;
  /** What the vendor said, as soon as it has. */
  readonly words: VendorWords | undefined;
}

export function unhelpfulAttemptOf(
  { channel, model }: Candidate,
  failure: VendorFailure,
  tookMs: number,
): UnhelpfulAttempt {
  const { message: reason, outcome } = failure;
  return {
    channelId: channel.id,
    model: model.name,
    outcome,
    reason,
    tookMs: Math.round(tookMs),
    get words() {
      return failure.words;
    },
  };
}

/** The answer broke off after it had begun: the call that brought it did not help after all. */
export function noteBroken(log: AttemptLog, error: unknown, nowMs: number): void {
  const { answered } = log;
  const isVendors = error instanceof VendorFailure && error.outcome !== 'aborted';
  if (answered === undefined || !isVendors) return;
  log.unhelpful.push(unhelpfulAttemptOf(answered.by, error, nowMs - answered.calledMs));
}

/** A call that was given up because another channel answered sooner. */
export function outrunAttemptOf({ channel, model }: Candidate, tookMs: number): UnhelpfulAttempt {
  return {
    channelId: channel.id,
    model: model.name,
    outcome: 'aborted',
    reason: 'another channel answered sooner',
    tookMs: Math.round(tookMs),
    words: undefined,
  };
}

/** The attempts as the record has them: without the vendor's messages where they are too long. */
export function reportOf(attempts: readonly UnhelpfulAttempt[]): string | undefined {
  if (attempts.length === 0) return undefined;
  const textOf = (withMessages: boolean) =>
    JSON.stringify(
      attempts.map(({ channelId, model, outcome, reason, tookMs, words }) => ({
        channel_id: channelId,
        model,
        outcome,
        reason,
        took_ms: tookMs,
        http_status: words?.status,
        vendor_error: words?.error || undefined,
        vendor_message: withMessages ? words?.message || undefined : undefined,
      })),
    );
  const texts = [textOf(true), textOf(false)];
  return texts.find((text) => text.length <= REPORT_LENGTH_MAX);
}
