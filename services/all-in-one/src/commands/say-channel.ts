/** Figures of the calls of a channel in some time, milliseconds. */
export interface ChannelFigures {
  readonly requests: number;
  readonly latency_ms: Percentiles;
  readonly first_token_ms: Percentiles;
}

export type Percentiles = {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
} | null;

/** Fewer calls tell nothing of their slowest twentieth. */
const CALLS_MIN = 20;
const SLOW_TIMES = 2;

/**
 * Whether a channel is slower than it used to be: by what nineteen of twenty calls waited for their
 * first token, or for their answer where nothing is streamed, of late and before.
 */
export function sayPace(
  late: readonly (ChannelFigures | undefined)[],
  before: readonly (ChannelFigures | undefined)[],
): string {
  const now = late.find(hasEnough);
  const usual = before.find((figures) => figures !== now && hasEnough(figures));
  if (now === undefined) return `too few calls of late: ${CALLS_MIN} are needed`;
  if (usual === undefined) return 'nothing to compare yet';
  const isStreamed = now.first_token_ms !== null && usual.first_token_ms !== null;
  const member = isStreamed ? 'first_token_ms' : 'latency_ms';
  const [p95, usually] = [now[member]?.p95 ?? 0, usual[member]?.p95 ?? 0];
  const pace = p95 > usually * SLOW_TIMES ? 'slow' : 'as usual';
  return `${pace}: p95 of ${member} is ${p95} of late, and was ${usually}`;
}

function hasEnough(figures: ChannelFigures | undefined): figures is ChannelFigures {
  return figures !== undefined && figures.requests >= CALLS_MIN;
}
