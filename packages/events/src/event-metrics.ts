import type { Metrics } from '@tollgate/observability';
import type { EventBusObserver } from './event-bus';

/** Counts what a bus reports; every label comes from a table or from code, none from an event. */
export function createEventMetrics(metrics: Metrics): EventBusObserver {
  const published = metrics.counter({
    name: 'tollgate_events_published_total',
    help: 'Messages that were accepted durably: an event, or a batch of up to 100 of one account.',
    labels: ['topic'],
  });
  const publishFailed = metrics.counter({
    name: 'tollgate_events_publish_failed_total',
    help: 'Messages whose publish call was rejected; their publisher sends them again.',
    labels: ['topic'],
  });
  const handled = metrics.counter({
    name: 'tollgate_events_handled_total',
    help: 'Events that a consumer group handled, those of a batch one by one.',
    labels: ['topic', 'group'],
  });
  const handlerFailed = metrics.counter({
    name: 'tollgate_events_handler_failed_total',
    help: 'Handler calls that failed; their events come again.',
    labels: ['topic', 'group'],
  });
  const deadLettered = metrics.counter({
    name: 'tollgate_events_dead_lettered_total',
    help: 'Messages that a consumer group could not use: each is a dead letter.',
    labels: ['topic', 'group', 'cause'],
  });
  const skipped = metrics.counter({
    name: 'tollgate_events_skipped_total',
    help: 'Events of a type, and denials for a reason, that this version does not know.',
    labels: ['topic', 'group'],
  });
  const lag = metrics.gauge({
    name: 'tollgate_events_lag',
    help: 'Messages that wait in the partitions which this process reads for its group, as of the newest fetch of each.',
    labels: ['topic', 'group'],
  });
  return {
    published: (topic, messages) => published.inc({ topic }, messages),
    publishFailed: (topic, messages) => publishFailed.inc({ topic }, messages),
    handled: (topic, group, events) => handled.inc({ topic, group }, events),
    handlerFailed: (topic, group) => handlerFailed.inc({ topic, group }),
    deadLettered: (topic, group, cause) => deadLettered.inc({ topic, group, cause }),
    skipped: (topic, group) => skipped.inc({ topic, group }),
    behind: (topic, group, messages) => lag.set(messages, { topic, group }),
  };
}
