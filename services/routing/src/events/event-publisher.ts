import {
  createWaitingEvent,
  type EventBus,
  OPERATOR_KEY,
  type OutgoingEvent,
  toOutgoing,
} from '@tollgate/events';
import type { Channel } from '../domain/channel';
import type { ChannelEventPublisher, WaitingChannelEvent } from '../domain/ports';

const PUBLISH_TIMEOUT_MS = 5_000;

/** Publishes events under the ids that they wait with, so that a repetition is recognised. */
export function createChannelEventPublisher(bus: EventBus): ChannelEventPublisher {
  return {
    publish: (events) => bus.publish(events.map(toEvent), { timeoutMs: PUBLISH_TIMEOUT_MS }),
    keyOf,
  };
}

function keyOf({ ownerAccountId }: Channel): string {
  return ownerAccountId ?? OPERATOR_KEY;
}

function toEvent({ atMs, channel, id, reason, type }: WaitingChannelEvent): OutgoingEvent {
  const { id: channel_id, name, ownerAccountId: owner_account_id } = channel;
  const data = { channel_id, name, owner_account_id, reason };
  const event = createWaitingEvent(type, data, { id, atMs });
  return toOutgoing(keyOf(channel), event);
}
