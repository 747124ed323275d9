import type { EventBus, Subscription } from '@tollgate/events';
import type { ChannelOperations } from '../operations/channels';

const GROUP = 'routing';

/** Follows accounts that are erased: what belongs to them alone goes. */
export function subscribeToIdentity({
  bus,
  channels,
}: {
  readonly bus: EventBus;
  readonly channels: Pick<ChannelOperations, 'removeOwnedBy'>;
}): Promise<Subscription> {
  return bus.subscribe({
    group: GROUP,
    topics: ['tollgate.identity.v1'],
    async handle(received) {
      for (const { event } of received) {
        if (event.type === 'account.erased') await channels.removeOwnedBy(event.data.account_id);
      }
    },
  });
}
