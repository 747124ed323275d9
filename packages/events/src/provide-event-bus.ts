import type { CleanupStack, ServiceHost } from '@tollgate/lifecycle';
import type { EventBus } from './event-bus';
import { createEventMetrics } from './event-metrics';
import { createKafkaBus } from './kafka/kafka-bus';
import { type KafkaSettings, toKafkaEndpoint } from './kafka/kafka-settings';

/** The bus that the services of one process share; each opens its own where it is absent. */
export interface SharedBus {
  readonly eventBus?: EventBus;
}

/** Whose bus a service uses: the process's, or one of its own that ends with it. */
export interface EventBusOwner {
  readonly shared: EventBus | undefined;
  readonly cleanup: CleanupStack;
}

/** The bus that the process shares between its services; without one, a service opens its own. */
export function provideEventBus(
  service: string,
  settings: KafkaSettings,
  host: ServiceHost,
  { shared, cleanup }: EventBusOwner,
): EventBus {
  if (shared !== undefined) return shared;
  const own = openKafkaBus(service, settings, host);
  cleanup.defer('event bus', () => own.close());
  return own;
}

/**
 * Throws when no broker is named, because a private in-process bus would swallow every event. A
 * consumer that is gone for good ends the process, so that its supervisor starts a new one.
 */
function openKafkaBus(clientId: string, settings: KafkaSettings, host: ServiceHost): EventBus {
  const endpoint = toKafkaEndpoint(settings);
  if (endpoint.brokers.length === 0) {
    throw new Error(`${clientId} runs without the others and needs KAFKA_BROKERS`);
  }
  return createKafkaBus({
    ...endpoint,
    clientId: `tollgate-${clientId}`,
    clock: host.clock,
    logger: host.logger,
    observer: createEventMetrics(host.metrics),
    onFatal(error) {
      setImmediate(() => {
        throw error;
      });
    },
  });
}
