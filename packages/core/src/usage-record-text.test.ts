import { nano } from './money';
import type { CloseRecord, UsageRecord } from './usage-record';
import { writeUsageRecordText, writeUsageStartText, writtenRecords } from './usage-record-text';

const AT = '2026-01-01T00:00:00.000Z';
const close: CloseRecord = {
  kind: 'close',
  accountId: 'acc_1',
  lease: 1,
  number: 2,
  holder: 'spl_1',
  epoch: 3,
  endedAt: AT,
};
const whole: UsageRecord = {
  ...close,
  kind: 'usage',
  requestId: 'req_1',
  clientRequestId: 'quo"te – ü',
  keyId: 'key_1',
  userId: 'usr_1',
  model: 'small',
  requestedModel: 'POOL:small',
  channelId: 'chn_1',
  ownChannel: false,
  priceVersion: 4,
  prices: { prompt: nano(1n), completion: nano(2n), cachedPrompt: nano(3n), cacheWrite: nano(4n) },
  promptTokens: 5,
  completionTokens: 6,
  cachedTokens: 1,
  cacheWriteTokens: 2,
  reasoningTokens: 3,
  promptAudioTokens: 2,
  completionAudioTokens: 1,
  reserved: nano(100n),
  amount: nano(7n),
  source: 'exact',
  reason: 'stop',
  status: 'failed',
  errorCode: 'UPSTREAM_ERROR',
  stream: true,
  attempts: 2,
  failedAttempts: '[]',
  latencyMs: 8,
  firstTokenMs: 9,
  startedAt: AT,
  limitsLeft: 'rpm 59/60 rpd 999/1000',
  ignoredMembers: 'max_token',
  vendorAbsorbed: nano(10n),
  budget: { limit: nano(11n), period: 'none' },
};
const bare: UsageRecord = {
  ...whole,
  clientRequestId: undefined,
  userId: undefined,
  channelId: undefined,
  errorCode: undefined,
  firstTokenMs: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
  promptAudioTokens: undefined,
  completionAudioTokens: undefined,
  ignoredMembers: undefined,
  prices: { prompt: nano(1n), completion: nano(2n), cachedPrompt: nano(3n) },
  budget: undefined,
};

it('reads a record from before some of its members', () => {
  const { cache_write_tokens, reasoning_tokens, ...others } = JSON.parse(
    writeUsageRecordText(bare),
  ) as Record<string, unknown>;
  const { prompt_audio_tokens, completion_audio_tokens, ...before } = others;
  expect([cache_write_tokens, reasoning_tokens]).toEqual([null, null]);
  expect([prompt_audio_tokens, completion_audio_tokens]).toEqual([null, null]);
  expect(writtenRecords.read('usage', before)).toEqual(bare);
});

it.each([
  ['a whole record', whole],
  ['a record without what may be absent', bare],
  ['a budget with a period', { ...whole, budget: { limit: nano(11n), period: 'month' } } as const],
  ['the end of a lease', close],
])('writes %s as the table of members has it, and it can be read', (_what, record) => {
  const read: unknown = JSON.parse(writeUsageRecordText(record));
  expect(read).toEqual({ ...writtenRecords.write(record), kind: record.kind });
  expect(writtenRecords.read(record.kind, read as object)).toEqual(record);
});

it('writes nothing of members that were ignored where none were', () => {
  const texts = [writeUsageRecordText(bare), writeUsageStartText(bare)];
  expect(texts.filter((text) => text.includes('ignored'))).toEqual([]);
  expect(writtenRecords.write(bare)).not.toHaveProperty('ignored_members');
});

it('writes a start with the members that its record has', () => {
  const start = JSON.parse(writeUsageStartText(whole)) as object;
  expect(Object.keys(start)).toHaveLength(19);
  const { kind, ...members } = start as { readonly kind: string };
  expect(kind).toBe('begin');
  expect(writtenRecords.write(whole)).toMatchObject(members);
});
