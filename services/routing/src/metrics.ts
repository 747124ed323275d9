import type { Metrics } from '@tollgate/observability';
import type { RouteTableFeed } from './operations/route-table-feed';

/** Every metric of the service. */
export function createRoutingMetrics(metrics: Metrics, feed: RouteTableFeed): void {
  const count = (read: (feed: RouteTableFeed) => number) => () => (feed.isReady() ? read(feed) : 0);
  metrics.gauge({
    name: 'tollgate_routing_channels_enabled',
    help: 'Channels in the route table.',
    collect: count((ready) => ready.current().channels.length),
  });
  metrics.gauge({
    name: 'tollgate_routing_models',
    help: 'Models in the catalogue.',
    collect: count((ready) => ready.current().models.length),
  });
  metrics.gauge({
    name: 'tollgate_routing_table_revision',
    help: 'Revision of the route table that this replica serves.',
    collect: count((ready) => Number(ready.current().revision)),
  });
}
