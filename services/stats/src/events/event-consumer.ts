import {
  type EventBus,
  type HandlerControl,
  isRateLimit,
  type ReceivedEvent,
  type Subscription,
} from '@tollgate/events';
import type { CountedRequests } from '../domain/denial-bucket';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { RefusedRequest } from '../domain/ports';
import {
  fromDenialsEvent,
  fromLedgerEvent,
  fromRefusalsEvent,
  fromUnauthorizedEvent,
  fromUnroutedEvent,
  fromUnservedEvent,
} from './from-event';

/** Where received entries, denials and refused requests go. */
export interface EventConsumerOptions {
  readonly bus: EventBus;
  /** Events of one partition at once. */
  readonly eventBatchMax: number;
  applyLedger(entries: readonly LedgerEntry[], control: HandlerControl): Promise<void>;
  addDenials(denials: readonly CountedRequests[], control: HandlerControl): Promise<void>;
  addRefusedRequests(refused: readonly RefusedRequest[]): Promise<void>;
}

const GROUP = 'stats';

/** Follows the ledger and the denials; a failure makes the bus deliver the batch again. */
export function subscribeToEvents(options: EventConsumerOptions): Promise<Subscription> {
  return options.bus.subscribe({
    group: GROUP,
    topics: ['tollgate.ledger.v1', 'tollgate.denials.v1'],
    batchMax: options.eventBatchMax,
    async handle(events: readonly ReceivedEvent[], control: HandlerControl) {
      const entries: LedgerEntry[] = [];
      const denials: CountedRequests[] = [];
      const refused: RefusedRequest[] = [];
      for (const { event } of events) {
        if (event.type === 'ledger.entry_posted' || event.type === 'ledger.adjustment_posted') {
          entries.push(fromLedgerEvent(event.data));
        }
        if (event.type === 'denials.counted' && isRateLimit(event.data.reason)) {
          denials.push(fromDenialsEvent(event.id, event.data));
        }
        if (event.type === 'unserved.counted') {
          denials.push(fromUnservedEvent(event.id, event.data));
        }
        if (event.type === 'refusals.sampled') refused.push(...fromRefusalsEvent(event.data));
        if (event.type === 'refusals.unauthorized') {
          refused.push(...fromUnauthorizedEvent(event.data));
        }
        if (event.type === 'refusals.unrouted') refused.push(...fromUnroutedEvent(event.data));
      }
      if (entries.length > 0) await options.applyLedger(entries, control);
      if (denials.length > 0) await options.addDenials(denials, control);
      if (refused.length > 0) await options.addRefusedRequests(refused);
    },
  });
}
