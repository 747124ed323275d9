import type { Clock } from '@tollgate/core';
import type { EndpointId } from '../domain/endpoint';
import type { DeliveryStore, EndpointStore } from '../domain/ports';

/** What holding works with. */
export interface HoldDeliveriesOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
}

/** Holds what waits for a disabled endpoint until it is enabled, or until it is too old to keep. */
export async function holdDeliveries(
  { endpoints, deliveries, clock }: HoldDeliveriesOptions,
  endpointId: EndpointId,
): Promise<void> {
  const newest = await deliveries.newestSequence(endpointId);
  // Held deliveries expire: their numbers must be known to be taken before.
  await endpoints.raiseSequence(endpointId, newest);
  await deliveries.pause(endpointId, newest, clock.now());
  // Its owner may have enabled it just before the pause, and must not wait for ever.
  const endpoint = await endpoints.get(endpointId);
  if (endpoint?.status === 'enabled') await deliveries.resume(endpointId, clock.now());
}
