import type { UsageRecord } from '@tollgate/core';
import type { Span, Tracing } from '@tollgate/observability';
import type { BillingPort } from '../domain/billing';
import { type LeaseWatermark, leaseKeyOf } from '../domain/lease-ref';

/** Spans from the durable end of a request until billing has settled its record. */
export interface SettlementSpans {
  begin(record: UsageRecord, traceparent: string): void;
  /** The same billing; what it says is settled, or never was granted, ends spans. */
  watch(
    billing: Pick<BillingPort, 'readWatermarks' | 'settleUsage'>,
  ): Pick<BillingPort, 'readWatermarks' | 'settleUsage'>;
}

/** While billing is away records wait on the disk; their spans would wait in memory. */
const OPEN_MAX = 10_000;

interface OpenSpan {
  readonly number: number;
  readonly span: Span;
}

/** Undefined when nothing is traced. */
export function createSettlementSpans(tracing: Tracing | undefined): SettlementSpans | undefined {
  if (!tracing?.enabled) return undefined;
  const openByLease = new Map<string, OpenSpan[]>();
  let count = 0;

  const endOver = (watermarks: readonly LeaseWatermark[]): readonly LeaseWatermark[] => {
    for (const watermark of watermarks) {
      const key = leaseKeyOf(watermark);
      const open = openByLease.get(key) ?? [];
      // Nobody waits until the records of a lease settle that billing never granted.
      const failureCode = watermark.neverGranted === true ? 'NOT_FOUND' : undefined;
      const isOver = ({ number }: OpenSpan) =>
        failureCode !== undefined || watermark.complete || number < watermark.nextNumber;
      for (const { span } of open.filter(isOver)) span.end(failureCode);
      const left = open.filter((each) => !isOver(each));
      count -= open.length - left.length;
      if (left.length > 0) openByLease.set(key, left);
      else openByLease.delete(key);
    }
    return watermarks;
  };
  return {
    begin(record, traceparent) {
      if (count >= OPEN_MAX) return;
      count += 1;
      const span = tracing.startSpan('settlement', {
        traceparent,
        attributes: { 'tollgate.request_id': record.requestId },
      });
      const key = leaseKeyOf(record);
      openByLease.set(key, [...(openByLease.get(key) ?? []), { number: record.number, span }]);
    },
    watch: (billing) => ({
      readWatermarks: async (leases) => endOver(await billing.readWatermarks(leases)),
      settleUsage: async (records) => endOver(await billing.settleUsage(records)),
    }),
  };
}
