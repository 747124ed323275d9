import type { Counter, Histogram, Metrics } from '@tollgate/observability';

/** Every metric of the service. */
export interface WebhookMetrics {
  readonly deliveriesCreated: Counter;
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram;
  readonly endpointsDisabled: Counter;
  readonly endpointFaults: Counter;
}

export function createWebhookMetrics(metrics: Metrics, inFlight: () => number): WebhookMetrics {
  metrics.gauge({
    name: 'tollgate_webhook_attempts_running',
    help: 'Deliveries that are being sent by this replica.',
    collect: inFlight,
  });
  return {
    deliveriesCreated: metrics.counter({
      name: 'tollgate_webhook_deliveries_created_total',
      help: 'Deliveries that were created: one for each event and endpoint.',
    }),
    attempts: metrics.counter({
      name: 'tollgate_webhook_attempts_total',
      help: 'Attempts by what came of them: succeeded, retry, failed or postponed.',
      labels: ['outcome'],
    }),
    attemptSeconds: metrics.histogram({
      name: 'tollgate_webhook_attempt_duration_seconds',
      help: 'How long attempts took, from the dial to the answer or the time-out.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    }),
    endpointsDisabled: metrics.counter({
      name: 'tollgate_webhook_endpoints_disabled_total',
      help: 'Endpoints that were disabled because they are gone, keep failing or fall behind.',
    }),
    endpointFaults: metrics.counter({
      // The released name says `set_aside`. Such an endpoint is passed over; the dispatch job also
      // leaves it alone for a minute.
      name: 'tollgate_webhook_endpoints_set_aside_total',
      help: 'Times that an endpoint could not be worked with and was passed over for the others.',
    }),
  };
}
