import { type BackoffPolicy, type Clock, type Logger, waitAtMost } from '@tollgate/core';
import {
  BATCH_MAX_DEFAULT,
  busClosing,
  CLOSE_TIMEOUT_MS_DEFAULT,
  type EventBus,
  type EventBusObserver,
  type EventToPublish,
  PENDING_MESSAGES_MAX_DEFAULT,
  type Subscription,
  silentObserver,
} from '../event-bus';
import { HANDLER_BACKOFF_DEFAULT } from '../handle-events';
import type { GroupMember } from './group-queue';
import { createGroupRegistry } from './group-registry';

export interface InProcessBusOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer?: EventBusObserver;
  /** Messages that one group may have pending on one topic; 10,000 when absent. */
  readonly pendingMessagesMax?: number;
  /** How long `close` waits for pending events, milliseconds; 10,000 when absent. */
  readonly closeTimeoutMs?: number;
  /** Wait before a failing handler gets its events again; 100 ms to 10 s when absent. */
  readonly backoff?: BackoffPolicy;
  /** Checks outgoing events against their schemas; for tests. */
  readonly validate?: boolean;
}

/**
 * A bus within one process. It keeps nothing on disk, so it acknowledges late: `publish` resolves
 * once every group that is subscribed to the topic has handled the event. Whoever published and was
 * not told so publishes again, and nothing that was acknowledged can be lost.
 */
export function createInProcessBus(options: InProcessBusOptions): EventBus {
  const { clock, observer = silentObserver, closeTimeoutMs = CLOSE_TIMEOUT_MS_DEFAULT } = options;
  const registry = createGroupRegistry({
    clock,
    logger: options.logger,
    observer,
    backoff: options.backoff ?? HANDLER_BACKOFF_DEFAULT,
    pendingMessagesMax: options.pendingMessagesMax ?? PENDING_MESSAGES_MAX_DEFAULT,
    validate: options.validate ?? false,
  });
  const subscriptions = new Set<Subscription>();
  let closing = false;

  const count = (batch: readonly EventToPublish[], report: 'published' | 'publishFailed') => {
    for (const { topic } of batch) observer[report](topic, 1);
  };

  return {
    async publish(batch, { timeoutMs }) {
      try {
        if (closing) throw busClosing();
        await registry.accept(batch, timeoutMs);
      } catch (error) {
        count(batch, 'publishFailed');
        throw error;
      }
      count(batch, 'published');
    },

    async subscribe({ group, topics, batchMax = BATCH_MAX_DEFAULT, handle }) {
      if (closing) throw busClosing();
      const member: GroupMember = { handle, batchMax, stopping: new AbortController() };
      registry.join(group, topics, member);
      const subscription: Subscription = {
        async stop() {
          subscriptions.delete(subscription);
          await registry.leave(group, topics, member);
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },

    async close() {
      closing = true;
      await waitAtMost(clock, closeTimeoutMs, registry.drained());
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
    },
  };
}
