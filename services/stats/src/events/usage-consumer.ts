import type {
  DenialReason,
  EventBus,
  HandlerControl,
  ReceivedEvent,
  Subscription,
} from '@tollgate/events';
import type { Denials } from '../domain/ports';
import type { UsageFact } from '../domain/usage-figures';
import { fromDenialsEvent, fromLedgerEvent } from './from-event';

/** What is done with what was received. */
export interface UsageConsumerOptions {
  readonly bus: EventBus;
  /** Events of one partition at once. */
  readonly eventBatchMax: number;
  applyLedger(facts: readonly UsageFact[], signal: AbortSignal): Promise<void>;
  addDenials(denials: readonly Denials[], signal: AbortSignal): Promise<void>;
}

const GROUP = 'stats';

/** Follows the ledger and the refusals; a failure makes the bus deliver the batch again. */
export function subscribeUsage(options: UsageConsumerOptions): Promise<Subscription> {
  return options.bus.subscribe({
    group: GROUP,
    topics: ['tollgate.ledger.v1', 'tollgate.denials.v1'],
    maxBatch: options.eventBatchMax,
    async handle(events: readonly ReceivedEvent[], { signal }: HandlerControl) {
      const facts: UsageFact[] = [];
      const denials: Denials[] = [];
      for (const { event } of events) {
        if (event.type === 'ledger.entry_posted' || event.type === 'ledger.adjustment_posted') {
          facts.push(fromLedgerEvent(event.data));
        }
        if (event.type === 'denials.counted' && isRateLimit(event.data.reason)) {
          denials.push(fromDenialsEvent(event.id, event.data));
        }
      }
      if (facts.length > 0) await options.applyLedger(facts, signal);
      if (denials.length > 0) await options.addDenials(denials, signal);
    },
  });
}

/** A refusal for lack of money is no rate limit. */
function isRateLimit(reason: DenialReason): boolean {
  return reason !== 'balance' && reason !== 'budget';
}
