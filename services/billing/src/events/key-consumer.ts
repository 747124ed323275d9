import type { EventBus, Subscription } from '@tollgate/events';
import type { ForgetKeyOperation } from '../operations/forget-keys';

/** Apart from the usage records, which must not wait for keys. */
const GROUP = 'billing-keys';

/** Follows the keys that are deleted; one that is only disabled keeps its budget. */
export function subscribeToKeys(options: {
  readonly bus: EventBus;
  readonly forgetKey: ForgetKeyOperation;
}): Promise<Subscription> {
  return options.bus.subscribe({
    group: GROUP,
    topics: ['tollgate.identity.v1'],
    async handle(received) {
      for (const { event } of received) {
        if (event.type !== 'key.revoked' || event.data.deleted !== true) continue;
        await options.forgetKey(event.data.account_id, event.data.key_id);
      }
    },
  });
}
