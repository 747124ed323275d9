import { type AccountId, type ChannelId, EventKeysRefused, silentLogger } from '@tollgate/core';
import { type EventBus, OPERATOR_KEY } from '@tollgate/events';
import { createFakeClock } from '@tollgate/testkit';
import type { ChannelOutboxItem } from '../domain/ports';
import { createChannelEventPublisher } from '../events/event-publisher';
import { channelWith } from '../testing/fixtures';
import { createPublishOutbox } from './publish-outbox';

/** A channel with one event that waits. */
function waitingOf(id: string, ownerAccountId: string | null): ChannelOutboxItem {
  const channel = channelWith({
    id: id as ChannelId,
    ownerAccountId: ownerAccountId as AccountId | null,
  });
  const event = { type: 'channel.disabled', id: `evt_${id}`, atMs: 1, reason: 'x' } as const;
  return { id, channel, events: [event] };
}

test.each([
  ['an account', 'acc_1', ['chn_1', 'chn_4']],
  ['the operator', OPERATOR_KEY, ['chn_2']],
])(
  'events that the bus refuses of %s wait, and all others go on',
  async (_whose, refused, left) => {
    let waiting = [
      waitingOf('chn_1', 'acc_1'),
      waitingOf('chn_2', null),
      waitingOf('chn_3', 'acc_2'),
      waitingOf('chn_4', 'acc_1'),
    ];
    const bus: Pick<EventBus, 'publish'> = {
      async publish(batch) {
        const isRefused = batch.some(({ key }) => key === refused);
        if (isRefused) throw new EventKeysRefused(new Set([refused]), {});
      },
    };
    const run = createPublishOutbox({
      channels: {
        listOutbox: async ({ after = '' }) => waiting.filter(({ id }) => id > after),
        async removeFromOutbox(items) {
          waiting = waiting.filter((item) => !items.includes(item));
        },
      },
      publisher: createChannelEventPublisher(bus as EventBus),
      clock: createFakeClock(),
      logger: silentLogger,
    });
    await expect(run(new AbortController().signal)).rejects.toBeInstanceOf(EventKeysRefused);
    expect(waiting.map(({ id }) => id)).toEqual(left);
  },
);
