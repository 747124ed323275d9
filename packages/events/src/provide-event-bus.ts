import type { ServiceHost } from '@tollgate/lifecycle';
import type { EventBus } from './event-bus';
import { createEventMetrics } from './event-metrics';
import { createKafkaBus } from './kafka/kafka-bus';

/**
 * The bus of a service that runs alone: Kafka, named by the environment. Throws when no broker is
 * named, because a private in-process bus would swallow every event. A consumer that is gone for
 * good ends the process, so that its supervisor starts a new one.
 */
export function provideEventBus(
  brokers: readonly string[] | undefined,
  clientId: string,
  host: ServiceHost,
): EventBus {
  if (brokers === undefined || brokers.length === 0) {
    throw new Error(`${clientId} runs without the others and needs KAFKA_BROKERS`);
  }
  return createKafkaBus({
    brokers,
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
