import { assertNever } from '@tollgate/core';
import {
  createWaitingEvent,
  type EventBus,
  type TollgateEvent,
  toOutgoing,
} from '@tollgate/events';
import type { IdentityEvent } from '../domain/events';
import type { EventPublisher } from '../domain/ports';

/** Short, because what was not published in time stays in its outbox and is tried again. */
const PUBLISH_TIMEOUT_MS = 3000;

/** Publishes events under the ids of their records, so that a repetition is recognised. */
export function createEventPublisher(bus: EventBus): EventPublisher {
  return {
    async publish(events) {
      const batch = events.map((event) => toOutgoing(event.accountId, toEvent(event)));
      await bus.publish(batch, { timeoutMs: PUBLISH_TIMEOUT_MS });
    },
  };
}

function toEvent(event: IdentityEvent): TollgateEvent {
  const { type } = event;
  const record = { id: event.id, atMs: event.at };
  switch (type) {
    case 'account.created': {
      const { accountId: account_id, plan } = event;
      return createWaitingEvent(type, { account_id, plan }, record);
    }
    case 'account.erased':
      return createWaitingEvent(type, { account_id: event.accountId }, record);
    case 'plan.changed': {
      const { accountId: account_id, plan, previousPlan: previous_plan } = event;
      return createWaitingEvent(type, { account_id, plan, previous_plan }, record);
    }
    case 'key.revoked':
      return createWaitingEvent(type, { ...toKeyData(event), deleted: event.deleted }, record);
    case 'key.created':
    case 'key.rotated':
    case 'key.expiring':
      return createWaitingEvent(type, toKeyData(event), record);
    default:
      return assertNever(type);
  }
}

function toKeyData(event: Extract<IdentityEvent, { readonly keyId: string }>) {
  const { accountId: account_id, keyId: key_id, name, actorUserId } = event;
  return { account_id, key_id, name, actor_user_id: actorUserId === '' ? null : actorUserId };
}
