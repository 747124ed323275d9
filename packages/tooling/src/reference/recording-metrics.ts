import type { Metrics } from '@tollgate/observability';

/** The declaration of one metric. */
export interface DeclaredMetric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

/** Metrics that only remember what was declared. */
export interface RecordingMetrics {
  readonly metrics: Metrics;
  /** In the order of their declaration. */
  declared(): readonly DeclaredMetric[];
}

const ignore = () => undefined;
const child = { inc: ignore, dec: ignore, set: ignore, observe: ignore };
const metric = { ...child, bind: () => child };

export function createRecordingMetrics(): RecordingMetrics {
  const found = new Map<string, DeclaredMetric>();
  const declare =
    (kind: DeclaredMetric['kind']) =>
    (options: { name: string; help: string; labels?: readonly string[] }) => {
      const { name, help, labels = [] } = options;
      found.set(name, { name, kind, help, labels });
      return metric;
    };
  return {
    metrics: {
      counter: declare('counter'),
      gauge: declare('gauge'),
      histogram: declare('histogram'),
      expose: () => Promise.resolve(''),
      contentType: '',
    },
    declared: () => [...found.values()],
  };
}
