import {
  type Clock,
  createBoundedMap,
  type Logger,
  type Nano,
  type UsageOutcome,
  type UsageRecord,
  ZERO_NANO,
} from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type { AcquiredLease, BillingPort } from '../domain/billing';
import type { LeaseRef } from '../domain/lease-ref';
import type { UsageSpool } from '../spool/spool';
import { type Acquisitions, createAcquisitions, type SentAcquire } from './acquisitions';
import { HeldLeases } from './held-leases';
import { createLease, type LeaseBounds, type LeaseRules, leaseRules } from './lease';
import { createHeldLease, isIdleTooLong, wasUsedLately } from './lease-times';
import {
  allowedOf,
  createPayer,
  type HeldLease,
  isBusy,
  isForgettable,
  type Payer,
  payerKeyOf,
} from './payer';
import { createRenewals, RENEW_RETRY_MS, type Renewals } from './renewals';
import {
  creditUnavailable,
  hasCreditBeside,
  leftIn,
  noteReturned,
  type Reservation,
  type ReservationRequest,
  reserveCappedIn,
  reserveIn,
} from './reservation';

export interface LeaseManagerDependencies {
  readonly billing: Pick<BillingPort, 'acquireLease'>;
  readonly spool: Pick<UsageSpool, 'addLease' | 'closeLease' | 'end' | 'isClosed' | 'unsettledOf'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: LeaseBounds;
  /** A text that was never used for a lease before. */
  readonly createNonce: () => string;
  readonly rules?: LeaseRules;
}

const QUIET_PAYERS_MAX = 50_000;

/**
 * Holds credit for running requests. A reservation is a matter of memory while the account's lease
 * has room; otherwise one acquire is under way for all who wait.
 */
export class LeaseManager {
  readonly #deps: LeaseManagerDependencies;
  readonly #rules: LeaseRules;
  readonly #payers = new Map<string, Payer>();
  readonly #held = new HeldLeases();
  readonly #acquisitions: Acquisitions;
  readonly #renewals: Renewals;
  /** When payers that are forgotten were last used; it tells how seldom quiet accounts ask. */
  readonly #usedMonotonicMs = createBoundedMap<string, number>(QUIET_PAYERS_MAX);
  readonly #stopping = new AbortController();
  #closing = false;

  constructor(deps: LeaseManagerDependencies) {
    this.#deps = deps;
    this.#rules = deps.rules ?? leaseRules;
    this.#acquisitions = createAcquisitions({
      ...deps,
      tryReserve: (payer, request) => this.#tryReserve(payer, request),
      tryReserveCapped: (payer, request) => this.#tryReserveCapped(payer, request),
      freeOf: (accountId) => this.#freeOf(accountId),
      onGranted: (payer, acquired, sent) => this.#install(payer, acquired, sent),
      onSuspended: (accountId) => this.#suspend(accountId),
    });
    this.#renewals = createRenewals({
      ...deps,
      rules: this.#rules,
      isDue: (held) => this.#isDue(held),
      onRenewed: (held, acquired) => this.#heed(held, acquired),
      onStray: (held, stray) => this.#closeStray(held, stray),
    });
  }

  /** For tests: reservations whose requests have neither ended nor been released. */
  get reservationCount(): number {
    let count = 0;
    for (const held of this.#held.all()) count += held.lease.reservations;
    return count;
  }

  start(): void {
    const { lookAfterMs } = this.#deps.bounds;
    const run = async () => this.#lookAfter();
    const work = { name: 'credit leases', intervalMs: lookAfterMs, firstAfterMs: lookAfterMs, run };
    void repeat(work, this.#deps, this.#stopping.signal);
  }

  stop(): void {
    this.#stopping.abort();
    this.#renewals.begin([]);
  }

  /** Reserves credit; rejects with 402 when there is not enough, 503 when that is not known. */
  reserve(request: ReservationRequest): Promise<Reservation> {
    if (this.#closing) return Promise.reject(creditUnavailable('the service is shutting down'));
    const payer = this.#payerOf(request);
    payer.budget = request.budget;
    if (payer.grantedBy?.period !== request.budget?.period) {
      for (const held of payer.usable) this.#drain(held);
    }
    this.#noteUse(payer);
    const reservation = this.#tryReserve(payer, request);
    if (reservation !== undefined) return Promise.resolve(reservation);
    return this.#acquisitions.waitForCredit(payer, request);
  }

  /** Ends a begun request: its record first, then what it did not use is free in its lease again. */
  async endRequest(
    reservation: Reservation,
    requestId: string,
    outcome: UsageOutcome,
  ): Promise<UsageRecord> {
    const record = await this.#deps.spool.end(requestId, outcome);
    this.#free(reservation, record.amount);
    return record;
  }

  /** Frees the credit of a request that was never begun. */
  release(reservation: Reservation): void {
    this.#free(reservation, ZERO_NANO);
  }

  /**
   * Takes the lease out of use: closed now when nothing is reserved in it, else when the last
   * reservation ends; until then what it has free may still be reserved. Undefined when it is not
   * kept here.
   */
  closeWhenFree(ref: LeaseRef): 'closed' | 'busy' | undefined {
    const held = this.#held.find(ref);
    if (held === undefined) return undefined;
    this.#closeWhenFree(held);
    return held.lease.reservations > 0 ? 'busy' : 'closed';
  }

  /** Whether an acquire of the account is under way: it may be about to learn of any lease. */
  isAsking(accountId: string): boolean {
    for (const payer of this.#payers.values()) {
      if (payer.accountId === accountId && payer.acquiring) return true;
    }
    for (const { renewing } of this.#held.ofAccount(accountId)) if (renewing) return true;
    return false;
  }

  holds(ref: LeaseRef): boolean {
    return this.#held.has(ref);
  }

  /** Closes every lease: idle ones now, the others when their reservations end. */
  closeAll(): void {
    this.#closing = true;
    for (const payer of this.#payers.values()) {
      for (const waiter of payer.waiting.splice(0)) {
        waiter.reject(creditUnavailable('the service is shutting down'));
      }
    }
    for (const held of this.#held.all()) this.#drain(held);
  }

  /** Renews what is needed, closes what is idle, forgets what is settled. */
  #lookAfter(): void {
    const { clock, bounds } = this.#deps;
    const monotonicNowMs = clock.monotonicMs();
    for (const held of this.#held.all()) {
      const unsettled = this.#deps.spool.unsettledOf(held.lease);
      const { phase, reservations } = held.lease;
      if (phase === 'closed' && unsettled === 0) {
        this.#held.remove(held);
        continue;
      }
      const isIdle = phase === 'open' && reservations === 0;
      if (isIdle && isIdleTooLong(held, bounds, monotonicNowMs)) this.#drain(held);
    }
    this.#renewals.begin([...this.#held.all()].filter((held) => this.#isDue(held)));
    for (const [key, payer] of this.#payers) {
      if (!isForgettable(payer, monotonicNowMs)) continue;
      this.#payers.delete(key);
      this.#usedMonotonicMs.set(key, payer.usedMonotonicMs);
    }
  }

  /** Whether the lease is to be renewed now: an idle one is closed before its time is over. */
  #isDue(held: HeldLease): boolean {
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    if (held.renewing || monotonicNowMs < held.renewMonotonicMs) return false;
    const { phase, reservations } = held.lease;
    const isUsed = phase === 'open' && wasUsedLately(held, monotonicNowMs);
    return isUsed || reservations > 0 || this.#deps.spool.unsettledOf(held.lease) > 0;
  }

  #payerOf(request: ReservationRequest): Payer {
    const key = payerKeyOf(request);
    const known = this.#payers.get(key);
    if (known !== undefined) return known;
    const payer = createPayer(request, this.#deps.clock.monotonicMs());
    payer.usedMonotonicMs = this.#usedMonotonicMs.get(key) ?? payer.usedMonotonicMs;
    this.#payers.set(key, payer);
    return payer;
  }

  /** Who comes back only after a lease would have run out gains nothing by one that is kept open. */
  #noteUse(payer: Payer): void {
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    payer.isSlow =
      !isBusy(payer) && monotonicNowMs - payer.usedMonotonicMs >= this.#deps.bounds.slowPaceMs;
    payer.usedMonotonicMs = monotonicNowMs;
  }

  /** The worst case; or what there is, where the minimum is 0 and billing would grant no more. */
  #tryReserve(payer: Payer, request: ReservationRequest): Reservation | undefined {
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    const { worst } = request;
    const usable = allowedOf(payer, request) < worst ? [] : payer.usable;
    const reservation = reserveIn(usable, this.#rules, worst, monotonicNowMs);
    const isEnough = request.minimum === 0n && monotonicNowMs < payer.shortUntilMs;
    return reservation ?? (isEnough ? this.#tryReserveCapped(payer, request) : undefined);
  }

  #tryReserveCapped(payer: Payer, request: ReservationRequest): Reservation | undefined {
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    const hasMoreThan = (held: HeldLease) =>
      payer.hasMore || hasCreditBeside(held, this.#leasesOf(payer.accountId));
    const allowed = { ...request, worst: allowedOf(payer, request) };
    return reserveCappedIn(payer.usable, hasMoreThan, this.#rules, allowed, monotonicNowMs);
  }

  /** The account's leases, by whichever of its keys, as far as the spool has not heard of their end. */
  *#leasesOf(accountId: string): Iterable<HeldLease> {
    for (const held of this.#held.ofAccount(accountId)) {
      const { lease } = held;
      if (lease.phase !== 'closed' || this.#deps.spool.isClosed(lease)) yield held;
    }
  }

  #freeOf(accountId: string): bigint {
    let free = 0n;
    for (const held of this.#leasesOf(accountId)) free += leftIn(held);
    return free;
  }

  /** By an answer of billing: what it granted, and has now, beyond what it had came back to it. */
  #noteReturned(accountId: string, granted: Nano, available: Nano): void {
    const known = [...this.#leasesOf(accountId)];
    let last: HeldLease | undefined;
    for (const held of known) {
      if (last === undefined || held.askedMonotonicMs >= last.askedMonotonicMs) last = held;
    }
    if (last === undefined) return;
    const closed = known.filter(({ lease }) => lease.phase === 'closed');
    noteReturned(closed, granted + available - last.available);
  }

  #free(reservation: Reservation, charged: Nano): void {
    const held = this.#held.find(reservation.ref);
    if (held === undefined) throw new Error('a reservation names a lease that is not held');
    held.lease = this.#rules.spend(held.lease, reservation.amount, charged);
    held.usedMonotonicMs = this.#deps.clock.monotonicMs();
    const { payer } = held;
    payer.usedMonotonicMs = held.usedMonotonicMs;
    payer.spent += charged;
    const closesNow = payer.isSlow && payer.waiting.length === 0;
    if (payer.waiting.length > 0) this.#acquisitions.serve(payer);
    // CLOSE travels with END, and one write of billing settles both.
    const shouldClose = closesNow || held.lease.phase !== 'open';
    if (shouldClose && this.#rules.mayClose(held.lease)) this.#drain(held);
  }

  /** Closes the lease when nothing is reserved in it; until then its free credit is of use. */
  #closeWhenFree(held: HeldLease): void {
    if (this.#rules.mayClose(held.lease)) this.#drain(held);
    else if (held.lease.phase === 'open') held.lease = { ...held.lease, phase: 'closingWhenFree' };
  }

  /** Reserves nothing more in the lease, and closes it when its last reservation has ended. */
  #drain(held: HeldLease): void {
    held.payer.usable = held.payer.usable.filter((other) => other !== held);
    if (held.lease.phase !== 'closed') held.lease = { ...held.lease, phase: 'draining' };
    if (!this.#rules.mayClose(held.lease)) return;
    held.lease = { ...held.lease, phase: 'closed' };
    // Its last record is likely to settle before a renewal could be of use.
    const soonMs = this.#deps.clock.monotonicMs() + RENEW_RETRY_MS;
    held.renewMonotonicMs = Math.max(held.renewMonotonicMs, soonMs);
    // A poisoned spool cannot write it; the restart will.
    void this.#deps.spool.closeLease(held.lease).catch(() => {});
  }

  /**
   * Drains every lease of the account that has credit: what is reserved is spent, and nothing new
   * begins by any of its keys. One that is empty goes on for requests that cost nothing.
   */
  #suspend(accountId: string): void {
    for (const held of this.#held.ofAccount(accountId)) {
      if (held.lease.free > 0n || held.lease.reserved > 0n) this.#drain(held);
    }
  }

  /** Does what the answer to a renewal asks for. */
  #heed(held: HeldLease, { available, recalled, suspended, swept }: AcquiredLease): void {
    const { accountId } = held.lease;
    this.#noteReturned(accountId, ZERO_NANO, available);
    if (swept) this.#drain(held);
    else if (recalled) this.#closeWhenFree(held);
    if (suspended) this.#suspend(accountId);
  }

  /** Takes a granted lease into use; one that was closed meanwhile is left alone. */
  #install(payer: Payer, acquired: AcquiredLease, sent: SentAcquire): void {
    const { clock, spool } = this.#deps;
    const ref = { accountId: payer.accountId, lease: acquired.lease };
    if (this.holds(ref) || spool.isClosed(ref)) return;
    this.#noteReturned(payer.accountId, acquired.remaining, acquired.available);
    spool.addLease(ref, acquired.nextNumber);
    const { ttlMs, marginMs } = acquired;
    const usableUntilMs = this.#rules.usableUntilMs(sent.sentMonotonicMs, ttlMs, marginMs);
    const lease = createLease(ref, acquired.remaining, usableUntilMs);
    const at = { ...sent, monotonicNowMs: clock.monotonicMs() };
    const held = createHeldLease(payer, lease, acquired, at);
    this.#held.add(held);
    if (acquired.remaining > 0n || payer.usable.length === 0) payer.grantedBy = sent.budget;
    for (const older of payer.usable) this.#closeWhenFree(older);
    payer.usable = [held, ...payer.usable];
    if (acquired.swept || acquired.recalled || this.#closing) this.#drain(held);
    if (acquired.suspended) this.#suspend(payer.accountId);
  }

  /** Takes a lease out of use that is gone, and the one that its renewal made in its place. */
  async #closeStray(held: HeldLease, acquired: AcquiredLease): Promise<void> {
    const { spool } = this.#deps;
    const { lease, nextNumber } = acquired;
    const stray = { accountId: held.lease.accountId, lease };
    this.#drain(held);
    if (this.holds(stray) || spool.isClosed(stray)) return;
    spool.addLease(stray, nextNumber);
    await spool.closeLease(stray);
  }
}
