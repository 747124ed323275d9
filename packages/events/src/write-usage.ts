import {
  type Clock,
  type CloseRecord,
  type UsageRecord,
  writeUsageRecordText,
} from '@tollgate/core';
import { EVENT_BYTES_MAX } from './codec';
import { createEvent } from './create-event';
import type { WrittenEvent } from './event-bus';
import { type EventType, topicOf } from './event-catalogue';
import { USAGE_BATCH_MAX } from './schemas/usage';

/** Half of what an event may have, in characters of which a few may take three bytes. */
const BATCH_TEXT_MAX = EVENT_BYTES_MAX / 2;

/**
 * The records as the usage topic carries them, each account's in order: alone as one event, and
 * several of an account as batches, because a message costs both of its ends more than a record.
 */
export function writeUsageEvents(
  records: readonly (UsageRecord | CloseRecord)[],
  clock: Clock,
): readonly WrittenEvent[] {
  const events: WrittenEvent[] = [];
  const open = new Map<string, { texts: string[]; length: number }>();
  const close = (accountId: string, texts: readonly string[]) => {
    events.push(
      texts.length === 1
        ? write('usage.recorded', accountId, texts[0] ?? '', clock)
        : write('usage.batch_recorded', accountId, `{"records":[${texts.join(',')}]}`, clock),
    );
  };
  for (const record of records) {
    const { accountId } = record;
    const text = writeUsageRecordText(record);
    const batch = open.get(accountId) ?? { texts: [], length: 0 };
    if (batch.texts.length === USAGE_BATCH_MAX || batch.length + text.length > BATCH_TEXT_MAX) {
      close(accountId, batch.texts);
      batch.texts = [];
      batch.length = 0;
    }
    batch.texts.push(text);
    batch.length += text.length;
    open.set(accountId, batch);
  }
  for (const [accountId, { texts }] of open) close(accountId, texts);
  return events;
}

/** The envelope of `createEvent` around data that are written already. */
function write(type: EventType, key: string, data: string, clock: Clock): WrittenEvent {
  const envelope = JSON.stringify(createEvent(type, {} as never, clock));
  return { topic: topicOf(type), key, type, text: `${envelope.slice(0, -'{}}'.length)}${data}}` };
}
