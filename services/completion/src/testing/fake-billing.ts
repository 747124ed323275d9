import { AppError, minNano, nano } from '@tollgate/core';
import type { AcquireRequest, BillingPort, LeaseGrant } from '../domain/ports';
import { type LeaseRef, leaseKeyOf, type NumberedRecord } from '../domain/usage-record';

interface FakeLease extends LeaseRef {
  readonly nonce: string;
  remaining: bigint;
  next: number;
  swept: boolean;
  recalled: boolean;
}

/** Billing with one balance per account, as small as the leases need it. */
export interface FakeBilling extends BillingPort {
  setAvailable(accountId: string, amount: bigint): void;
  availableOf(accountId: string): bigint;
  readonly leases: ReadonlyMap<string, FakeLease>;
  readonly acquires: readonly AcquireRequest[];
  readonly applied: readonly NumberedRecord[];
  /** The next acquires fail with this before (or after, when `lost`) they took effect. */
  failNextAcquire(error: AppError, lost?: boolean): void;
  /** Acquires wait until the returned function is called. */
  hold(): () => void;
  away: boolean;
}

/** Time to live of every grant, and the margin before its end. */
export const FAKE_TTL_MS = 15_000;
const FAKE_MARGIN_MS = 3_000;

/** Makes an empty billing. */
export function createFakeBilling(): FakeBilling {
  const available = new Map<string, bigint>();
  const leases = new Map<string, FakeLease>();
  const leaseNumbers = new Map<string, number>();
  const acquires: AcquireRequest[] = [];
  const applied: NumberedRecord[] = [];
  const failures: { readonly error: AppError; readonly lost: boolean }[] = [];
  let gate: Promise<void> = Promise.resolve();
  const availableOf = (accountId: string) => available.get(accountId) ?? 0n;

  const grantOf = (lease: FakeLease): LeaseGrant => ({
    lease: lease.lease,
    remaining: nano(lease.remaining),
    ttlMs: FAKE_TTL_MS,
    marginMs: FAKE_MARGIN_MS,
    nextNumber: lease.next,
    swept: lease.swept,
    available: nano(availableOf(lease.accountId)),
    recalled: lease.recalled,
  });

  const acquire = (request: AcquireRequest): LeaseGrant => {
    const { accountId, nonce } = request;
    for (const lease of leases.values()) if (lease.nonce === nonce) return grantOf(lease);
    const left = availableOf(accountId);
    if (left < request.minimum) throw new AppError('INSUFFICIENT_BALANCE');
    const slice = minNano(nano(left), request.amount);
    const number = (leaseNumbers.get(accountId) ?? 0) + 1;
    leaseNumbers.set(accountId, number);
    available.set(accountId, left - slice);
    const flags = { swept: false, recalled: false };
    const lease = { accountId, lease: number, nonce, remaining: slice, next: 1, ...flags };
    leases.set(leaseKeyOf(lease), lease);
    return grantOf(lease);
  };

  const settle = (record: NumberedRecord): void => {
    const lease = leases.get(leaseKeyOf(record));
    if (lease === undefined || record.number !== lease.next) return;
    lease.next += 1;
    applied.push(record);
    if (record.kind === 'usage') {
      lease.remaining -= record.amount;
      return;
    }
    available.set(lease.accountId, availableOf(lease.accountId) + lease.remaining);
    leases.delete(leaseKeyOf(lease));
  };

  const watermark = (ref: LeaseRef) => {
    const lease = leases.get(leaseKeyOf(ref));
    const { accountId, lease: number } = ref;
    if (lease === undefined) return { accountId, lease: number, nextNumber: 0, complete: true };
    return { accountId, lease: number, nextNumber: lease.next, complete: false };
  };

  const billing: FakeBilling = {
    away: false,
    leases,
    acquires,
    applied,
    availableOf,
    setAvailable: (accountId, amount) => void available.set(accountId, amount),
    failNextAcquire: (error, lost = false) => void failures.push({ error, lost }),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async acquireLease(request) {
      acquires.push(request);
      await gate;
      if (billing.away) throw new AppError('SERVICE_UNAVAILABLE');
      const failure = failures.shift();
      if (failure !== undefined && !failure.lost) throw failure.error;
      const grant = acquire(request);
      if (failure !== undefined) throw failure.error;
      return grant;
    },
    async getSettlements(refs) {
      if (billing.away) throw new AppError('SERVICE_UNAVAILABLE');
      return refs.map(watermark);
    },
    async settleUsage(records) {
      if (billing.away) throw new AppError('SERVICE_UNAVAILABLE');
      for (const record of records) settle(record);
      return records.map(watermark);
    },
  };
  return billing;
}
