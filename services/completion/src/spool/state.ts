import { type NumberedRecord, TurnoverMap, type UsageStart } from '@tollgate/core';
import { type LeaseRef, type LeaseWatermark, leaseKeyOf } from '../domain/lease-ref';
import type { Progress } from '../usage/crash-outcome';

/** A numbered record that is durable here and not yet known to be settled. */
export interface SpooledRecord {
  readonly record: NumberedRecord;
  /** Where the newest copy of it is. */
  segment: number;
  readonly bytes: number;
  /** Monotonic time of the last hand-over to billing; undefined while it waits to be sent. */
  sentMonotonicMs: number | undefined;
  settled: boolean;
}

/** A lease as the spool knows it. */
export interface LeaseState extends LeaseRef {
  readonly epoch: number;
  /** Highest number given; 0 before the first. */
  highest: number;
  /** Highest number that is durable: what a new segment may tell about the older ones. */
  highestDurable: number;
  /** The number that billing waits for, as far as it said so; 1 before it said anything. */
  billingNext: number;
  closed: boolean;
  closedDurably: boolean;
  /** As billing said last. */
  neverGranted: boolean;
  /** How often its records were put among the unsent again since one of them settled. */
  resends: number;
  /** In the order of their numbers. */
  readonly records: SpooledRecord[];
}

/** A request whose BEGIN has no END yet. */
export interface OpenRequest {
  start: UsageStart;
  progress: Progress | undefined;
  /** Undefined until BEGIN is in the file. */
  segment: number | undefined;
  bytes: number;
  /** Its END is on the way to the disk. */
  ending: boolean;
}

/** Records of a lease that billing never granted are sent again this late: nobody waits for them. */
const NEVER_GRANTED_AGE_MS = 60_000;

/** Doubled ten times, the first pause is above any `ageMsMax`; more would change nothing. */
const RESENDS_COUNTED_MAX = 10;

// Almost every record is the lease's newest, so the search is for copies and replays only.
function findSpooled(lease: LeaseState, number: number): SpooledRecord | undefined {
  const newest = lease.records.at(-1);
  if (newest === undefined || newest.record.number < number) return undefined;
  return lease.records.find((spooled) => spooled.record.number === number);
}

// A record that was copied forward is replayed after its successors.
function insertSpooled(lease: LeaseState, spooled: SpooledRecord): void {
  const { number } = spooled.record;
  const after = lease.records.findLastIndex((other) => other.record.number < number);
  lease.records.splice(after + 1, 0, spooled);
}

/** The size of a segment, and how much of it is still needed. */
export interface SegmentState {
  bytes: number;
  liveCount: number;
  liveBytes: number;
}

/**
 * The files' content, in memory: leases, open requests, records to settle, and which segment is
 * still needed. Replay at a restart and the running process go through the same methods.
 */
export class SpoolState {
  readonly leases = new Map<string, LeaseState>();
  readonly requests = new TurnoverMap<string, OpenRequest>();
  /** In the order of the file. */
  readonly segments = new Map<number, SegmentState>();
  #unsent: SpooledRecord[] = [];
  #unsentHead = 0;
  #unsettledCount = 0;
  readonly #unsettledBytes = new Map<string, number>();

  get unsettledCount(): number {
    return this.#unsettledCount;
  }

  /** The bytes of the account's records that billing has not settled. */
  unsettledBytesOf(accountId: string): number {
    return this.#unsettledBytes.get(accountId) ?? 0;
  }

  get liveBytes(): number {
    let total = 0;
    for (const segment of this.segments.values()) total += segment.liveBytes;
    return total;
  }

  get totalBytes(): number {
    let total = 0;
    for (const segment of this.segments.values()) total += segment.bytes;
    return total;
  }

  addSegment(segment: number): void {
    if (!this.segments.has(segment)) {
      this.segments.set(segment, { bytes: 0, liveCount: 0, liveBytes: 0 });
    }
  }

  addBytes(segment: number, bytes: number): void {
    const state = this.segments.get(segment);
    if (state !== undefined) state.bytes += bytes;
  }

  lease(ref: LeaseRef): LeaseState | undefined {
    return this.leases.get(leaseKeyOf(ref));
  }

  /** The lease's state, made when this is its first mention. */
  ensureLease(ref: LeaseRef, epoch: number): LeaseState {
    const key = leaseKeyOf(ref);
    const known = this.leases.get(key);
    if (known !== undefined) return known;
    const lease: LeaseState = {
      accountId: ref.accountId,
      lease: ref.lease,
      epoch,
      highest: 0,
      highestDurable: 0,
      billingNext: 1,
      closed: false,
      closedDurably: false,
      neverGranted: false,
      resends: 0,
      records: [],
    };
    this.leases.set(key, lease);
    return lease;
  }

  leasesToPoll(): readonly LeaseState[] {
    return [...this.leases.values()].filter(
      ({ records }) => records[0]?.sentMonotonicMs !== undefined,
    );
  }

  get openLeaseCount(): number {
    return [...this.leases.values()].filter(({ closedDurably }) => !closedDurably).length;
  }

  get neverGrantedCount(): number {
    const never = [...this.leases.values()].filter(({ neverGranted }) => neverGranted);
    return never.reduce((count, { records }) => count + records.length, 0);
  }

  /** A BEGIN is on the way to the disk; that of an open request replaces what began it. */
  openRequest(start: UsageStart): void {
    const known = this.requests.get(start.requestId);
    if (known !== undefined) known.start = start;
    else {
      const unwritten = { progress: undefined, segment: undefined, bytes: 0, ending: false };
      this.requests.set(start.requestId, { start, ...unwritten });
    }
  }

  /** A BEGIN is in the file, that of a stream synced, or was copied to a younger segment. */
  commitBegin(requestId: string, segment: number, bytes: number): void {
    const request = this.requests.get(requestId);
    if (request === undefined) return;
    this.#release(request.segment, request.bytes);
    request.segment = segment;
    request.bytes = bytes;
    this.#hold(segment, bytes);
  }

  /** An END or CLOSE became durable: it waits to be sent, and its request is over. */
  commitNumbered(record: NumberedRecord, segment: number, bytes: number): void {
    const lease = this.ensureLease(record, record.epoch);
    lease.highest = Math.max(lease.highest, record.number);
    lease.highestDurable = Math.max(lease.highestDurable, record.number);
    if (record.kind === 'close') {
      lease.closed = true;
      lease.closedDurably = true;
    } else {
      this.#endRequest(record.requestId);
    }
    const copy = findSpooled(lease, record.number);
    if (copy !== undefined) {
      this.moveRecord(copy, segment);
      return;
    }
    const spooled: SpooledRecord = {
      record,
      segment,
      bytes,
      sentMonotonicMs: undefined,
      settled: false,
    };
    insertSpooled(lease, spooled);
    this.#hold(segment, bytes);
    this.#unsent.push(spooled);
    this.#unsettledCount += 1;
    this.#countUnsettled(lease.accountId, bytes);
  }

  /** A copy of the record is durable in a younger segment. */
  moveRecord(spooled: SpooledRecord, segment: number): void {
    if (spooled.settled) return;
    this.#release(spooled.segment, spooled.bytes);
    spooled.segment = segment;
    this.#hold(segment, spooled.bytes);
  }

  /** Forgets what is settled; returns how many records that were. */
  forget(watermark: LeaseWatermark): number {
    const lease = this.lease(watermark);
    if (lease === undefined) return 0;
    lease.neverGranted = watermark.neverGranted === true;
    // An answer may come later than one that was asked for after it, and knows less.
    const next = watermark.complete ? lease.highest + 1 : watermark.nextNumber;
    lease.billingNext = Math.max(lease.billingNext, next);
    const limit = watermark.complete ? Number.POSITIVE_INFINITY : watermark.nextNumber;
    let count = 0;
    for (const spooled of lease.records) {
      if (spooled.record.number >= limit) break;
      spooled.settled = true;
      this.#release(spooled.segment, spooled.bytes);
      this.#countUnsettled(lease.accountId, -spooled.bytes);
      count += 1;
    }
    lease.records.splice(0, count);
    if (count > 0) lease.resends = 0;
    this.#unsettledCount -= count;
    if (lease.closedDurably && lease.records.length === 0) this.leases.delete(leaseKeyOf(lease));
    return count;
  }

  /** The same for many, and those of them that said something new. */
  forgetAll(watermarks: readonly LeaseWatermark[]) {
    let count = 0;
    const effective: LeaseWatermark[] = [];
    for (const watermark of watermarks) {
      if (this.lease(watermark) === undefined) continue;
      const forgotten = this.forget(watermark);
      const isGone = this.lease(watermark) === undefined;
      if (forgotten > 0 || isGone) effective.push(watermark);
      count += forgotten;
    }
    return { count, effective };
  }

  /** The next records to publish, at most `countMax`, in the order of the file. */
  takeBatch(countMax: number, monotonicNowMs: number): readonly SpooledRecord[] {
    const batch: SpooledRecord[] = [];
    while (batch.length < countMax && this.#unsentHead < this.#unsent.length) {
      const spooled = this.#unsent[this.#unsentHead];
      this.#unsentHead += 1;
      if (spooled === undefined || spooled.settled) continue;
      spooled.sentMonotonicMs = monotonicNowMs;
      batch.push(spooled);
    }
    if (this.#unsentHead === this.#unsent.length) {
      this.#unsent = [];
      this.#unsentHead = 0;
    } else if (this.#unsentHead > 4096) {
      this.#unsent = this.#unsent.slice(this.#unsentHead);
      this.#unsentHead = 0;
    }
    return batch;
  }

  get unsentCount(): number {
    return this.#unsent.length - this.#unsentHead;
  }

  /**
   * Puts records back among the unsent that were handed over so long ago. Of a lease of which none
   * settles that is twice as long each time, at most `ageMsMax`: more often is of no use.
   */
  requeue(monotonicNowMs: number, ageMs: number, ageMsMax: number): number {
    let count = 0;
    for (const lease of this.leases.values()) {
      const isSent = () => lease.records[0]?.sentMonotonicMs !== undefined;
      const wasSent = isSent();
      const backoffMs = Math.min(ageMs * 2 ** lease.resends, Math.max(ageMs, ageMsMax));
      const leaseAgeMs = lease.neverGranted ? Math.max(backoffMs, NEVER_GRANTED_AGE_MS) : backoffMs;
      for (const spooled of lease.records) {
        if (
          spooled.sentMonotonicMs === undefined ||
          spooled.sentMonotonicMs > monotonicNowMs - leaseAgeMs
        )
          continue;
        spooled.sentMonotonicMs = undefined;
        this.#unsent.push(spooled);
        count += 1;
      }
      if (wasSent && !isSent()) lease.resends = Math.min(lease.resends + 1, RESENDS_COUNTED_MAX);
    }
    return count;
  }

  /**
   * Forgets leases that were closed and of which nothing is left: they were settled, and the note of
   * it was lost with the machine. Not for a damaged spool, which may have lost their records.
   */
  dropSettled(): void {
    for (const [key, lease] of this.leases) {
      if (lease.closedDurably && lease.records.length === 0) this.leases.delete(key);
    }
  }

  /** Makes every record unsent, in the order of the numbers: a restart begins so. */
  resendAll(): void {
    this.#unsent = [...this.leases.values()].flatMap((lease) => lease.records);
    this.#unsentHead = 0;
  }

  #countUnsettled(accountId: string, bytes: number): void {
    const unsettled = this.unsettledBytesOf(accountId) + bytes;
    if (unsettled > 0) this.#unsettledBytes.set(accountId, unsettled);
    else this.#unsettledBytes.delete(accountId);
  }

  #endRequest(requestId: string): void {
    const request = this.requests.get(requestId);
    if (request === undefined) return;
    this.#release(request.segment, request.bytes);
    this.requests.delete(requestId);
  }

  #hold(segment: number, bytes: number): void {
    const state = this.segments.get(segment);
    if (state === undefined) return;
    state.liveCount += 1;
    state.liveBytes += bytes;
  }

  #release(segment: number | undefined, bytes: number): void {
    if (segment === undefined) return;
    const state = this.segments.get(segment);
    if (state === undefined) return;
    state.liveCount -= 1;
    state.liveBytes -= bytes;
  }
}
