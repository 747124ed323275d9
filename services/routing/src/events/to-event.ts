import { toIsoTime } from '@tollgate/core';
import {
  EVENT_SCHEMA_VERSION,
  OPERATOR_KEY,
  type OutgoingEvent,
  type TollgateEvent,
  toOutgoing,
} from '@tollgate/events';
import type { ChannelOutboxItem } from '../domain/ports';

/** The events that wait with a channel, under the ids by which a repetition is recognised. */
export function toChannelEvents({ channel, events }: ChannelOutboxItem): readonly OutgoingEvent[] {
  return events.map(({ id, type, reason, atMs }) => {
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
  });
}
