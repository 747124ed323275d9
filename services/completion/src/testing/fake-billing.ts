import { AppError, minNano, type NumberedRecord, nano, ZERO_NANO } from '@tollgate/core';
import type { AcquiredLease, AcquireRequest, BillingPort } from '../domain/billing';
import {
  type KeyBudget,
  type LeaseRef,
  type LeaseWatermark,
  leaseKeyOf,
} from '../domain/lease-ref';

interface FakeLease extends LeaseRef {
  readonly nonce: string;
  /** Of a budgeted key. */
  readonly keyId: string | undefined;
  remaining: bigint;
  next: number;
  swept: boolean;
  recalled: boolean;
}

/** Time to live of every lease, and the margin before its end. */
export const FAKE_TTL_MS = 15_000;
const FAKE_MARGIN_MS = 3_000;

/** Billing with one balance per account, as small as the leases need it. */
export class FakeBilling implements BillingPort {
  readonly leases = new Map<string, FakeLease>();
  readonly acquires: AcquireRequest[] = [];
  readonly applied: NumberedRecord[] = [];
  /** By request; undefined once dropped. */
  readonly answers = new Map<string, Buffer | undefined>();
  /** So many of the next answers are not taken. */
  answersFail = 0;
  away = false;
  /** Accounts that have less than they keep. */
  readonly suspended = new Set<string>();
  /** What passes before a refusal: billing calls other leases back first. */
  beforeRefusal: () => Promise<void> = async () => {};
  readonly #available = new Map<string, bigint>();
  /** Spent or leased, by budgeted key: their periods do not end. */
  readonly #taken = new Map<string, bigint>();
  readonly #leaseNumbers = new Map<string, number>();
  readonly #failures: { readonly error: AppError; readonly lost: boolean }[] = [];
  #gate: Promise<void> = Promise.resolve();

  setAvailable(accountId: string, amount: bigint): void {
    this.#available.set(accountId, amount);
  }

  availableOf(accountId: string): bigint {
    return this.#available.get(accountId) ?? 0n;
  }

  /** The next acquire fails with this before (or after, when `lost`) it took effect. */
  failNextAcquire(error: AppError, lost = false): void {
    this.#failures.push({ error, lost });
  }

  /** Acquires wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  async acquireLease(request: AcquireRequest): Promise<AcquiredLease> {
    this.acquires.push(request);
    await this.#gate;
    this.#requirePresence();
    const failure = this.#failures.shift();
    if (failure !== undefined && !failure.lost) throw failure.error;
    if (!this.#isRenewal(request) && this.availableOf(request.accountId) < request.minimum) {
      await this.beforeRefusal();
    }
    const acquired = this.#acquire(request);
    if (failure !== undefined) throw failure.error;
    return acquired;
  }

  async readWatermarks(refs: readonly LeaseRef[]): Promise<readonly LeaseWatermark[]> {
    this.#requirePresence();
    return refs.map((ref) => this.#watermark(ref));
  }

  async settleUsage(records: readonly NumberedRecord[]): Promise<readonly LeaseWatermark[]> {
    this.#requirePresence();
    for (const record of records) this.#settle(record);
    return records.map((record) => this.#watermark(record));
  }

  #isRenewal({ nonce }: AcquireRequest): boolean {
    return [...this.leases.values()].some((lease) => lease.nonce === nonce);
  }

  #requirePresence(): void {
    if (this.away) throw new AppError('SERVICE_UNAVAILABLE');
  }

  #acquiredOf(lease: FakeLease): AcquiredLease {
    return {
      lease: lease.lease,
      remaining: nano(lease.remaining),
      ttlMs: FAKE_TTL_MS,
      marginMs: FAKE_MARGIN_MS,
      nextNumber: lease.next,
      swept: lease.swept,
      available: nano(this.availableOf(lease.accountId)),
      recalled: lease.recalled,
      suspended: this.suspended.has(lease.accountId),
    };
  }

  #acquire({ accountId, nonce, minimum, amount, budget }: AcquireRequest): AcquiredLease {
    for (const lease of this.leases.values()) {
      if (lease.nonce === nonce) return this.#acquiredOf(lease);
    }
    const left = this.availableOf(accountId);
    const room = budget === undefined ? undefined : this.#roomOf(budget);
    if (room !== undefined && room < minimum) throw new AppError('KEY_BUDGET_EXCEEDED');
    const isSuspended = this.suspended.has(accountId);
    if (isSuspended && minimum > 0n) throw suspended();
    if (left < minimum) {
      const leases = [...this.leases.values()].filter((lease) => lease.accountId === accountId);
      const balance = nano(leases.reduce((sum, { remaining }) => sum + remaining, left));
      throw new AppError('INSUFFICIENT_BALANCE', { balance });
    }
    const wanted = isSuspended ? ZERO_NANO : amount;
    const remaining = [left, room ?? left].map(nano).reduce(minNano, wanted);
    this.#take(budget?.keyId, remaining);
    const number = (this.#leaseNumbers.get(accountId) ?? 0) + 1;
    this.#leaseNumbers.set(accountId, number);
    this.#available.set(accountId, left - remaining);
    const flags = { swept: false, recalled: false };
    const keyId = budget?.keyId;
    const lease = { accountId, lease: number, nonce, keyId, remaining, next: 1, ...flags };
    this.leases.set(leaseKeyOf(lease), lease);
    return this.#acquiredOf(lease);
  }

  #roomOf({ keyId, limit }: KeyBudget): bigint {
    const room = limit - this.#takenBy(keyId);
    return room < 0n ? 0n : room;
  }

  #takenBy(keyId: string): bigint {
    return this.#taken.get(keyId) ?? 0n;
  }

  #take(keyId: string | undefined, amount: bigint): void {
    if (keyId !== undefined) this.#taken.set(keyId, this.#takenBy(keyId) + amount);
  }

  #settle(record: NumberedRecord): void {
    const lease = this.leases.get(leaseKeyOf(record));
    if (lease === undefined || record.number !== lease.next) return;
    lease.next += 1;
    this.applied.push(record);
    if (record.kind === 'usage') {
      lease.remaining -= record.amount;
      return;
    }
    const { accountId } = lease;
    this.#available.set(accountId, this.availableOf(accountId) + lease.remaining);
    this.#take(lease.keyId, -lease.remaining);
    this.leases.delete(leaseKeyOf(lease));
  }

  #watermark({ accountId, lease }: LeaseRef): LeaseWatermark {
    const open = this.leases.get(leaseKeyOf({ accountId, lease }));
    if (lease > (this.#leaseNumbers.get(accountId) ?? 0)) {
      return { accountId, lease, nextNumber: 1, complete: false, neverGranted: true };
    }
    if (open === undefined) return { accountId, lease, nextNumber: 0, complete: true };
    return { accountId, lease, nextNumber: open.next, complete: false };
  }
}

function suspended(): AppError {
  const publicMessage = 'This account spends nothing.';
  return new AppError('INSUFFICIENT_BALANCE', { publicMessage, spendingSuspended: true });
}

/** Makes an empty billing. */
export function createFakeBilling(): FakeBilling {
  return new FakeBilling();
}
