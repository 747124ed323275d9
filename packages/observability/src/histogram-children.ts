/** Labels of one child. */
export type ChildLabels = Readonly<Record<string, string>>;

/** One line of the exposition, as the registry writes it. */
export interface HistogramSample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The children of one histogram by their labels. */
export interface HistogramChildren {
  /** The same child for the same labels. */
  child(labels: ChildLabels): HistogramChild;
  /** For each child its buckets from below, each with those under it, then sum and count. */
  samples(): HistogramSample[];
}

/** Where values go; looked up once, an observation is a search and three additions. */
export interface HistogramChild {
  observe(value: number): void;
}

interface Figures extends HistogramChild {
  readonly labels: ChildLabels;
  /** One more than there are buckets: the last is what lies beyond them. */
  readonly counts: Float64Array;
  sum(): number;
}

/**
 * Counts in plain numbers and makes samples at a scrape only: requests come far more often than
 * scrapes, and the client library looks every label up again at each observation.
 */
export function createHistogramChildren(
  name: string,
  labelNames: readonly string[],
  buckets: readonly number[],
): HistogramChildren {
  const ascending = [...buckets].sort((a, b) => a - b);
  const children = new Map<string, Figures>();
  return {
    child(labels) {
      const unknown = Object.keys(labels).find((label) => !labelNames.includes(label));
      if (unknown !== undefined) throw new Error(`${name} declares no label ${unknown}`);
      const id = JSON.stringify(labelNames.map((label) => labels[label]));
      const known = children.get(id) ?? createFigures(labels, ascending);
      children.set(id, known);
      return known;
    },
    samples: () => [...children.values()].flatMap((child) => toSamples(name, child, ascending)),
  };
}

function createFigures(labels: ChildLabels, buckets: readonly number[]): Figures {
  const counts = new Float64Array(buckets.length + 1);
  let sum = 0;
  return {
    labels,
    counts,
    sum: () => sum,
    observe(value) {
      if (!Number.isFinite(value)) throw new TypeError(`not a number to observe: ${value}`);
      let index = 0;
      while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += value;
    },
  };
}

function toSamples(
  name: string,
  { labels, counts, sum }: Figures,
  buckets: readonly number[],
): HistogramSample[] {
  let below = 0;
  const lines = [...buckets, '+Inf'].map((le, index) => {
    below += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below };
  });
  // A child that was declared and never observed has no lines, as the client library has it.
  if (below === 0 && Object.keys(labels).length > 0) return [];
  return [
    ...lines,
    { metricName: `${name}_sum`, labels, value: sum() },
    { metricName: `${name}_count`, labels, value: below },
  ];
}
