import { createSystemClock } from '@tollgate/core';
import {
  collectDefaultMetrics,
  type Metric,
  Counter as PromCounter,
  Gauge as PromGauge,
  Registry,
} from 'prom-client';
import { exposeEventLoopLag } from './event-loop-lag';
import {
  type ChildLabels,
  createHistogramChildren,
  type HistogramChild,
} from './histogram-children';

/** Values for a metric's declared labels. Their sets are bounded: never an id or a client's text. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

export interface MetricOptions<L extends string> {
  /** `tollgate_<service>_<thing>_<unit or total>`. */
  readonly name: string;
  /** One sentence, shown to operators. */
  readonly help: string;
  readonly labels?: readonly L[];
}

export interface GaugeOptions<L extends string> extends MetricOptions<L> {
  /** Sampled at each scrape instead of being set. Only for gauges without labels. */
  readonly collect?: () => number;
}

export interface HistogramOptions<L extends string> extends MetricOptions<L> {
  /** The greatest value of each, in the metric's unit, ascending. */
  readonly buckets: readonly number[];
}

/** A counter with the values of its labels. */
export interface CounterChild {
  inc(count?: number): void;
}
export interface Counter<L extends string = never> {
  inc(labels?: Labels<L>, count?: number): void;
  /** Looks the child up once; for hot paths. */
  child(labels: Labels<L>): CounterChild;
}

export interface Gauge<L extends string = never> {
  set(value: number, labels?: Labels<L>): void;
}

export interface Histogram<L extends string = never> {
  observe(value: number, labels?: Labels<L>): void;
  child(labels: Labels<L>): HistogramChild;
}

/**
 * The process's metrics. Declaring a name again gives the same metric, so that several services in
 * one process share what the packages measure.
 */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(options: GaugeOptions<L>): Gauge<L>;
  histogram<L extends string = never>(options: HistogramOptions<L>): Histogram<L>;
  /** The Prometheus text format. */
  expose(): Promise<string>;
  readonly contentType: string;
}

/** Keeps the library's sampler of the event loop from waking the process: ours replaces it. */
const NEVER_MS = 2 ** 31 - 1;

/** A fresh registry. `processMetrics` adds memory, CPU and event loop figures of the runtime. */
export function createMetrics({ processMetrics = false } = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
    exposeEventLoopLag(registry, createSystemClock());
  }
  const declared = new Map<string, { readonly kind: string; readonly metric: unknown }>();

  function declare<M>(kind: string, options: MetricOptions<string>, create: () => M): M {
    const key = `${kind} ${(options.labels ?? []).join(',')}`;
    const existing = declared.get(options.name);
    if (existing === undefined) {
      const metric = create();
      declared.set(options.name, { kind: key, metric });
      return metric;
    }
    if (existing.kind !== key) {
      throw new Error(`metric ${options.name} is declared twice with different kinds or labels`);
    }
    return existing.metric as M;
  }

  return {
    counter: (options) => declare('counter', options, () => createCounter(registry, options)),
    gauge: (options) => declare('gauge', options, () => createGauge(registry, options)),
    histogram: (options) => declare('histogram', options, () => createHistogram(registry, options)),
    expose: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function createCounter<L extends string>(
  registry: Registry,
  { name, help, labels = [] }: MetricOptions<L>,
): Counter<L> {
  const children = new Map<string, PendingCounter>();
  const counter: PromCounter<L> = new PromCounter<L>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      for (const child of children.values()) child.settle();
    },
  });
  return {
    inc(values, count) {
      if (values === undefined) counter.inc(count);
      else counter.inc(values, count);
    },
    child(values) {
      const id = JSON.stringify(labels.map((label) => values[label]));
      const known = children.get(id) ?? createPendingCounter(counter.labels(values));
      children.set(id, known);
      return known;
    },
  };
}

interface PendingCounter extends CounterChild {
  /** Hands over what was counted since the last scrape. */
  settle(): void;
}

/** Counts by itself between scrapes: the library looks every label up again at each call. */
function createPendingCounter(counter: CounterChild): PendingCounter {
  let pending = 0;
  return {
    inc(count = 1) {
      pending += count;
    },
    settle() {
      if (pending > 0) counter.inc(pending);
      pending = 0;
    },
  };
}

function createGauge<L extends string>(
  registry: Registry,
  { name, help, labels = [], collect }: GaugeOptions<L>,
): Gauge<L> {
  const gauge: PromGauge<L> = new PromGauge<L>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    ...(collect === undefined ? {} : { collect: () => gauge.set(collect()) }),
  });
  return {
    set(value, values) {
      if (values === undefined) gauge.set(value);
      else gauge.set(values, value);
    },
  };
}

const NO_LABELS: ChildLabels = {};

function createHistogram<L extends string>(
  registry: Registry,
  { name, help, labels = [], buckets }: HistogramOptions<L>,
): Histogram<L> {
  const children = createHistogramChildren(name, labels, buckets);
  const exposed = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...exposed, values: children.samples() }),
  };
  // A registry asks a metric for nothing else, and the library has no type for just that.
  registry.registerMetric(exposed as unknown as Metric<L>);
  if (labels.length === 0) children.child({});
  return {
    observe: (value, values = NO_LABELS as Labels<L>) => children.child(values).observe(value),
    child: (values) => children.child(values),
  };
}
