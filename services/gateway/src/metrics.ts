import type { CounterChild, HistogramChild, Metrics } from '@tollgate/observability';

export interface GatewayMetrics {
  /** One answered request: its row, its status class, and how long it took. */
  answered(route: string, status: number, seconds: number): void;
  opened(): void;
  closed(): void;
  /** A completion whose failure went out as a frame, or whose client left. */
  chatBroken(reason: 'failed' | 'client_gone'): void;
  /** A completion was denied, or by a limit the counting of tokens; no other request is counted. */
  denied(reason: string): void;
}

/** The metrics of one route, bound to its labels once. */
interface RouteFigures {
  readonly duration: HistogramChild;
  /** The counters by the first digit of the status. */
  readonly byStatusClass: CounterChild[];
}

/** Read at each scrape. */
export interface GatewayGauges {
  readonly principals: () => number;
  readonly completionInstances: () => number;
  readonly bodyBytes: () => number;
  readonly readerBytes: () => number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Declares every metric of the service once. */
export function createGatewayMetrics(metrics: Metrics, gauges: GatewayGauges): GatewayMetrics {
  const requests = metrics.counter({
    name: 'tollgate_gateway_requests_total',
    help: 'Requests by route and status class; 4xx also those whose client left before the head of its answer.',
    labels: ['route', 'status'],
  });
  const durations = metrics.histogram({
    name: 'tollgate_gateway_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, by route.',
    labels: ['route'],
    buckets: SECONDS,
  });
  let inFlight = 0;
  metrics.gauge({
    name: 'tollgate_gateway_requests_in_flight',
    help: 'Requests that are being answered.',
    collect: () => inFlight,
  });
  const broken = metrics.counter({
    name: 'tollgate_gateway_chat_broken_total',
    help: 'Completions that failed after their status was sent, or whose client left.',
    labels: ['reason'],
  });
  const denials = metrics.counter({
    name: 'tollgate_gateway_denials_total',
    help: 'Completions refused by a limit, or for want of money or of a right, and counts of tokens refused by a limit, by reason.',
    labels: ['reason'],
  });
  metrics.gauge({
    name: 'tollgate_gateway_principals',
    help: 'API keys whose principals are remembered.',
    collect: gauges.principals,
  });
  metrics.gauge({
    name: 'tollgate_gateway_completion_instances',
    help: 'Completion instances that take work.',
    collect: gauges.completionInstances,
  });
  metrics.gauge({
    name: 'tollgate_gateway_body_bytes',
    help: 'Bytes of request bodies that are held.',
    collect: gauges.bodyBytes,
  });
  metrics.gauge({
    name: 'tollgate_gateway_reader_bytes',
    help: 'Bytes of answers that wait for readers slower than their vendor.',
    collect: gauges.readerBytes,
  });
  const ofRoute = new Map<string, RouteFigures>();
  const figuresOf = (route: string): RouteFigures => {
    const known = ofRoute.get(route);
    if (known !== undefined) return known;
    const made = { duration: durations.child({ route }), byStatusClass: [] };
    ofRoute.set(route, made);
    return made;
  };
  return {
    answered(route, status, seconds) {
      const { duration, byStatusClass } = figuresOf(route);
      const statusClass = Math.floor(status / 100);
      byStatusClass[statusClass] ??= requests.child({ route, status: `${statusClass}xx` });
      byStatusClass[statusClass].inc();
      duration.observe(seconds);
    },
    opened() {
      inFlight += 1;
    },
    closed() {
      inFlight -= 1;
    },
    chatBroken: (reason) => broken.inc({ reason }),
    denied: (reason) => denials.inc({ reason }),
  };
}
