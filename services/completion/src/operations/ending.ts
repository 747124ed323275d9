import {
  AppError,
  type Clock,
  chargeOf,
  nano,
  priceOf,
  toAppError,
  toIsoTime,
  type UsageEndReason,
  type UsageOutcome,
  type UsageRecord,
  ZERO_NANO,
} from '@tollgate/core';
import { VendorFailure } from '../domain/vendor';
import { aborted, mayHaveWorked } from '../domain/vendor-failures';
import { countEnd } from '../metrics';
import { candidatePricesOf } from '../routing/candidate';
import { usualTokensOf } from '../usage/estimate';
import type { StopReason } from './active-runs';
import { attemptReportOf, noteBroken, warnOfAttempts } from './attempt-log';
import { noteCost } from './note-cost';
import type { AnswerUsage } from './request';
import type { Run, RunDependencies } from './run';
import {
  type FinishedRequest,
  NO_TOKENS,
  type VendorWork,
  type WorkedTokens,
  workedTokensOf,
} from './worked-tokens';

/** How a request ends, before its cost is known. */
export interface Ending extends VendorWork {
  readonly reason: UsageEndReason;
  readonly status: 'succeeded' | 'failed';
  readonly errorCode: string | undefined;
  /** False when the client got nothing: then nothing is charged. */
  readonly isDelivered: boolean;
  /** The answer was cut: counted tokens are a part of it. */
  readonly cut: boolean;
  /** What cut it after it had begun. */
  readonly cutBy?: unknown;
}

type EndDependencies = Pick<
  RunDependencies,
  'abandoned' | 'clock' | 'leases' | 'logger' | 'metrics' | 'spool' | 'tokens' | 'vendors'
>;

/** Finds what a request costs and writes END; when this resolves, its last bytes may leave. */
export async function endRun(
  deps: EndDependencies,
  run: Run,
  ending: Ending,
): Promise<{ readonly record: UsageRecord; readonly usage: AnswerUsage }> {
  const { clock, leases, metrics, spool } = deps;
  const { finished } = run;
  try {
    const worked = await workedTokensOf(deps, ending, finished);
    const last = isMissed(run, ending) ? failedEnding(run, aborted(true)) : ending;
    noteBroken(finished.attempts, last.cutBy, clock.monotonicMs());
    const outcome = usageOutcomeOf(clock, last, finished, worked);
    const record = await leases.endRequest(run.reservation, run.request.requestId, outcome);
    countEnd(metrics, finished.candidate.model, outcome);
    noteSpeed(deps, run, finished);
    noteCost(deps, finished, outcome, worked);
    return { record, usage: answerUsageOf(outcome) };
  } catch (error) {
    throw spool.poisonedBy === undefined ? error : spoolBroken();
  } finally {
    run.close();
  }
}

/** A whole answer leaves after END: one that was stopped before that is given to nobody. */
function isMissed({ stopReason, stream }: Run, { isDelivered }: Ending): boolean {
  return isDelivered && !stream && stopReason !== undefined;
}

/** Measured where the answer is read: how long it took a slow reader says nothing of its channel. */
function noteSpeed(
  { clock, vendors }: EndDependencies,
  { hasSlowReader, stream }: Run,
  { candidate, firstTokenMs, startedMs, text }: FinishedRequest,
): void {
  if (!stream || hasSlowReader || firstTokenMs === undefined) return;
  const tookMs = clock.monotonicMs() - startedMs - firstTokenMs;
  vendors.noteSpeed(candidate, usualTokensOf(text.bytes), tookMs);
}

/**
 * Ends a request of which the client has got nothing, and returns the failure to show. A request
 * that has ended already keeps its record.
 */
export async function failRun(deps: EndDependencies, run: Run, error: unknown): Promise<AppError> {
  const failure = failureOf(run, error);
  if (run.over) return failure;
  try {
    await endRun(deps, run, failedEnding(run, error));
    return failure;
  } catch (fault) {
    return toAppError(fault);
  } finally {
    // Logged this late because the body of a vendor's refusal may arrive after its status.
    if (run.stopReason === undefined) warnOfAttempts(deps.logger, run.request, run.attempts);
  }
}

/**
 * The cost of a request that ends so. When nothing was delivered nothing is charged, whatever the
 * vendor made us pay for it.
 */
export function usageOutcomeOf(
  clock: Clock,
  ending: Ending,
  { attempts, firstTokenMs, prices, request, reserved, startedMs }: FinishedRequest,
  worked: WorkedTokens,
): UsageOutcome {
  // `charged` is what the client pays for; `vendorOnly` has the counts that only the vendor knows.
  const charged = ending.isDelivered ? worked.tokens : NO_TOKENS;
  const vendorOnly = ending.isDelivered ? worked.exact : undefined;
  const ofPrompt = { ...NO_TOKENS, prompt: worked.promptTokens };
  const operatorsCost = attempts.paidByOperator.reduce(
    (sum, each) => sum + priceOf(candidatePricesOf(each, request.caller.discount), ofPrompt),
    0n,
  );
  const undeliveredCost = ending.isDelivered ? ZERO_NANO : priceOf(prices, worked.tokens);
  return {
    promptTokens: charged.prompt,
    completionTokens: charged.completion,
    cachedTokens: charged.cached,
    // Nearly every request has none of these.
    cacheWriteTokens: charged.cacheWrite || undefined,
    reasoningTokens: vendorOnly?.reasoning || undefined,
    promptAudioTokens: vendorOnly?.promptAudio || undefined,
    completionAudioTokens: vendorOnly?.completionAudio || undefined,
    amount: chargeOf(prices, charged, reserved),
    source: sourceOf(ending, worked.exact !== undefined),
    reason: ending.reason,
    status: ending.status,
    // The outcome that the client was told: one that left was told nothing.
    errorCode: ending.reason === 'client_gone' ? undefined : ending.errorCode,
    attempts: attempts.count,
    failedAttempts: attemptReportOf(attempts.otherAttempts),
    latencyMs: Math.round(clock.monotonicMs() - startedMs),
    firstTokenMs,
    endedAt: toIsoTime(clock.now()),
    vendorAbsorbed: nano(undeliveredCost + operatorsCost),
  };
}

/** What the client is told of it. */
function answerUsageOf(outcome: UsageOutcome): AnswerUsage {
  const { promptTokens, completionTokens, cachedTokens } = outcome;
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens: outcome.cacheWriteTokens ?? 0,
    reasoningTokens: outcome.reasoningTokens ?? 0,
    promptAudioTokens: outcome.promptAudioTokens ?? 0,
    completionAudioTokens: outcome.completionAudioTokens ?? 0,
  };
}

function sourceOf(ending: Ending, isExact: boolean): UsageOutcome['source'] {
  if (!ending.isDelivered) return 'none';
  if (isExact) return 'exact';
  return ending.cut ? 'partial' : 'counted';
}

/** The ending of a request of which the client gets nothing but the failure. */
function failedEnding(run: Run, error: unknown): Ending {
  return {
    reason: endReasonOf(run.stopReason, error, false),
    status: 'failed',
    errorCode: failureOf(run, error).code,
    usage: error instanceof VendorFailure ? error.usage : undefined,
    mayHaveWorked: mayHaveWorked(error),
    isDelivered: false,
    cut: true,
  };
}

/**
 * Why it ended, in the words of the record. `answering` is true after the vendor's first event.
 *
 * Four names are about an end. `FinishReason` is of a choice: why its vendor wrote no more, in one
 * of four words. `StopReason` is of a run: what ended it from outside. `UsageEndReason` is of the
 * record: the finish reason of a complete answer, or what is made here of the stop or the failure.
 * An `Ending` is that reason with what is needed to find the cost.
 */
export function endReasonOf(
  stopReason: StopReason | undefined,
  error: unknown,
  answering: boolean,
): UsageEndReason {
  switch (stopReason) {
    case 'client_gone':
    case 'deadline':
    case 'shutdown':
      return stopReason;
    case 'poisoned':
      return 'internal_error';
    case undefined:
      if (!(error instanceof VendorFailure)) return 'internal_error';
      if (error.outcome === 'not_sent') return 'no_channel';
      // We ended the call, and nobody had asked for it: a bound of our own was met.
      if (error.outcome === 'aborted') return 'internal_error';
      return answering ? 'vendor_gone' : 'vendor_error';
  }
}

/** The failure to show for a request that was stopped, or whose vendor failed. */
export function failureOf({ stopReason }: Run, error: unknown): AppError {
  switch (stopReason) {
    case 'poisoned':
      return spoolBroken();
    case 'shutdown':
      return new AppError('SERVICE_UNAVAILABLE', {
        publicMessage: 'The service is shutting down. Please try again.',
        retryAfterMs: 1000,
        recorded: true,
      });
    case 'deadline':
      return new AppError('UPSTREAM_TIMEOUT', { retryable: false });
    case 'client_gone':
    case undefined:
      return error instanceof VendorFailure ? withoutInternals(error.error) : toAppError(error);
  }
}

/**
 * Of a request that was begun. Attempts have the internal text, and are logged
 * with their request: once is enough.
 */
function withoutInternals(error: AppError): AppError {
  const { code, param, publicMessage, retryAfterMs, retryable } = error;
  if (code === 'INTERNAL_ERROR') return error;
  return new AppError(code, {
    publicMessage,
    retryable,
    recorded: true,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * The spool failed under a request that was begun. It is no refused one: a vendor was asked, and the
 * restart ends its record with what had left, where BEGIN was durable. What the spool failed to write
 * is taken back, so that whoever gets nothing is charged nothing and may ask again.
 */
function spoolBroken(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the usage spool failed before the record was durable',
    retryAfterMs: 5000,
    recorded: true,
  });
}
