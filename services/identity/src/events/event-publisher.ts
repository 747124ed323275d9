import { assertNever } from '@tollgate/core';
import {
  createWaitingEvent,
  type EventBus,
  type TollgateEvent,
  toOutgoing,
} from '@tollgate/events';
import type { RecordedEvent } from '../domain/events';
import type { EventPublisher } from '../domain/ports';

/** Short, because what was not published in time stays in its outbox and is tried again. */
const PUBLISH_TIMEOUT_MS = 3000;

/** Publishes events under the ids of their records, so that a repetition is recognised. */
export function createEventPublisher(bus: EventBus): EventPublisher {
  return {
    async publish(events) {
      const batch = events.flatMap((recorded) => {
        const event = toEvent(recorded);
        return event === undefined ? [] : [toOutgoing(recorded.accountId, event)];
      });
      if (batch.length > 0) await bus.publish(batch, { timeoutMs: PUBLISH_TIMEOUT_MS });
    },
  };
}

/** Undefined for what concerns gateways alone. */
function toEvent(event: RecordedEvent): TollgateEvent | undefined {
  const { kind } = event;
  const record = { id: event.id, atMs: event.at };
  switch (kind) {
    case 'account.created': {
      const { accountId: account_id, plan } = event;
      return createWaitingEvent(kind, { account_id, plan }, record);
    }
    case 'account.erased':
      return createWaitingEvent(kind, { account_id: event.accountId }, record);
    case 'plan.changed': {
      const { accountId: account_id, plan, previousPlan: previous_plan } = event;
      return createWaitingEvent(kind, { account_id, plan, previous_plan }, record);
    }
    case 'key.revoked': {
      const { deleted = false } = event;
      return createWaitingEvent(kind, { ...toKeyData(event), deleted }, record);
    }
    case 'key.created':
    case 'key.rotated':
    case 'key.expiring':
      return createWaitingEvent(kind, toKeyData(event), record);
    case 'account.updated':
    case 'key.updated':
      return undefined;
    default:
      return assertNever(kind);
  }
}

function toKeyData(event: Extract<RecordedEvent, { readonly keyId: string }>) {
  const { accountId: account_id, keyId: key_id, name, actorUserId } = event;
  return { account_id, key_id, name, actor_user_id: actorUserId === '' ? null : actorUserId };
}
