import type { Clock, Logger } from '@tollgate/core';
import { createOutboxRelay, type RepeatedWork } from '@tollgate/jobs';
import type { ChannelEventPublisher, ChannelOutbox } from '../domain/ports';

export interface PublishOutboxOptions {
  readonly channels: ChannelOutbox;
  readonly publisher: ChannelEventPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
}

const CHANNELS_PAGE = 100;
const PUBLISH_MAX = 500;
const QUARANTINE_RETRY_MS = 60_000;

/** Tells listeners what happened to channels. Only the leader does. */
export function createPublishOutbox(options: PublishOutboxOptions): RepeatedWork['run'] {
  const { channels, publisher, clock, logger } = options;
  const { run } = createOutboxRelay({
    outbox: { list: channels.listOutbox, remove: channels.removeFromOutbox },
    toMessages: (items) =>
      items.flatMap(({ channel, events }) => events.map((event) => ({ ...event, channel }))),
    publish: publisher.publish,
    keyOf: ({ channel }) => publisher.keyOf(channel),
    onQuarantined({ id: channelId }, error) {
      logger.error({ channelId, error }, 'events of a channel cannot be published; others go on');
    },
    pageSize: CHANNELS_PAGE,
    publishMax: PUBLISH_MAX,
    clock,
    quarantineRetryMs: QUARANTINE_RETRY_MS,
  });
  return run;
}
