import { addHistogram, type LatencyHistogram, latencyBin } from './latency-histogram';

/** What one finished request adds, as the ledger tells it. */
export interface UsageFact {
  readonly accountId: string;
  /** Place in the account's ledger, gapless from 1. */
  readonly seq: bigint;
  readonly atMs: number;
  /** Absent for entries that are no requests: credits move the sequence and nothing else. */
  readonly request?: {
    readonly model: string;
    readonly keyId: string;
    readonly userId: string;
    readonly channelId: string;
    readonly succeeded: boolean;
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly cachedTokens: number;
    readonly chargedNano: bigint;
    readonly latencyMs: number;
    readonly firstTokenMs: number | null;
  };
}

/** By what figures can be told apart. */
export interface Dimensions {
  readonly accountId: string;
  readonly model: string;
  readonly keyId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly status: 'succeeded' | 'failed';
}

/** Sums that can be added to each other. */
export interface Figures {
  requests: number;
  succeeded: number;
  failed: number;
  rateLimited: number;
  promptTokens: bigint;
  completionTokens: bigint;
  cachedTokens: bigint;
  spendNano: bigint;
  readonly latency: Record<string, number>;
  readonly firstToken: Record<string, number>;
}

export function emptyFigures(): Figures {
  return {
    requests: 0,
    succeeded: 0,
    failed: 0,
    rateLimited: 0,
    promptTokens: 0n,
    completionTokens: 0n,
    cachedTokens: 0n,
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
  into.rateLimited += more.rateLimited;
  into.promptTokens += more.promptTokens;
  into.completionTokens += more.completionTokens;
  into.cachedTokens += more.cachedTokens;
  into.spendNano += more.spendNano;
  addHistogram(into.latency, more.latency);
  addHistogram(into.firstToken, more.firstToken);
}

function count(milliseconds: number): LatencyHistogram {
  return { [String(latencyBin(milliseconds))]: 1 };
}

/** The figures of one request. */
export function figuresOf(request: NonNullable<UsageFact['request']>): Figures {
  const { succeeded, firstTokenMs } = request;
  return {
    requests: 1,
    succeeded: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    rateLimited: 0,
    promptTokens: BigInt(request.promptTokens),
    completionTokens: BigInt(request.completionTokens),
    cachedTokens: BigInt(request.cachedTokens),
    spendNano: request.chargedNano,
    latency: { ...count(request.latencyMs) },
    firstToken: firstTokenMs === null ? {} : { ...count(firstTokenMs) },
  };
}

/** Where the request's figures belong besides their time. */
export function dimensionsOf(fact: UsageFact): Dimensions | undefined {
  if (fact.request === undefined) return undefined;
  const { model, keyId, userId, channelId, succeeded } = fact.request;
  const status = succeeded ? 'succeeded' : 'failed';
  return { accountId: fact.accountId, model, keyId, userId, channelId, status };
}
