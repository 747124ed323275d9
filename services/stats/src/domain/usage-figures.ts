import {
  addHistogram,
  type LatencyHistogram,
  latencyBin,
  withoutHistogram,
} from './latency-histogram';
import { type ChargedRequest, objectOf, TOKEN_COUNTS } from './ledger-entry';

/** Numbers of requests. A new one needs its count in `figuresOf`, and is stored under its name. */
const REQUEST_COUNTS = [
  'requests',
  'succeeded',
  'failed',
  /** Of those that failed: the client closed the connection, which is no failure of a vendor. */
  'clientGone',
  /** Of those that failed: a vendor did not answer in time. */
  'timedOut',
  /** Of those that failed: a vendor found the request wrong, which is the client's own doing. */
  'invalid',
] as const;

/** Sums of what a request has of each; a new one of tokens goes into `TOKEN_COUNTS`. */
const SUMS = [...TOKEN_COUNTS, 'spendNano'] as const;

/** By the bin of the time, see `latency-histogram.ts`. */
const HISTOGRAMS = [
  'latency',
  'firstToken',
  /** The part of both that is of requests with several calls: another channel's time may be in it. */
  'retriedLatency',
  'retriedFirstToken',
] as const;

type RequestCount = (typeof REQUEST_COUNTS)[number];
type Sum = (typeof SUMS)[number];
type Histogram = (typeof HISTOGRAMS)[number];

/** Sums that can be added to each other. */
export type Figures = Record<RequestCount, number> &
  Record<Sum, bigint> &
  Readonly<Record<Histogram, Record<string, number>>> & {
    /** Requests that a limit refused: they are stored apart from those that were charged. */
    rateLimited: number;
  };

/** The members of figures in a document; absent in those of before a member was counted. */
export type FigureMembers = Readonly<
  Partial<Record<RequestCount, number | bigint> & Record<Sum, bigint | number>> &
    Partial<Record<Histogram, Record<string, number>>>
>;

export function emptyFigures(): Figures {
  return fromFigureMembers({});
}

export function fromFigureMembers(stored: FigureMembers): Figures {
  return {
    ...objectOf(REQUEST_COUNTS, (name) => Number(stored[name] ?? 0)),
    ...objectOf(SUMS, (name) => BigInt(stored[name] ?? 0)),
    ...objectOf(HISTOGRAMS, (name) => stored[name] ?? {}),
    rateLimited: 0,
  };
}

/** What to add to stored figures, by the path of the member. */
export function toIncrements(figures: Figures): Readonly<Record<string, number | bigint>> {
  const increments: Record<string, number | bigint> = {
    ...objectOf(REQUEST_COUNTS, (name) => figures[name]),
    ...objectOf(SUMS, (name) => figures[name]),
  };
  for (const name of HISTOGRAMS) {
    for (const [bin, count] of Object.entries(figures[name])) increments[`${name}.${bin}`] = count;
  }
  return increments;
}

/** Adds the second figures to the first, in place. */
export function addFigures(into: Figures, more: Readonly<Figures>): void {
  for (const name of REQUEST_COUNTS) into[name] += more[name];
  for (const name of SUMS) into[name] += more[name];
  for (const name of HISTOGRAMS) addHistogram(into[name], more[name]);
  into.rateLimited += more.rateLimited;
}

function count(milliseconds: number): LatencyHistogram {
  return { [String(latencyBin(milliseconds))]: 1 };
}

/** The figures of one request. */
export function figuresOf(request: ChargedRequest): Figures {
  const { succeeded, clientGone, firstTokenMs, invalid, retried, timedOut } = request;
  const latency = count(request.latencyMs);
  const firstToken = firstTokenMs === null ? {} : count(firstTokenMs);
  return {
    requests: 1,
    succeeded: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    clientGone: !succeeded && clientGone ? 1 : 0,
    timedOut: !succeeded && timedOut ? 1 : 0,
    invalid: !succeeded && !clientGone && invalid ? 1 : 0,
    rateLimited: 0,
    ...objectOf(TOKEN_COUNTS, (name) => BigInt(request[name])),
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

/**
 * Requests that failed by no doing of their client, which did not leave and asked for nothing wrong,
 * and those that a limit refused.
 */
export function unansweredIn(
  figures: Pick<Figures, 'failed' | 'clientGone' | 'invalid' | 'rateLimited'>,
): number {
  return figures.failed - figures.clientGone - figures.invalid + figures.rateLimited;
}
