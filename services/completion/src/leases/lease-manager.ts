import {
  type AppError,
  createBoundedMap,
  type Nano,
  type Timer,
  toAppError,
  ZERO_NANO,
} from '@tollgate/core';
import { createLease, type LeaseRules, leaseRules } from '../domain/lease';
import type { LeaseGrant } from '../domain/ports';
import {
  type LeaseRef,
  leaseKeyOf,
  type RequestOutcome,
  type UsageEntry,
} from '../domain/usage-record';
import type { LeaseManagerParts, RecallDisposition } from './lease-parts';
import {
  createLeasePool,
  type Draw,
  type DrawRequest,
  drawCappedFrom,
  drawFrom,
  dropWhenAborted,
  isPoolBusy,
  isPoolIdle,
  isSpent,
  type LeasePool,
  type LeaseSlot,
  minimumToAsk,
  poolKeyOf,
  removeWaiter,
  renewTime,
  shortOf,
  takeSlice,
  unavailable,
  type Waiter,
  wasUsedLately,
} from './lease-pool';

const ACQUIRE_ATTEMPTS_MAX = 2;
const RENEW_RETRY_MS = 1000;
const QUIET_POOLS_MAX = 50_000;

/**
 * Holds credit for running requests. A draw is a matter of memory while the account's lease has
 * room; otherwise one acquire is under way for all who wait.
 */
export class LeaseManager {
  readonly #parts: LeaseManagerParts;
  readonly #rules: LeaseRules;
  readonly #pools = new Map<string, LeasePool>();
  readonly #slots = new Map<string, LeaseSlot>();
  /** When pools that are forgotten were last used; it tells the pace of quiet accounts. */
  readonly #usedAtMs = createBoundedMap<string, number>(QUIET_POOLS_MAX);
  #timer: Timer | undefined;
  #closing = false;

  constructor(parts: LeaseManagerParts) {
    this.#parts = parts;
    this.#rules = parts.rules ?? leaseRules;
  }

  /** Leases that are drawn from or not yet settled. */
  get leaseCount(): number {
    return this.#slots.size;
  }

  /** Draws that are not given back. */
  get drawCount(): number {
    let count = 0;
    for (const slot of this.#slots.values()) count += slot.lease.draws;
    return count;
  }

  /** Begins to renew and to close leases. */
  start(): void {
    const { clock, limits } = this.#parts;
    const run = () => {
      this.tick();
      this.#timer = clock.schedule(limits.tickMs, run);
    };
    this.#timer = clock.schedule(limits.tickMs, run);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Reserves credit; rejects with 402 when there is not enough, 503 when that is not known. */
  draw(request: DrawRequest): Promise<Draw> {
    if (this.#closing) return Promise.reject(unavailable('the service is shutting down'));
    const pool = this.#poolOf(request);
    pool.budget = request.budget;
    this.#notePace(pool);
    const draw = this.#tryDraw(pool, request.worst);
    if (draw !== undefined) return Promise.resolve(draw);
    const { promise, resolve, reject } = Promise.withResolvers<Draw>();
    const waiter: Waiter = { request, attempts: 0, resolve, reject };
    if (this.#refuseNow(pool, waiter)) return promise;
    if (pool.waiting.length >= this.#parts.limits.waitersMax) {
      return Promise.reject(unavailable('too many requests wait for credit'));
    }
    pool.waiting.push(waiter);
    dropWhenAborted(pool, waiter, promise);
    if (!pool.acquiring) void this.#acquire(pool);
    return promise;
  }

  /** Ends a begun request: its record first, then what it did not use goes back. */
  async end(draw: Draw, requestId: string, outcome: RequestOutcome): Promise<UsageEntry> {
    const entry = await this.#parts.spool.end(requestId, outcome);
    this.#giveBack(draw, entry.amount);
    return entry;
  }

  /** Returns a draw whose request was never begun. */
  release(draw: Draw): void {
    this.#giveBack(draw, ZERO_NANO);
  }

  /** Billing wants the credit back, or asks whether the lease is known at all. */
  async recall(ref: LeaseRef, holder: string): Promise<RecallDisposition> {
    const { spool, billing } = this.#parts;
    if (!spool.recovered) return 'busy';
    if (holder !== spool.spoolId) return 'not_holder';
    const slot = this.#slots.get(leaseKeyOf(ref));
    if (slot !== undefined) {
      this.#leave(slot);
      return slot.lease.draws > 0 ? 'busy' : 'closing';
    }
    if (spool.isClosed(ref)) return 'closing';
    // An acquire that is under way may be about to learn of this very lease.
    if (this.#isAsking(ref.accountId)) return 'busy';
    const [settlement] = await billing.getSettlements([ref]);
    if (this.#slots.has(leaseKeyOf(ref)) || this.#isAsking(ref.accountId)) return 'busy';
    if (settlement?.complete) return 'closing';
    if (spool.isClosed(ref)) return 'closing';
    spool.addLease(ref, settlement?.nextNumber ?? 1);
    await spool.closeLease(ref);
    return 'unknown_closed';
  }

  /** Gives every lease back: idle ones now, the others when their draws end. */
  closeAll(): void {
    this.#closing = true;
    for (const pool of this.#pools.values()) {
      for (const waiter of pool.waiting.splice(0)) {
        waiter.reject(unavailable('the service is shutting down'));
      }
    }
    for (const slot of this.#slots.values()) this.#retire(slot);
  }

  /** Renews what is needed, closes what is idle, forgets what is settled. */
  tick(): void {
    const { clock, limits } = this.#parts;
    const nowMs = clock.monotonicMs();
    for (const [key, slot] of this.#slots) {
      const unsettled = this.#parts.spool.unsettledOf(slot.lease);
      const { phase, draws } = slot.lease;
      if (phase === 'closed' && unsettled === 0) {
        this.#slots.delete(key);
        slot.pool.slots -= 1;
        continue;
      }
      if (phase === 'open' && draws === 0 && isSpent(slot, limits, nowMs)) this.#retire(slot);
      // An idle lease is not renewed: it is closed before its time is over.
      const isUsed = phase === 'open' && wasUsedLately(slot, nowMs);
      const needed = isUsed || draws > 0 || unsettled > 0;
      if (needed && nowMs >= slot.renewAtMs && !slot.renewing) void this.#renew(slot);
    }
    for (const [key, pool] of this.#pools) {
      if (!isPoolIdle(pool, nowMs)) continue;
      this.#pools.delete(key);
      this.#usedAtMs.set(key, pool.usedAtMs);
    }
  }

  #poolOf(request: DrawRequest): LeasePool {
    const key = poolKeyOf(request);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = createLeasePool(request, this.#parts.clock.monotonicMs());
    pool.usedAtMs = this.#usedAtMs.get(key) ?? pool.usedAtMs;
    this.#pools.set(key, pool);
    return pool;
  }

  /** An account that lets its leases run out gets no more out of an idle one. */
  #notePace(pool: LeasePool): void {
    const nowMs = this.#parts.clock.monotonicMs();
    pool.isSlow = !isPoolBusy(pool) && nowMs - pool.usedAtMs >= this.#parts.limits.slowPaceMs;
    pool.usedAtMs = nowMs;
  }

  #isAsking(accountId: string): boolean {
    for (const pool of this.#pools.values()) {
      if (pool.accountId === accountId && pool.acquiring) return true;
    }
    for (const slot of this.#slots.values()) {
      if (slot.lease.accountId === accountId && slot.renewing) return true;
    }
    return false;
  }

  #tryDraw(pool: LeasePool, amount: Nano): Draw | undefined {
    return drawFrom(pool, this.#rules, amount, this.#parts.clock.monotonicMs());
  }

  #tryDrawCapped(pool: LeasePool, request: DrawRequest): Draw | undefined {
    return drawCappedFrom(pool, this.#rules, request, this.#parts.clock.monotonicMs());
  }

  #giveBack(draw: Draw, charged: Nano): void {
    const slot = this.#slots.get(leaseKeyOf(draw.ref));
    if (slot === undefined) throw new Error('a draw was given back to an unknown lease');
    slot.lease = this.#rules.giveBack(slot.lease, draw.amount, charged);
    slot.usedAtMs = this.#parts.clock.monotonicMs();
    const { pool } = slot;
    pool.usedAtMs = slot.usedAtMs;
    pool.spent += charged;
    // CLOSE travels with END, and one write of billing settles both.
    const isUnwanted = pool.isSlow && pool.waiting.length === 0;
    if (pool.waiting.length > 0) this.#serve(pool);
    const isLeaving = isUnwanted || slot.lease.phase !== 'open';
    if (isLeaving && this.#rules.mayClose(slot.lease)) this.#retire(slot);
  }

  /** Closes the lease when nothing is drawn from it; until then its free credit is of use. */
  #leave(slot: LeaseSlot): void {
    if (this.#rules.mayClose(slot.lease)) this.#retire(slot);
    else if (slot.lease.phase === 'open') slot.lease = { ...slot.lease, phase: 'leaving' };
  }

  /** Draws nothing more from the lease, and closes it after its last draw. */
  #retire(slot: LeaseSlot): void {
    slot.pool.open = slot.pool.open.filter((other) => other !== slot);
    if (slot.lease.phase !== 'closed') slot.lease = { ...slot.lease, phase: 'closing' };
    this.#closeIfIdle(slot);
  }

  #closeIfIdle(slot: LeaseSlot): void {
    if (!this.#rules.mayClose(slot.lease)) return;
    slot.lease = { ...slot.lease, phase: 'closed' };
    // Its last record is likely to settle before a renewal could be of use.
    const soonMs = this.#parts.clock.monotonicMs() + RENEW_RETRY_MS;
    slot.renewAtMs = Math.max(slot.renewAtMs, soonMs);
    // A poisoned spool cannot write it; the restart will.
    void this.#parts.spool.closeLease(slot.lease).catch(() => {});
  }

  #serve(pool: LeasePool): void {
    for (const waiter of pool.waiting.slice()) {
      const draw = this.#tryDraw(pool, waiter.request.worst);
      if (draw !== undefined) {
        removeWaiter(pool, waiter);
        waiter.resolve(draw);
      } else if (this.#refuseNow(pool, waiter)) removeWaiter(pool, waiter);
    }
  }

  /** Answers a waiter from a refusal that is still fresh: a capped draw, or the refusal itself. */
  #refuseNow(pool: LeasePool, waiter: Waiter): boolean {
    const { refusal } = pool;
    if (refusal === undefined || refusal.untilMs <= this.#parts.clock.monotonicMs()) return false;
    if (waiter.request.minimum < refusal.minimum) return false;
    this.#refuse(pool, waiter, refusal.error);
    return true;
  }

  #refuse(pool: LeasePool, waiter: Waiter, error: AppError): void {
    const draw = this.#tryDrawCapped(pool, waiter.request);
    if (draw === undefined) waiter.reject(error);
    else waiter.resolve(draw);
  }

  async #acquire(pool: LeasePool): Promise<void> {
    pool.acquiring = true;
    // Requests of the same turn of the event loop are asked for together.
    await Promise.resolve();
    try {
      for (;;) {
        this.#serve(pool);
        if (pool.waiting.length === 0) return;
        await this.#acquireForAll(pool);
      }
    } finally {
      pool.acquiring = false;
    }
  }

  /** One question to billing for all who wait; its answer may take the second of a recall. */
  async #acquireForAll(pool: LeasePool): Promise<void> {
    const { billing, clock, createNonce } = this.#parts;
    const asking = [...pool.waiting];
    const minimum = minimumToAsk(asking);
    const sentAtMs = clock.monotonicMs();
    const amount = takeSlice(pool, sentAtMs);
    pool.nonce ??= createNonce();
    const { accountId, budget, nonce } = pool;
    let grant: LeaseGrant;
    try {
      grant = await billing.acquireLease({ accountId, nonce, amount, minimum, budget });
    } catch (error) {
      this.#onRefused(pool, minimum, toAppError(error));
      return;
    }
    pool.nonce = undefined;
    this.#install(pool, grant, nonce, sentAtMs);
    for (const waiter of asking) {
      if (!pool.waiting.includes(waiter)) continue;
      const draw =
        this.#tryDraw(pool, waiter.request.worst) ?? this.#tryDrawCapped(pool, waiter.request);
      waiter.attempts += 1;
      if (draw !== undefined) {
        removeWaiter(pool, waiter);
        waiter.resolve(draw);
      } else if (waiter.attempts >= ACQUIRE_ATTEMPTS_MAX) {
        removeWaiter(pool, waiter);
        waiter.reject(shortOf(pool, waiter, grant));
      }
    }
  }

  #onRefused(pool: LeasePool, minimum: Nano, error: AppError): void {
    const { clock, limits, logger } = this.#parts;
    if (error.code !== 'INSUFFICIENT_BALANCE' && error.code !== 'KEY_BUDGET_EXCEEDED') {
      // Whether billing granted is not known: the nonce is kept, and nobody waits for the next try.
      logger.warn({ error, accountId: pool.accountId }, 'credit could not be acquired');
      for (const waiter of pool.waiting.splice(0)) waiter.reject(error);
      return;
    }
    pool.nonce = undefined;
    pool.refusal = { error, minimum, untilMs: clock.monotonicMs() + limits.refusalMs };
    for (const waiter of pool.waiting.slice()) {
      if (waiter.request.minimum < minimum) continue;
      removeWaiter(pool, waiter);
      this.#refuse(pool, waiter, error);
    }
  }

  /** Takes a granted lease into use; one that was closed meanwhile is left alone. */
  #install(pool: LeasePool, grant: LeaseGrant, nonce: string, sentAtMs: number): void {
    const { spool } = this.#parts;
    const ref = { accountId: pool.accountId, lease: grant.lease };
    if (this.#slots.has(leaseKeyOf(ref)) || spool.isClosed(ref)) return;
    spool.addLease(ref, grant.nextNumber);
    const drawableUntilMs = this.#rules.drawableUntilMs(sentAtMs, grant.ttlMs, grant.marginMs);
    const slot: LeaseSlot = {
      lease: createLease(ref, grant.remaining, drawableUntilMs),
      pool,
      nonce,
      granted: grant.remaining,
      available: grant.available,
      renewAtMs: renewTime(sentAtMs, drawableUntilMs),
      renewing: false,
      askedAtMs: sentAtMs,
      usedAtMs: this.#parts.clock.monotonicMs(),
    };
    this.#slots.set(leaseKeyOf(ref), slot);
    pool.slots += 1;
    for (const older of pool.open) this.#leave(older);
    pool.open = [slot, ...pool.open];
    if (grant.swept || grant.recalled || this.#closing) this.#retire(slot);
  }

  async #renew(slot: LeaseSlot): Promise<void> {
    const { billing, clock, spool } = this.#parts;
    const sentAtMs = clock.monotonicMs();
    slot.renewing = true;
    try {
      const { accountId } = slot.lease;
      const asked = { accountId, nonce: slot.nonce, amount: ZERO_NANO, minimum: ZERO_NANO };
      const grant = await billing.acquireLease({ ...asked, budget: slot.pool.budget });
      if (grant.lease !== slot.lease.lease) {
        // Our lease is gone, so the nonce made a new one that nobody asked for.
        const stray = { accountId, lease: grant.lease };
        this.#retire(slot);
        if (this.#slots.has(leaseKeyOf(stray)) || spool.isClosed(stray)) return;
        spool.addLease(stray, grant.nextNumber);
        await spool.closeLease(stray);
        return;
      }
      const drawableUntilMs = this.#rules.drawableUntilMs(sentAtMs, grant.ttlMs, grant.marginMs);
      slot.lease = { ...slot.lease, drawableUntilMs };
      slot.renewAtMs = renewTime(sentAtMs, drawableUntilMs);
      slot.askedAtMs = sentAtMs;
      slot.available = grant.available;
      if (grant.swept) this.#retire(slot);
      else if (grant.recalled) this.#leave(slot);
    } catch (error) {
      slot.renewAtMs = clock.monotonicMs() + RENEW_RETRY_MS;
      this.#parts.logger.debug({ error, lease: slot.lease.lease }, 'a lease was not renewed');
    } finally {
      slot.renewing = false;
    }
  }
}
