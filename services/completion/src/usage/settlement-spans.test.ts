import type { UsageRecord } from '@tollgate/core';
import { disabledTracing, type Tracing } from '@tollgate/observability';
import { createSettlementSpans } from './settlement-spans';

/** Keeps the names of spans that began and ended. */
function createRecordingTracing() {
  const begun: string[] = [];
  const ended: string[] = [];
  const tracing: Tracing = {
    ...disabledTracing,
    enabled: true,
    startSpan(_name, options) {
      const id = String(options?.attributes?.['tollgate.request_id']);
      begun.push(`${id} in ${options?.traceparent}`);
      return {
        traceparent: '',
        setAttributes() {},
        end: (failure) => void ended.push([id, failure].filter(Boolean).join(' ')),
      };
    },
  };
  return { tracing, begun, ended };
}

const record = (accountId: string, lease: number, number: number) =>
  ({ accountId, lease, number, requestId: `${accountId}/${lease}/${number}` }) as UsageRecord;

test('nothing is traced without an endpoint', () => {
  expect(createSettlementSpans(disabledTracing)).toBeUndefined();
  expect(createSettlementSpans(undefined)).toBeUndefined();
});

test('a span lasts until billing has settled the record, whichever way it says so', async () => {
  const { tracing, begun, ended } = createRecordingTracing();
  const spans = createSettlementSpans(tracing);
  for (const [accountId, lease, number] of [
    ['acc_1', 1, 1],
    ['acc_1', 1, 2],
    ['acc_1', 2, 1],
    ['acc_2', 1, 1],
  ] as const) {
    spans?.begin(record(accountId, lease, number), 'a completion');
  }
  expect(begun).toHaveLength(4);
  expect(begun[0]).toBe('acc_1/1/1 in a completion');
  const watermark = { accountId: 'acc_1', lease: 1, nextNumber: 2, complete: false };
  const billing = spans?.watch({
    readWatermarks: async () => [watermark],
    settleUsage: async () => [
      { ...watermark, accountId: 'acc_2', nextNumber: 1, complete: true },
      { ...watermark, nextNumber: 3 },
      { ...watermark, accountId: 'acc_9' },
    ],
  });
  expect(await billing?.readWatermarks([])).toEqual([watermark]);
  expect(ended).toEqual(['acc_1/1/1']);
  await billing?.settleUsage([]);
  expect(ended).toEqual(['acc_1/1/1', 'acc_2/1/1', 'acc_1/1/2']);
});

test('a span of a lease that billing never granted ends as failed', async () => {
  const { tracing, ended } = createRecordingTracing();
  const spans = createSettlementSpans(tracing);
  spans?.begin(record('acc_1', 1, 1), 'a completion');
  spans?.begin(record('acc_1', 1, 2), 'a completion');
  const never = {
    accountId: 'acc_1',
    lease: 1,
    nextNumber: 1,
    complete: false,
    neverGranted: true,
  };
  const billing = spans?.watch({
    readWatermarks: async () => [never],
    settleUsage: async () => [],
  });
  await billing?.readWatermarks([]);
  expect(ended).toEqual(['acc_1/1/1 NOT_FOUND', 'acc_1/1/2 NOT_FOUND']);
});
