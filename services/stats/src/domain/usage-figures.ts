import {
  addHistogram,
  type LatencyHistogram,
  latencyBin,
  withoutHistogram,
} from './latency-histogram';
import type { ChargedRequest } from './ledger-entry';

/** Sums that can be added to each other. */
export interface Figures {
  requests: number;
  succeeded: number;
  failed: number;
  /** Of those that failed: the client closed the connection, which is no failure of a vendor. */
  clientGone: number;
  /** Of those that failed: a vendor did not answer in time. */
  timedOut: number;
  rateLimited: number;
  promptTokens: bigint;
  completionTokens: bigint;
  cachedTokens: bigint;
  cacheWriteTokens: bigint;
  reasoningTokens: bigint;
  promptAudioTokens: bigint;
  completionAudioTokens: bigint;
  spendNano: bigint;
  readonly latency: Record<string, number>;
  readonly firstToken: Record<string, number>;
  /** The part of both that is of requests with several calls: another channel's time may be in it. */
  readonly retriedLatency: Record<string, number>;
  readonly retriedFirstToken: Record<string, number>;
}

export function emptyFigures(): Figures {
  return {
    requests: 0,
    succeeded: 0,
    failed: 0,
    clientGone: 0,
    timedOut: 0,
    rateLimited: 0,
    promptTokens: 0n,
    completionTokens: 0n,
    cachedTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    promptAudioTokens: 0n,
    completionAudioTokens: 0n,
    spendNano: 0n,
    latency: {},
    firstToken: {},
    retriedLatency: {},
    retriedFirstToken: {},
  };
}

/** Adds the second figures to the first, in place. */
export function addFigures(into: Figures, more: Readonly<Figures>): void {
  into.requests += more.requests;
  into.succeeded += more.succeeded;
  into.failed += more.failed;
  into.clientGone += more.clientGone;
  into.timedOut += more.timedOut;
  into.rateLimited += more.rateLimited;
  into.promptTokens += more.promptTokens;
  into.completionTokens += more.completionTokens;
  into.cachedTokens += more.cachedTokens;
  into.cacheWriteTokens += more.cacheWriteTokens;
  into.reasoningTokens += more.reasoningTokens;
  into.promptAudioTokens += more.promptAudioTokens;
  into.completionAudioTokens += more.completionAudioTokens;
  into.spendNano += more.spendNano;
  addHistogram(into.latency, more.latency);
  addHistogram(into.firstToken, more.firstToken);
  addHistogram(into.retriedLatency, more.retriedLatency);
  addHistogram(into.retriedFirstToken, more.retriedFirstToken);
}

function count(milliseconds: number): LatencyHistogram {
  return { [String(latencyBin(milliseconds))]: 1 };
}

/** The figures of one request. */
export function figuresOf(request: ChargedRequest): Figures {
  const { succeeded, clientGone, firstTokenMs, retried, timedOut } = request;
  const latency = count(request.latencyMs);
  const firstToken = firstTokenMs === null ? {} : count(firstTokenMs);
  return {
    requests: 1,
    succeeded: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    clientGone: !succeeded && clientGone ? 1 : 0,
    timedOut: !succeeded && timedOut ? 1 : 0,
    rateLimited: 0,
    promptTokens: BigInt(request.promptTokens),
    completionTokens: BigInt(request.completionTokens),
    cachedTokens: BigInt(request.cachedTokens),
    cacheWriteTokens: BigInt(request.cacheWriteTokens),
    reasoningTokens: BigInt(request.reasoningTokens),
    promptAudioTokens: BigInt(request.promptAudioTokens),
    completionAudioTokens: BigInt(request.completionAudioTokens),
    spendNano: request.chargedNano,
    latency: { ...latency },
    firstToken: { ...firstToken },
    retriedLatency: retried ? { ...latency } : {},
    retriedFirstToken: retried ? { ...firstToken } : {},
  };
}

/** Without the times until an answer was complete: what failed had none. */
export function withoutAnswerTimes(figures: Readonly<Figures>): Readonly<Figures> {
  return { ...figures, latency: {}, retriedLatency: {} };
}

/** How long a channel took itself: without what waited for other channels before it. */
export function ownTimesOf(figures: Readonly<Figures>): Readonly<Figures> {
  const latency = withoutHistogram(figures.latency, figures.retriedLatency);
  const firstToken = withoutHistogram(figures.firstToken, figures.retriedFirstToken);
  return { ...figures, latency, firstToken };
}

/** Requests that failed, without those whose client left, and with those that a limit refused. */
export function unansweredIn(
  figures: Pick<Figures, 'failed' | 'clientGone' | 'rateLimited'>,
): number {
  return figures.failed - figures.clientGone + figures.rateLimited;
}
