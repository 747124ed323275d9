import {
  type Clock,
  createId,
  type Logger,
  type NumberedRecord,
  toIsoTime,
  type UsageOutcome,
  type UsageRecord,
  type UsageStart,
} from '@tollgate/core';
import { type LeaseRef, type LeaseWatermark, placeOf } from '../domain/lease-ref';
import type { Progress } from '../usage/crash-outcome';
import { toUsageRecord } from '../usage/to-usage-record';
import { compactSegments } from './compaction';
import type { Disk, DiskLock } from './disk';
import { GroupCommit, type SpoolPoisonedError } from './group-commit';
import { readIdentity, writeIdentity } from './identity';
import { encodeLease, encodeRecord, encodeSettlements } from './record';
import { type RecoveryReport, replaySegments, type SpoolRules, spoolRules } from './recovery';
import { encodeOpening } from './segments';
import { SpoolState } from './state';

/** Bounds of a spool. */
export interface SpoolBounds {
  /** A segment that reached this size is followed by a new one. */
  readonly segmentBytesMax: number;
  /** The most bytes that the whole spool may take on disk. */
  readonly totalBytesMax: number;
}

export interface SpoolDependencies {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: SpoolBounds;
  readonly rules?: SpoolRules;
  /** Resolves when a batch has gathered enough; one microtask later when absent. */
  readonly gather?: () => Promise<void>;
}

/** The spool as others see it; each takes the part that it uses. */
export type UsageSpool = Pick<Spool, keyof Spool>;

/** Share of the bound above which no new work is taken, free work neither: it has records too. */
const FULL_SHARE = 0.8;
/** Share of the bound that one account's unsettled records may take: others need room as well. */
const ACCOUNT_SHARE = 0.1;
/** How long checkpoints may rely on the syncs of others. */
const CHECKPOINT_SYNC_MS = 1_000;

/**
 * The local log of usage. A record exists when a completed sync covers it, and is forgotten when
 * billing says that it is settled.
 *
 *   created ──open──▶ replayed ──recover──▶ writing ──failed write──▶ poisoned
 *                                              └──────close──▶ closed
 */
export class Spool {
  readonly #deps: SpoolDependencies;
  readonly #rules: SpoolRules;
  readonly #state = new SpoolState();
  readonly #poisonedListeners: ((error: Error) => void)[] = [];
  readonly #recordListeners: (() => void)[] = [];
  #lock: DiskLock | undefined;
  #log: GroupCommit | undefined;
  #spoolId = '';
  #epoch = 0;
  #compacting = false;
  #recovered = false;
  #mayChargeRefused = false;
  /** The newest segment whose opening frames are durable: older ones may go. */
  #durableSegment = 0;
  /** When a checkpoint last asked for a sync. */
  #checkpointSyncedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SpoolDependencies) {
    this.#deps = deps;
    this.#rules = deps.rules ?? spoolRules;
  }

  get spoolId(): string {
    return this.#spoolId;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Takes the directory and reads it. Nothing may be begun before `recover`. */
  async open(): Promise<RecoveryReport> {
    const { disk, gather = () => Promise.resolve(), bounds } = this.#deps;
    this.#lock = await disk.lock();
    const identity = await readIdentity(disk);
    const replay = await replaySegments(disk, this.#state);
    this.#spoolId = identity?.spoolId ?? replay.spoolId ?? createId('spool');
    this.#epoch = Math.max(identity?.epoch ?? 0, replay.lastEpoch) + 1;
    this.#state.resendAll();
    await writeIdentity(disk, { spoolId: this.#spoolId, epoch: this.#epoch });
    this.#log = new GroupCommit(
      disk,
      { firstSegment: replay.lastSegment + 1, segmentBytesMax: bounds.segmentBytesMax, gather },
      {
        openingFrames: (segment) =>
          encodeOpening(this.#headerFrame(segment, 0), this.#state.leases.values()),
        headerFrame: (segment, syncedBytes) => this.#headerFrame(segment, syncedBytes),
        onSegment: (segment) => this.#state.addSegment(segment),
        onWritten: (segment, bytes) => {
          this.#state.addBytes(segment, bytes);
          this.#durableSegment = segment;
        },
        onPoisoned: (error) => this.#onPoison(error),
        onTruncateFailed: (error) => {
          this.#mayChargeRefused = true;
          this.#deps.logger.error(
            { error },
            'what the usage spool failed to write may be in its file: requests that were answered 503 may be charged after the restart',
          );
        },
      },
    );
    return { tornBytes: replay.tornBytes, damagedPlaces: replay.damagedPlaces };
  }

  /** Every lease that the files mention; a damaged spool asks billing about them. */
  leaseRefs(): readonly LeaseRef[] {
    return [...this.#state.leases.values()];
  }

  /**
   * Ends and closes what older epochs left open. `watermarks`, of a damaged spool alone, tell how far
   * billing is with every lease.
   */
  async recover(watermarks?: readonly LeaseWatermark[]): Promise<readonly NumberedRecord[]> {
    if (watermarks !== undefined) this.forget(watermarks);
    const writer = {
      holder: this.#spoolId,
      epoch: this.#epoch,
      now: this.#deps.clock.now(),
    };
    const isDamaged = watermarks !== undefined;
    const records = this.#rules.planRecovery(this.#state, writer, isDamaged);
    // Also without records the first group makes the new epoch durable.
    const appends = [this.#append(encodeRecord({ kind: 'settled', settlements: [] }))];
    for (const record of records) appends.push(this.#appendNumbered(record));
    await Promise.all(appends);
    this.#recovered = true;
    return records;
  }

  /**
   * A lease was granted to this spool. The first sync of a request on it covers it; without one
   * nothing was used of it, and billing sweeps it if the machine is lost.
   */
  addLease(ref: LeaseRef, nextNumber: number): void {
    const lease = this.#state.ensureLease(ref, this.#epoch);
    lease.highest = Math.max(lease.highest, nextNumber - 1);
    lease.highestDurable = lease.highest;
    const frame = encodeLease(lease, lease.highest, lease.closed);
    void this.#append(frame, undefined, 'written').catch(ignorePoison);
  }

  isClosed(ref: LeaseRef): boolean {
    return this.#state.lease(ref)?.closed ?? false;
  }

  /**
   * For a stream, resolves when BEGIN is synced: bytes may leave. For a whole answer, resolves when
   * BEGIN is written but not yet synced: nothing leaves before END, and END's sync covers both. A
   * second BEGIN replaces the first.
   */
  begin(start: UsageStart): Promise<void> {
    const frame = encodeRecord({ kind: 'begin', start });
    this.#state.openRequest(start);
    return this.#append(
      frame,
      (segment) => this.#state.commitBegin(start.requestId, segment, frame.length),
      start.stream ? 'synced' : 'written',
    );
  }

  /**
   * Not awaited by anyone. It survives its process as it is, and the loss of the machine with
   * whatever is synced next: one checkpoint in a second, of all streams, asks for that itself.
   */
  checkpoint(requestId: string, progress: Progress): void {
    const request = this.#state.requests.get(requestId);
    if (request === undefined) return;
    request.progress = progress;
    const frame = encodeRecord({ kind: 'checkpoint', requestId, progress });
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    const isDue = monotonicNowMs - this.#checkpointSyncedMs >= CHECKPOINT_SYNC_MS;
    if (isDue) this.#checkpointSyncedMs = monotonicNowMs;
    void this.#append(frame, undefined, isDue ? 'synced' : 'written').catch(ignorePoison);
  }

  /** Gives the request its lease's next number, in the append that ends it. */
  async end(requestId: string, outcome: UsageOutcome): Promise<UsageRecord> {
    const request = this.#state.requests.get(requestId);
    if (request === undefined) throw new Error(`request ${requestId} was not begun`);
    request.ending = true;
    const place = this.#nextPlace(request.start);
    const record = toUsageRecord(request.start, outcome, place);
    await this.#appendNumbered(record);
    return record;
  }

  /** Writes the lease's last record. The caller makes sure that nothing is reserved in it. */
  async closeLease(ref: LeaseRef): Promise<void> {
    const lease = this.#state.ensureLease(ref, this.#epoch);
    if (lease.closed) return;
    const place = this.#nextPlace(ref);
    lease.closed = true;
    const endedAt = toIsoTime(this.#deps.clock.now());
    await this.#appendNumbered({ kind: 'close', ...place, endedAt });
  }

  /** Records of the lease that are durable here and not yet settled. */
  unsettledOf(ref: LeaseRef): number {
    return this.#state.lease(ref)?.records.length ?? 0;
  }

  /** The next records for billing, at most `countMax`, oldest first. */
  takeBatch(countMax: number): readonly NumberedRecord[] {
    const batch = this.#state.takeBatch(countMax, this.#deps.clock.monotonicMs());
    return batch.map(({ record }) => record);
  }

  /**
   * Puts what was handed over more than `ageMs` ago and is not settled among the unsent again; later
   * each time, up to `ageMsMax`, in a lease of which nothing settles.
   */
  requeue(ageMs: number, ageMsMax = ageMs): number {
    return this.#state.requeue(this.#deps.clock.monotonicMs(), ageMs, ageMsMax);
  }

  /** Leases of which a record was handed over and is not known to be settled. */
  leasesToPoll(): readonly LeaseRef[] {
    return this.#state.leasesToPoll();
  }

  /**
   * Forgets what billing's watermark covers. Where the machine is lost before a sync, the next start
   * sends again what was settled, and billing knows it.
   */
  forget(watermarks: readonly LeaseWatermark[]): number {
    const { count, effective } = this.#state.forgetAll(watermarks);
    if (effective.length > 0 && this.#log?.poisonedBy === undefined) {
      const frames = encodeSettlements(effective);
      const appends = frames.map((frame) => this.#append(frame, undefined, 'written'));
      void Promise.all(appends).then(() => this.#compact(), ignorePoison);
    }
    return count;
  }

  get unsettledCount(): number {
    return this.#state.unsettledCount;
  }

  get unsentCount(): number {
    return this.#state.unsentCount;
  }

  get openRequestCount(): number {
    return this.#state.requests.size;
  }

  /** Leases without a durable CLOSE. */
  get openLeaseCount(): number {
    return this.#state.openLeaseCount;
  }

  /** Unsettled records of leases that billing never granted: no waiting helps them. */
  get neverGrantedCount(): number {
    return this.#state.neverGrantedCount;
  }

  /** Used share of the bound, 0 to 1 and above. */
  get utilisation(): number {
    return this.#state.totalBytes / this.#deps.bounds.totalBytesMax;
  }

  get poisonedBy(): Error | undefined {
    return this.#log?.poisonedBy;
  }

  /** A failed write is still in the file: who was refused for it may be charged at the restart. */
  get mayChargeRefused(): boolean {
    return this.#mayChargeRefused;
  }

  get recovered(): boolean {
    return this.#recovered;
  }

  /** Whether new work may begin. */
  get acceptsWork(): boolean {
    return this.#recovered && this.poisonedBy === undefined && this.utilisation < FULL_SHARE;
  }

  /** The same for one account, whose records may be the only ones that do not settle. */
  acceptsWorkOf(accountId: string): boolean {
    const bytesMax = this.#deps.bounds.totalBytesMax * ACCOUNT_SHARE;
    return this.acceptsWork && this.#state.unsettledBytesOf(accountId) < bytesMax;
  }

  onPoisoned(listener: (error: Error) => void): void {
    this.#poisonedListeners.push(listener);
  }

  /** Called whenever a record becomes durable. */
  onRecord(listener: () => void): void {
    this.#recordListeners.push(listener);
  }

  async flush(): Promise<void> {
    await this.#log?.flush();
  }

  /** Writes what is pending and unlocks the directory. */
  async close(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    try {
      await this.#log?.close();
    } finally {
      await lock?.release();
    }
  }

  #append(...appended: Parameters<GroupCommit['append']>): Promise<void> {
    if (this.#log === undefined) return Promise.reject(new Error('the spool is not open'));
    return this.#log.append(...appended);
  }

  #appendNumbered(record: NumberedRecord): Promise<void> {
    const frame = encodeRecord(record);
    return this.#append(frame, (segment) => {
      this.#state.commitNumbered(record, segment, frame.length);
      for (const listener of this.#recordListeners) listener();
    });
  }

  #nextPlace(ref: LeaseRef) {
    const lease = this.#state.ensureLease(ref, this.#epoch);
    const number = this.#rules.nextNumber(lease.highest);
    lease.highest = number;
    return placeOf(ref, number, { holder: this.#spoolId, epoch: this.#epoch });
  }

  #headerFrame(segment: number, syncedBytes: number): Buffer {
    const writer = { spoolId: this.#spoolId, epoch: this.#epoch };
    return encodeRecord({ kind: 'header', ...writer, segment, syncedBytes });
  }

  async #compact(): Promise<void> {
    // A damaged file is needed until its recovery is written: a restart before that finds it again.
    if (!this.#recovered || this.#compacting || this.poisonedBy !== undefined) return;
    this.#compacting = true;
    try {
      await compactSegments({
        state: this.#state,
        disk: this.#deps.disk,
        durableSegment: this.#durableSegment,
        append: (frame, committed) => this.#append(frame, committed),
      });
    } catch (error) {
      // A poisoned spool has said what is wrong already.
      if (this.poisonedBy === undefined) {
        this.#deps.logger.warn({ error }, 'an old spool segment could not be removed');
      }
    } finally {
      this.#compacting = false;
    }
  }

  #onPoison(error: SpoolPoisonedError): void {
    this.#deps.logger.error(
      { error },
      'the usage spool cannot be written: free or repair the disk, then restart this process',
    );
    for (const listener of this.#poisonedListeners) listener(error);
  }
}

// Who listens for a poisoned spool hears of the failure; these appends have nobody to answer.
function ignorePoison(): void {}
