import type { EventBus, ReceivedEvent, Subscription } from '@tollgate/events';
import type { DenialCount } from '../domain/denial';
import type { WebhookEvent } from '../domain/webhook-event';
import { fromDenialsEvent, fromEvent } from './from-event';

/** Where received events go. */
export interface EventConsumerOptions {
  readonly bus: EventBus;
  enqueue(event: WebhookEvent): Promise<void>;
  reportDenials(denials: readonly DenialCount[]): Promise<void>;
  eraseAccount(accountId: string): Promise<void>;
}

const GROUP = 'webhook';

/**
 * Follows everything that endpoints can subscribe to. A failure makes the batch come again; the bus
 * makes an event with which it keeps failing a dead letter, so that those behind it go on.
 */
export function subscribeToEvents(options: EventConsumerOptions): Promise<Subscription> {
  return options.bus.subscribe({
    group: GROUP,
    topics: [
      'tollgate.billing.v1',
      'tollgate.identity.v1',
      'tollgate.routing.v1',
      'tollgate.denials.v1',
    ],
    async handle(events: readonly ReceivedEvent[]) {
      const denials: DenialCount[] = [];
      for (const { event } of events) {
        if (event.type === 'denials.counted') {
          denials.push(fromDenialsEvent(event));
          continue;
        }
        if (event.type === 'account.erased') {
          await options.eraseAccount(event.data.account_id);
          continue;
        }
        const webhookEvent = fromEvent(event);
        // One after the other, so that an account's events are numbered in their order.
        if (webhookEvent !== undefined) await options.enqueue(webhookEvent);
      }
      if (denials.length > 0) await options.reportDenials(denials);
    },
  });
}
