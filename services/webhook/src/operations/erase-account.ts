import type { EndpointStore, ErasureStore, RemnantStore } from '../domain/ports';

export interface EraseAccountOptions {
  readonly endpoints: Pick<EndpointStore, 'list' | 'remove'>;
  readonly erasures: Pick<ErasureStore, 'begin'>;
  readonly remnants: RemnantStore;
}

const PAGE = 100;

/**
 * Removes the endpoints of an account, and what is kept of its denials: nothing is sent from then
 * on. Deliveries, of which there may be millions, are left to the leader
 * (`remove-deliveries.ts`), which is told first: other events wait for this one. A process
 * that dies in between is told of the erasure again.
 */
export async function eraseAccount(
  { endpoints, erasures, remnants }: EraseAccountOptions,
  accountId: string,
): Promise<void> {
  await erasures.begin(accountId);
  for (;;) {
    const page = await endpoints.list(accountId, { after: undefined, limit: PAGE });
    for (const { id } of page) await endpoints.remove(accountId, id);
    if (page.length < PAGE) break;
  }
  await remnants.removeOf(accountId);
}
