import { type Clock, createId, type NumberedRecord, sha256Hex } from '@tollgate/core';
import {
  createWaitingEvent,
  type EventBus,
  type OutgoingEvent,
  toOutgoing,
  toUsageRecordEvent,
} from '@tollgate/events';
import type { DeadLetters } from '../domain/ports';
import type { ReceivedRecord } from '../domain/usage-record';
import { BILLING_GROUP } from './event-consumers';

/** A usage record that billing does not take, with the record: it holds no prompt and no answer. */
export function createDeadLetter(
  record: NumberedRecord,
  reason: string,
  event: { readonly id: string; readonly atMs: number },
): OutgoingEvent {
  const data = toUsageRecordEvent(record);
  const payload = Buffer.from(JSON.stringify(data), 'utf8');
  const letter = {
    source_topic: 'tollgate.usage.v1',
    group: BILLING_GROUP,
    reason,
    event_id: null,
    key: record.accountId,
    payload_sha256: sha256Hex(payload),
    payload_bytes: payload.length,
    record: data,
  };
  return toOutgoing(record.accountId, createWaitingEvent('dead_letter.recorded', letter, event));
}

function isKept(record: ReceivedRecord): record is NumberedRecord {
  return record.kind !== 'malformed';
}

/** Records of leases that their spool never had. A malformed one has nothing that could be kept. */
export function createDeadLetters(options: {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly publishTimeoutMs: number;
}): DeadLetters {
  const { bus, clock, publishTimeoutMs: timeoutMs } = options;
  return {
    async report(records) {
      const letters = records.filter(isKept).map((record) => {
        const event = { id: createId('event'), atMs: clock.now() };
        return createDeadLetter(record, 'the lease was never granted to this spool', event);
      });
      if (letters.length > 0) await bus.publish(letters, { timeoutMs });
    },
  };
}
