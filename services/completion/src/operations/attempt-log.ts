import { REPORT_LENGTH_MAX } from '@tollgate/core';
import { VendorFailure, type VendorWords } from '../domain/vendor';
import type { Candidate } from '../routing/candidate';

/** The calls of one request; they write it as they go. */
export interface AttemptLog {
  count: number;
  /** Calls that brought no whole answer: failed, broken off, or given up for one that came sooner. */
  readonly otherCalls: OtherCall[];
  /**
   * Who may have worked for nothing beside the last call: outrun by another one, timed out or given
   * up. No client is charged for it.
   */
  readonly paidByOperator: Candidate[];
  /** The call whose answer the client gets, and the monotonic time at which it was made. */
  answered?: { readonly by: Candidate; readonly calledMs: number };
}

/** A vendor call that did not bring the answer, as operators are told of it. */
export interface OtherCall {
  readonly channelId: string;
  readonly model: string;
  readonly outcome: VendorFailure['outcome'];
  readonly reason: string;
  readonly tookMs: number;
  /** What the vendor said, as soon as it has. */
  readonly words: VendorWords | undefined;
}

export function failedCallOf(
  { channel, model }: Candidate,
  failure: VendorFailure,
  tookMs: number,
): OtherCall {
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

/** The answer broke off after it had begun: the call that brought it joins the others. */
export function noteBroken(log: AttemptLog, error: unknown, nowMs: number): void {
  const { answered } = log;
  const isVendors = error instanceof VendorFailure && error.outcome !== 'aborted';
  if (answered === undefined || !isVendors) return;
  log.otherCalls.push(failedCallOf(answered.by, error, nowMs - answered.calledMs));
}

/** A call that was given up because another channel answered sooner. */
export function outrunCallOf({ channel, model }: Candidate, tookMs: number): OtherCall {
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
export function reportOf(attempts: readonly OtherCall[]): string | undefined {
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
