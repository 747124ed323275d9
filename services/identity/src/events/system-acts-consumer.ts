import { fromIsoTime, ID_PREFIXES } from '@tollgate/core';
import type { EventBus, Subscription, TollgateEvent } from '@tollgate/events';
import { type AuditLogEntry, systemEntry } from '../domain/audit-log';

/** Where received events go. */
export interface SystemActsOptions {
  readonly bus: EventBus;
  recordSystemAct(entry: AuditLogEntry): Promise<void>;
}

const GROUP = 'identity';

/** Records in the audit log what a service did by itself to what operators manage. */
export function subscribeToSystemActs({
  bus,
  recordSystemAct,
}: SystemActsOptions): Promise<Subscription> {
  return bus.subscribe({
    group: GROUP,
    topics: ['tollgate.routing.v1'],
    async handle(events) {
      for (const { event } of events) {
        const entry = fromEvent(event);
        if (entry !== undefined) await recordSystemAct(entry);
      }
    },
  });
}

const STATUS_BEFORE = { 'channel.disabled': 'enabled', 'channel.recovered': 'auto_disabled' };
const STATUS_AFTER = { 'channel.disabled': 'auto_disabled', 'channel.recovered': 'enabled' };

/** Named after the event, so that one that comes twice is one entry. */
function fromEvent(event: TollgateEvent): AuditLogEntry | undefined {
  if (event.type !== 'channel.disabled' && event.type !== 'channel.recovered') return undefined;
  const { channel_id: resourceId, name, owner_account_id: owner, reason } = event.data;
  return systemEntry({
    id: event.id.replace(`${ID_PREFIXES.event}_`, `${ID_PREFIXES.auditEntry}_`),
    atMs: fromIsoTime(event.time) ?? 0,
    operation: event.type,
    accountId: owner ?? '',
    resourceType: 'channels',
    resourceId,
    before: JSON.stringify({ name, status: STATUS_BEFORE[event.type] }),
    after: JSON.stringify({ name, status: STATUS_AFTER[event.type], reason }),
  });
}
