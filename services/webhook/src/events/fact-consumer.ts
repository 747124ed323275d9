import type { EventBus, ReceivedEvent, Subscription } from '@tollgate/events';
import type { Denial } from '../domain/sustained-denials';
import type { Fact } from '../domain/webhook-event';
import { fromDenialsEvent, fromEvent } from './from-event';

/** What is done with what was received. */
export interface FactConsumerOptions {
  readonly bus: EventBus;
  /** Amounts are told in it. */
  readonly currency: string;
  announce(fact: Fact): Promise<void>;
  noticeDenials(denials: readonly Denial[]): Promise<void>;
}

const GROUP = 'webhook';

/**
 * Follows everything that endpoints can subscribe to. A failure makes the batch come again; the bus
 * sets an event aside with which it keeps failing, so that those behind it go on.
 */
export function subscribeFacts(options: FactConsumerOptions): Promise<Subscription> {
  return options.bus.subscribe({
    group: GROUP,
    topics: [
      'tollgate.billing.v1',
      'tollgate.identity.v1',
      'tollgate.routing.v1',
      'tollgate.denials.v1',
    ],
    async handle(events: readonly ReceivedEvent[]) {
      const denials: Denial[] = [];
      for (const { event } of events) {
        if (event.type === 'denials.counted') {
          const denial = fromDenialsEvent(event);
          if (denial !== undefined) denials.push(denial);
          continue;
        }
        const fact = fromEvent(event, options.currency);
        // One after the other, so that an account's facts are numbered in their order.
        if (fact !== undefined) await options.announce(fact);
      }
      if (denials.length > 0) await options.noticeDenials(denials);
    },
  });
}
