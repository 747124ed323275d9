import { type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import type { RecordRevision } from '../domain/ports';

/** A document with events that are written together with it. */
export interface OutboxRecord extends RecordRevision {
  readonly outbox: readonly { readonly id: string; readonly at: number }[];
}

/** Where the events of a record go; what fails for one of them does not hold the other back. */
export type OutboxDestination = 'gateways' | 'bus';

export interface OutboxHost {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A record failed alone and is quarantined for a while. */
  onQuarantined(destination: OutboxDestination): void;
}

/** Records that a relay reads at once. */
export const PENDING_PAGE = 100;
const QUARANTINE_RETRY_MS = 60_000;

/** How a relay reads what waits for the destination, and what it does with what fails alone. */
export function relayOptions(
  { clock, logger, onQuarantined }: OutboxHost,
  destination: OutboxDestination,
) {
  return {
    pageSize: PENDING_PAGE,
    quarantineRetryMs: QUARANTINE_RETRY_MS,
    clock,
    onQuarantined({ id }: { readonly id: string }, error: unknown): void {
      logger.error({ id, destination, error }, 'events of a record fail alone; others go on');
      onQuarantined(destination);
    },
  };
}

const REMEMBERED_MAX = 10_000;

/**
 * Passes each event on once in this process. A change that comes before the outbox is emptied
 * carries the earlier events along, and while the bus cannot be reached the same ones come back.
 */
export function createOnceForEach<Item extends { readonly id: string }>() {
  const passedOn = createBoundedMap<string, true>(REMEMBERED_MAX);
  return async (
    items: readonly Item[],
    passOn: (fresh: readonly Item[]) => Promise<unknown>,
  ): Promise<void> => {
    const fresh = items.filter(({ id }) => passedOn.get(id) === undefined);
    if (fresh.length === 0) return;
    await passOn(fresh);
    for (const { id } of fresh) passedOn.set(id, true);
  };
}
