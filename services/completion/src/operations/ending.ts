import {
  AppError,
  type Clock,
  chargeOf,
  type Logger,
  type Nano,
  nano,
  priceOf,
  type TokenCounts,
  toAppError,
  toIsoTime,
  type UnitPrices,
  type UsageEndReason,
  type UsageOutcome,
  ZERO_NANO,
} from '@tollgate/core';
import { takesThoughts, withoutThoughts } from '../domain/history';
import { VendorFailure } from '../domain/vendor';
import { mayHaveWorked } from '../domain/vendor-failures';
import { type Candidate, candidatePricesOf } from '../routing/candidate';
import {
  type AcceptedUsage,
  acceptPrompt,
  acceptUsage,
  type DeliveredText,
  estimateTokens,
  mediaTokensMax,
  type TokenCounter,
  type UsageBounds,
  type VendorUsage,
} from '../usage/count';
import type { StopReason } from './active-runs';
import { type AttemptLog, attemptReportOf, noteBroken } from './attempt-log';
import {
  type AnswerUsage,
  type CompletionRequest,
  promptTextBytesOf,
  promptWeightOf,
} from './request';

/** How a request ends, before its cost is known. */
export interface Ending {
  readonly reason: UsageEndReason;
  readonly status: 'succeeded' | 'failed';
  readonly errorCode: string | undefined;
  /** The vendor's count, if it counted the whole answer. */
  readonly usage: VendorUsage | undefined;
  /** The vendor's count where it is of more, or less, than is charged: only its prompt is taken. */
  readonly partUsage?: VendorUsage | undefined;
  /** The vendor got the request, so it may have worked whatever came of it. */
  readonly mayHaveWorked: boolean;
  /** False when the client got nothing: then nothing is charged. */
  readonly isDelivered: boolean;
  /** The answer was cut: counted tokens are a part of it. */
  readonly cut: boolean;
  /** What cut it after it had begun. */
  readonly cutBy?: unknown;
}

/** A request when its last vendor call is over. */
export interface FinishedRequest {
  readonly request: CompletionRequest;
  /** The channel that was called last. */
  readonly candidate: Candidate;
  /** Of its tokens. */
  readonly prices: UnitPrices;
  readonly reserved: Nano;
  readonly text: DeliveredText;
  readonly attempts: AttemptLog;
  /** Monotonic. */
  readonly startedMs: number;
  readonly firstTokenMs: number | undefined;
}

export interface CountDependencies {
  readonly tokens: TokenCounter;
  readonly logger: Logger;
}

const NO_TOKENS: TokenCounts = { prompt: 0, completion: 0, cached: 0 };

/** What the vendor worked for a request, whoever pays it. */
export interface SpentTokens {
  readonly tokens: TokenCounts;
  /** The vendor's own counts, where they are believable. */
  readonly exact: AcceptedUsage | undefined;
}

/** The vendor's counts hold when they are believable, otherwise ours do: those take a while. */
export async function spentOn(
  deps: CountDependencies,
  ending: Ending,
  finished: FinishedRequest,
): Promise<SpentTokens> {
  const { candidate, request, text } = finished;
  const bounds: UsageBounds = {
    promptTextBytes: promptTextBytesOf(request),
    mediaTokensMax: mediaTokensMax(request.media),
    messageCount: request.messageCount,
    completionTokensMax:
      request.embedding === undefined ? candidate.model.completionTokensMax * request.choices : 0,
    receivedText: text.bytes > 0,
  };
  const exact = acceptUsage(ending.usage, bounds);
  if (exact !== undefined) return { tokens: exact, exact };
  if (!ending.mayHaveWorked && text.bytes === 0) return { tokens: NO_TOKENS, exact };
  const prompt = acceptPrompt(ending.partUsage, bounds);
  return { tokens: await countTokens(deps, finished, prompt), exact };
}

/**
 * The cost of a request that ends so. When nothing was delivered nothing is charged, whatever the
 * vendor made us pay for it.
 */
export function usageOutcomeOf(
  clock: Clock,
  ending: Ending,
  { attempts, firstTokenMs, prices, request, reserved, startedMs }: FinishedRequest,
  spent: SpentTokens,
): UsageOutcome {
  // `charged` is what the client pays for; `told` has the counts of it that only the vendor knows.
  const charged = ending.isDelivered ? spent.tokens : NO_TOKENS;
  const told = ending.isDelivered ? spent.exact : undefined;
  const ofPrompt = { ...NO_TOKENS, prompt: spent.tokens.prompt };
  noteBroken(attempts, ending.cutBy, clock.monotonicMs());
  const operatorsCost = attempts.paidByOperator.reduce(
    (sum, each) => sum + priceOf(candidatePricesOf(each, request.caller.discount), ofPrompt),
    0n,
  );
  const missedCost = ending.isDelivered ? ZERO_NANO : priceOf(prices, spent.tokens);
  return {
    promptTokens: charged.prompt,
    completionTokens: charged.completion,
    cachedTokens: charged.cached,
    // Nearly every request has none of these.
    cacheWriteTokens: charged.cacheWrite || undefined,
    reasoningTokens: told?.reasoning || undefined,
    promptAudioTokens: told?.promptAudio || undefined,
    completionAudioTokens: told?.completionAudio || undefined,
    amount: chargeOf(prices, charged, reserved),
    source: sourceOf(ending, spent.exact !== undefined),
    reason: ending.reason,
    status: ending.status,
    // The outcome that the client was told: one that left was told nothing.
    errorCode: ending.reason === 'client_gone' ? undefined : ending.errorCode,
    attempts: attempts.count,
    failedAttempts: attemptReportOf(attempts.otherAttempts),
    latencyMs: Math.round(clock.monotonicMs() - startedMs),
    firstTokenMs,
    endedAt: toIsoTime(clock.now()),
    vendorAbsorbed: nano(missedCost + operatorsCost),
  };
}

/** What the client is told of it. */
export function answerUsageOf(outcome: UsageOutcome): AnswerUsage {
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

/**
 * Counted, or estimated from the bytes when that fails: a request ends in any case. The prompt is
 * what its vendor counted, where it said so before the answer ended.
 */
async function countTokens(
  { logger, tokens }: CountDependencies,
  { candidate: { channel }, request, text }: FinishedRequest,
  vendorPrompt: TokenCounts | undefined,
): Promise<TokenCounts> {
  const { media, parameters, requestId } = request;
  // Other vendors get no thoughts of before, or leave them out of what they count.
  const messages = takesThoughts(channel) ? request.messages : withoutThoughts(request.messages);
  const { capabilityMembers } = parameters;
  const promptTexts = [messages, capabilityMembers];
  const estimate = (bytes: number, textsOf: () => readonly Buffer[]) => (error: unknown) => {
    logger.warn({ error, requestId }, 'tokens were not counted but estimated from the bytes');
    return estimateTokens(bytes, textsOf());
  };
  const answers = text.texts();
  const countPrompt = () =>
    tokens
      .countPrompt(messages, capabilityMembers)
      .catch(
        estimate(promptWeightOf(request), () =>
          media.files + media.images > 0 ? [] : promptTexts,
        ),
      );
  const [prompt, completion] = await Promise.all([
    vendorPrompt?.prompt ?? countPrompt(),
    tokens
      .countAnswer(answers)
      .catch(estimate(text.bytes, () => answers.map((answer) => Buffer.from(answer)))),
  ]);
  const { cached = 0, cacheWrite } = vendorPrompt ?? {};
  return { prompt, completion, cached, cacheWrite };
}

/** The ending of a request of which the client gets nothing but the failure. */
export function failedEnding(
  stopReason: StopReason | undefined,
  error: unknown,
  { code }: AppError,
): Ending {
  return {
    reason: endReasonOf(stopReason, error, false),
    status: 'failed',
    errorCode: code,
    usage: error instanceof VendorFailure ? error.spent : undefined,
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
 * record: the finish reason of a whole answer, or what is made here of the stop or the failure. An
 * `Ending` is that reason with what is needed to find the cost.
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
export function publicFailureOf(stopReason: StopReason | undefined, error: unknown): AppError {
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

/** The spool cannot take a record, so nothing may be served that could not be charged. */
export function spoolUnavailable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the usage spool takes no records',
    retryAfterMs: 5000,
  });
}

/**
 * The same for a request that was begun. It is no refused one: a vendor was asked, and the restart
 * ends its record with what had left, where BEGIN was durable. What the spool failed to write is
 * taken back, so that whoever gets nothing is charged nothing and may ask again.
 */
export function spoolBroken(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the usage spool failed before the record was durable',
    retryAfterMs: 5000,
    recorded: true,
  });
}
