import { assertNever, toIsoTime } from '@tollgate/core';
import {
  EVENT_SCHEMA_VERSION,
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
  const envelope = {
    id: event.id,
    schema_version: EVENT_SCHEMA_VERSION,
    time: toIsoTime(event.at),
  } as const;
  switch (event.type) {
    case 'account.created': {
      const { accountId: account_id, plan } = event;
      return { ...envelope, type: event.type, data: { account_id, plan } };
    }
    case 'account.erased':
      return { ...envelope, type: event.type, data: { account_id: event.accountId } };
    case 'plan.changed': {
      const { accountId: account_id, plan, previousPlan: previous_plan } = event;
      return { ...envelope, type: event.type, data: { account_id, plan, previous_plan } };
    }
    case 'key.revoked': {
      const data = { ...toKeyData(event), deleted: event.deleted };
      return { ...envelope, type: event.type, data };
    }
    case 'key.created':
    case 'key.rotated':
    case 'key.expiring':
      return { ...envelope, type: event.type, data: toKeyData(event) };
    default:
      return assertNever(event);
  }
}

function toKeyData(event: Extract<IdentityEvent, { readonly keyId: string }>) {
  const { accountId: account_id, keyId: key_id, name, actorUserId } = event;
  return { account_id, key_id, name, actor_user_id: actorUserId === '' ? null : actorUserId };
}
