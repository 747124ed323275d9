import { type LeaseRef, leaseKeyOf } from '../domain/lease-ref';
import type { HeldLease } from './payer';

/** The leases of this process, found by their names and by their accounts, oldest first. */
export class HeldLeases {
  readonly #byKey = new Map<string, HeldLease>();
  readonly #byAccount = new Map<string, Set<HeldLease>>();

  find(ref: LeaseRef): HeldLease | undefined {
    return this.#byKey.get(leaseKeyOf(ref));
  }

  has(ref: LeaseRef): boolean {
    return this.#byKey.has(leaseKeyOf(ref));
  }

  add(held: HeldLease): void {
    const { accountId } = held.lease;
    this.#byKey.set(leaseKeyOf(held.lease), held);
    const siblings = this.#byAccount.get(accountId);
    if (siblings === undefined) this.#byAccount.set(accountId, new Set([held]));
    else siblings.add(held);
    held.payer.leaseCount += 1;
  }

  remove(held: HeldLease): void {
    const { accountId } = held.lease;
    this.#byKey.delete(leaseKeyOf(held.lease));
    const siblings = this.#byAccount.get(accountId);
    siblings?.delete(held);
    if (siblings?.size === 0) this.#byAccount.delete(accountId);
    held.payer.leaseCount -= 1;
  }

  all(): Iterable<HeldLease> {
    return this.#byKey.values();
  }

  /** Of whichever key: thousands of other accounts have leases here as well. */
  ofAccount(accountId: string): Iterable<HeldLease> {
    return this.#byAccount.get(accountId) ?? [];
  }
}
