import {
  chargeOf,
  fromIsoTime,
  toIsoTime,
  type UsageOutcome,
  type UsageStart,
  ZERO_NANO,
} from '@tollgate/core';
import { usualTokensOf } from './estimate';

/**
 * The part that was delivered so far, as the spool keeps it for a crash. Nobody has counted the
 * tokens of it: nearly every checkpoint is thrown away.
 */
export interface Progress {
  /** Its `promptWeightOf`; stored under the name that it was released with. */
  readonly promptBytes: number;
  readonly deliveredBytes: number;
  readonly firstTokenMs: number | null;
  readonly attempts: number;
  readonly atMs: number;
}

/** How a request ended that nobody was there to end, and what it costs. */
export function crashOutcome(
  start: UsageStart,
  progress: Progress | undefined,
  now: number,
): UsageOutcome {
  const delivery = progress !== undefined && progress.deliveredBytes > 0 ? progress : undefined;
  // The text is gone with the process: only its length tells how many tokens it had.
  const tokens = {
    prompt: usualTokensOf(delivery?.promptBytes ?? 0),
    completion: usualTokensOf(delivery?.deliveredBytes ?? 0),
    cached: 0,
  };
  return {
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    cachedTokens: 0,
    amount: chargeOf(start.prices, tokens, start.reserved),
    source: delivery === undefined ? 'none' : 'partial',
    reason: 'crash',
    status: 'failed',
    errorCode: 'INTERNAL_ERROR',
    attempts: progress?.attempts ?? 1,
    failedAttempts: undefined,
    latencyMs: latencyOf(start, progress),
    firstTokenMs: progress?.firstTokenMs ?? undefined,
    endedAt: toIsoTime(now),
    vendorAbsorbed: ZERO_NANO,
  };
}

function latencyOf({ startedAt }: UsageStart, progress: Progress | undefined): number {
  const startedAtMs = fromIsoTime(startedAt);
  if (progress === undefined || startedAtMs === undefined) return 0;
  return Math.max(0, progress.atMs - startedAtMs);
}
