import {
  type NumberedRecord,
  USAGE_RECORD_FIELDS,
  USAGE_RECORD_PLACE,
  type UsageRecord,
} from '@tollgate/core';
import { fromUsageRecordEvent, usageRecord as schema, toUsageRecordEvent } from '@tollgate/events';
import { definitionOf, fromProtoUsageRecord, toProtoUsageRecord } from '@tollgate/rpc';
import { fromUsageRecordDocument, toUsageRecordDocument } from '../storage/ledger-document';
import { closeRecord, n, usageRecord } from '../testing/fixtures';
import { checkKeepable } from './usage-record';

const FULL: UsageRecord = usageRecord({
  clientRequestId: 'mine',
  errorCode: 'UPSTREAM_ERROR',
  firstTokenMs: 0,
  cacheWriteTokens: 2,
  reasoningTokens: 1,
  promptAudioTokens: 2,
  completionAudioTokens: 1,
  failedAttempts: '[]',
  limitsLeft: 'rpm 59/60',
  ignoredMembers: 'max_token',
  prices: { prompt: n(1), completion: n(2n ** 62n), cachedPrompt: n(0), cacheWrite: n(3) },
  budget: { limit: n(5), period: 'week' },
});
const SPARSE: UsageRecord = usageRecord({ userId: undefined, channelId: undefined });
// The loaded definition knows the bytes of every message.
const { SettleUsage } = definitionOf('billing') as {
  readonly SettleUsage: {
    requestSerialize(value: object): Buffer;
    requestDeserialize(bytes: Buffer): { records: Parameters<typeof fromProtoUsageRecord>[0][] };
  };
};

describe('the members of a usage record', () => {
  const records: readonly (readonly [string, NumberedRecord])[] = [
    ['with everything', FULL],
    ['with what must be there', SPARSE],
    ['of the end of a lease', closeRecord()],
  ];

  it.each(records)('are the same after the event bus: a record %s', (_, record) => {
    const event = toUsageRecordEvent(record);
    expect(fromUsageRecordEvent(schema.parse(JSON.parse(JSON.stringify(event))))).toEqual(record);
  });

  it.each(records)('are the same after a call: a record %s', (_, record) => {
    const bytes = SettleUsage.requestSerialize({ records: [toProtoUsageRecord(record)] });
    const [received] = SettleUsage.requestDeserialize(bytes).records;
    expect(received && fromProtoUsageRecord(received)).toEqual(record);
  });

  it('are named in documents as they are in events', () => {
    const { kind, ...members } = toUsageRecordEvent(FULL);
    expect(Object.keys(toUsageRecordDocument(FULL))).toEqual(Object.keys(members));
    expect(fromUsageRecordDocument(toUsageRecordDocument(SPARSE))).toEqual(SPARSE);
    expect(fromUsageRecordDocument(toUsageRecordDocument(FULL))).toEqual(FULL);
  });

  it('are all in a record with everything, so that these tests speak of each', () => {
    const members = Object.entries(FULL).flatMap(([member, value]) =>
      value === undefined || member === 'kind' ? [] : [member],
    );
    const table = [...Object.keys(USAGE_RECORD_PLACE), ...Object.keys(USAGE_RECORD_FIELDS)];
    expect(members.sort()).toEqual(table.sort());
  });

  it.each([
    ['an id', { keyId: 'a b' }],
    ['a name', { model: '' }],
    ['what the client sent', { clientRequestId: 'x'.repeat(257) }],
    ['an error code', { errorCode: '' }],
    ['what vendors said', { failedAttempts: 'x'.repeat(2049) }],
    ['a time', { startedAt: 'yesterday' }],
    ['a count', { attempts: -1 }],
  ])('are not kept when %s is outside of its bounds', (_, changes) => {
    expect(checkKeepable(FULL)).toBe(FULL);
    expect(checkKeepable(usageRecord(changes))).toMatchObject({ kind: 'malformed', number: 1 });
  });
});
