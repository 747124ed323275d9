import { createEventMetrics } from '@tollgate/events';
import type { Metrics } from '@tollgate/observability';
import { loadInside } from './collect-configuration';
import { toCode, toPage, toTable } from './markdown';

const INTRODUCTION = `
\`GET /metrics\` on the admin port, in the Prometheus text format. Labels have closed sets of
values: none of them is an id or a text that a client chose. A channel is labelled by the name
that an operator gave it, and a model by its name in the catalogue, up to a hundred of each in a
process. Beside these, the metrics of the Node runtime are there under the names that prom-client
gives them: \`process_*\` and \`nodejs_*\`.
`;

type Declare = (metrics: Metrics, ...sources: readonly unknown[]) => unknown;

/** The functions of a service that declare its metrics, by name, with what they want besides. */
type Declarations = Readonly<Record<string, readonly unknown[]>>;

/** Sources that are read at a scrape; nobody scrapes here. */
const SERVICES: Readonly<Record<string, Declarations>> = {
  gateway: { createGatewayMetrics: [{}] },
  completion: {
    createCompletionMetrics: [],
    observeBreakers: [{}],
    observeSpool: [{}],
    observeAnswerRooms: [{}],
  },
  routing: { createRoutingMetrics: [{}] },
  billing: { createBillingMetrics: [] },
  webhook: { createWebhookMetrics: [() => 0] },
  stats: { createStatsMetrics: [] },
  simulator: { createSimulatorMetrics: [] },
  identity: { createIdentityMetrics: [] },
};

/** Every metric that our own code declares, by the part that declares it. */
export function collectMetrics(): ReadonlyMap<string, readonly DeclaredMetric[]> {
  const parts = new Map<string, readonly DeclaredMetric[]>();
  for (const [service, declarations] of Object.entries(SERVICES)) {
    const module = loadInside<Record<string, Declare>>(`@tollgate/${service}`, 'metrics');
    parts.set(
      service,
      record((metrics) => {
        for (const [name, sources] of Object.entries(declarations)) {
          const declare = module[name];
          if (declare === undefined) throw new Error(`${service} has no ${name}`);
          declare(metrics, ...sources);
        }
      }),
    );
  }
  parts.set('event bus', record(createEventMetrics));
  return parts;
}

function record(declare: (metrics: Metrics) => unknown): readonly DeclaredMetric[] {
  const recording = createRecordingMetrics();
  declare(recording.metrics);
  return recording.declared();
}

/** The page of every metric. */
export function renderMetricsPage(): string {
  const sections = [...collectMetrics()].flatMap(([part, metrics]) => [
    `## ${part.charAt(0).toUpperCase()}${part.slice(1)}`,
    toTable(['name', 'kind', 'labels', 'meaning'], metrics.map(toRow)),
  ]);
  return toPage('Metrics', [INTRODUCTION, ...sections]);
}

function toRow({ name, kind, labels, help }: DeclaredMetric) {
  return [toCode(name), kind, labels.map(toCode).join(', '), help];
}

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
const metric = { ...child, child: () => child };

function createRecordingMetrics(): RecordingMetrics {
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
