import type { AccountRemnantStore, DeliveryStore, EndpointStore } from '../domain/ports';

export interface EraseAccountOptions {
  readonly endpoints: Pick<EndpointStore, 'list' | 'remove'>;
  readonly deliveries: Pick<DeliveryStore, 'removeOf'>;
  readonly remnants: AccountRemnantStore;
}

const PAGE = 100;

/**
 * Removes the endpoints of an account with their deliveries, and what is kept of its denials. A
 * process that dies in between is told of the erasure again.
 */
export async function eraseAccount(
  { endpoints, deliveries, remnants }: EraseAccountOptions,
  accountId: string,
): Promise<void> {
  for (;;) {
    const page = await endpoints.list(accountId, PAGE, undefined);
    for (const { id } of page) {
      // Before the endpoint, by which they are found, and again for what came in between.
      await deliveries.removeOf(id);
      await endpoints.remove(accountId, id);
      await deliveries.removeOf(id);
    }
    if (page.length < PAGE) break;
  }
  await remnants.removeOf(accountId);
}
