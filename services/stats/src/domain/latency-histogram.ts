/**
 * Counts by logarithmic bin: a bin is 10 % wide, so a percentile is at most 5 % off, and histograms
 * of any buckets can be added. Bins are named by their index so that they fit a document.
 */
export type LatencyHistogram = Readonly<Record<string, number>>;

const RATIO = 1.1;
const LOG_RATIO = Math.log(RATIO);
/** Bin 0 is below 1 ms; the last one holds everything beyond about three hours. */
const BIN_MAX = 170;

/** The bin of a latency in milliseconds. */
export function latencyBin(milliseconds: number): number {
  if (milliseconds < 1) return 0;
  return Math.min(BIN_MAX, 1 + Math.floor(Math.log(milliseconds) / LOG_RATIO));
}

/** The middle of a bin in milliseconds. */
function binMiddle(bin: number): number {
  if (bin === 0) return 0;
  return RATIO ** (bin - 0.5);
}

/** Adds the second histogram to the first, in place. */
export function addHistogram(into: Record<string, number>, more: LatencyHistogram): void {
  for (const [bin, count] of Object.entries(more)) into[bin] = (into[bin] ?? 0) + count;
}

/** The first histogram without the second one, which is a part of it. */
export function withoutHistogram(
  whole: LatencyHistogram,
  part: LatencyHistogram,
): Record<string, number> {
  const left = Object.entries(whole).map(
    ([bin, count]) => [bin, count - (part[bin] ?? 0)] as const,
  );
  return Object.fromEntries(left.filter(([, count]) => count > 0));
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** How many they are made of. */
  readonly count: number;
}

/** Undefined when nothing was counted. */
export function percentilesOf(histogram: LatencyHistogram): Percentiles | undefined {
  const bins = Object.entries(histogram)
    .map(([bin, count]) => [Number(bin), count] as const)
    .sort(([a], [b]) => a - b);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const at = (share: number): number => {
    const rank = Math.ceil(total * share);
    let seen = 0;
    for (const [bin, count] of bins) {
      seen += count;
      if (seen >= rank) return Math.round(binMiddle(bin) * 10) / 10;
    }
    return 0;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: total };
}
