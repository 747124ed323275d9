import { nano, silentLogger } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import type { LeaseBounds } from '../credit/lease';
import { LeaseManager } from '../credit/lease-manager';
import type { Reservation, ReservationRequest } from '../credit/reservation';
import { exampleOutcome, exampleStart } from './example-records';
import { createFakeBilling } from './fake-billing';
import { createMemoryDisk, openMemorySpool } from './memory-disk';

/** Bounds under which the leases of a fixture are held. */
export const LEASE_BOUNDS = {
  waitersMax: 8,
  idlePoorMs: 2_000,
  idleRichMs: 60_000,
  slowPaceMs: 10_000,
  refusalMs: 1_000,
  lookAfterMs: 500,
};

/** What a request of the account asks for whose prompt nobody counts higher. */
export function exampleNeed(
  worst: bigint,
  minimum = worst,
  changes: Partial<ReservationRequest> = {},
): ReservationRequest {
  return {
    accountId: 'acc_1',
    budget: undefined,
    worst: nano(worst),
    minimum: nano(minimum),
    minimumBesideCredit: nano(minimum),
    signal: new AbortController().signal,
    ...changes,
  };
}

/** The real leases over a spool on a disk in memory and a fake billing. */
export async function createLeaseFixture(available = 1_000n, changes: Partial<LeaseBounds> = {}) {
  const clock = createFakeClock();
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', available);
  const disk = createMemoryDisk();
  const spool = await openMemorySpool({ disk, clock });
  let nonces = 0;
  const leases = new LeaseManager({
    billing,
    spool,
    clock,
    logger: silentLogger,
    bounds: { ...LEASE_BOUNDS, ...changes },
    createNonce: () => {
      nonces += 1;
      return `nonce_${nonces}`;
    },
  });
  /** Hands every record to billing. */
  const settleAll = async () => {
    for (;;) {
      await settlePromises();
      const batch = spool.takeBatch(100);
      if (batch.length === 0) return;
      spool.forget(await billing.settleUsage(batch));
    }
  };
  /** Reserves for a request of the account. */
  const ask = (worst: bigint, minimum = worst, accountId = 'acc_1') =>
    leases.reserve(exampleNeed(worst, minimum, { accountId }));
  let requests = 0;
  /** Begins and ends the request of the reservation. */
  const finish = async (reservation: Reservation, amount: bigint) => {
    requests += 1;
    const requestId = `req_${requests}`;
    await spool.begin(
      exampleStart({ ...reservation.ref, requestId, reserved: reservation.amount }),
    );
    return leases.endRequest(reservation, requestId, exampleOutcome({ amount: nano(amount) }));
  };
  return { clock, billing, disk, spool, leases, settleAll, ask, finish };
}
