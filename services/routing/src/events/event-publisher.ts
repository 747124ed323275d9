import { toIsoTime } from '@tollgate/core';
import {
  EVENT_SCHEMA_VERSION,
  type EventBus,
  OPERATOR_KEY,
  type OutgoingEvent,
  type TollgateEvent,
  toOutgoing,
} from '@tollgate/events';
import type { ChannelEventPublisher, WaitingChannelEvent } from '../domain/ports';

const PUBLISH_TIMEOUT_MS = 5_000;

/** Publishes events under the ids that they wait with, so that a repetition is recognised. */
export function createChannelEventPublisher(bus: EventBus): ChannelEventPublisher {
  return {
    publish: (events) => bus.publish(events.map(toEvent), { timeoutMs: PUBLISH_TIMEOUT_MS }),
  };
}

function toEvent({ atMs, channel, id, reason, type }: WaitingChannelEvent): OutgoingEvent {
  const event: TollgateEvent = {
    id,
    type,
    schema_version: EVENT_SCHEMA_VERSION,
    time: toIsoTime(atMs),
    data: {
      channel_id: channel.id,
      name: channel.name,
      owner_account_id: channel.ownerAccountId,
      reason,
    },
  };
  return toOutgoing(channel.ownerAccountId ?? OPERATOR_KEY, event);
}
