import { addHistogram, type LatencyHistogram, latencyBin } from './latency-histogram';
import type { ChargedRequest } from './ledger-entry';

/** Sums that can be added to each other. */
export interface Figures {
  requests: number;
  succeeded: number;
  failed: number;
  /** Of those that failed: the client closed the connection, which is no failure of a vendor. */
  clientGone: number;
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
}

export function emptyFigures(): Figures {
  return {
    requests: 0,
    succeeded: 0,
    failed: 0,
    clientGone: 0,
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
  };
}

/** Adds the second figures to the first, in place. */
export function addFigures(into: Figures, more: Readonly<Figures>): void {
  into.requests += more.requests;
  into.succeeded += more.succeeded;
  into.failed += more.failed;
  into.clientGone += more.clientGone;
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
}

function count(milliseconds: number): LatencyHistogram {
  return { [String(latencyBin(milliseconds))]: 1 };
}

/** The figures of one request. */
export function figuresOf(request: ChargedRequest): Figures {
  const { succeeded, clientGone, firstTokenMs } = request;
  return {
    requests: 1,
    succeeded: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    clientGone: !succeeded && clientGone ? 1 : 0,
    rateLimited: 0,
    promptTokens: BigInt(request.promptTokens),
    completionTokens: BigInt(request.completionTokens),
    cachedTokens: BigInt(request.cachedTokens),
    cacheWriteTokens: BigInt(request.cacheWriteTokens),
    reasoningTokens: BigInt(request.reasoningTokens),
    promptAudioTokens: BigInt(request.promptAudioTokens),
    completionAudioTokens: BigInt(request.completionAudioTokens),
    spendNano: request.chargedNano,
    latency: { ...count(request.latencyMs) },
    firstToken: firstTokenMs === null ? {} : { ...count(firstTokenMs) },
  };
}

/** Requests that failed or were refused, for whoever looks for what hurts. */
export function hurtIn(figures: Pick<Figures, 'failed' | 'clientGone' | 'rateLimited'>): number {
  return figures.failed - figures.clientGone + figures.rateLimited;
}
