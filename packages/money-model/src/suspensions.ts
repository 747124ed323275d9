import { type Account, journalAbove } from '@tollgate/billing/testing';
import { type Nano, nano } from '@tollgate/core';
import type { Simulation } from './simulation';

/**
 * Accounts set a balance below which they spend no more, change it and take it back, at any time.
 * Answers the time of the schedule from which on nobody does.
 */
export function planSuspensions(simulation: Simulation): number {
  const { random, profile, scheduler } = simulation;
  let untilMs = scheduler.nowMs;
  for (const accountId of profile.workload.accounts) {
    for (let index = 0; index < profile.suspensions; index += 1) {
      const below = random.chance(0.8) ? nano(BigInt(random.int(20, 500))) : undefined;
      const delayMs = random.int(0, profile.workload.overMs);
      untilMs = Math.max(untilMs, scheduler.nowMs + delayMs);
      const set = () => void suspendBelow(simulation, accountId, below).catch(() => {});
      scheduler.at(undefined, delayMs, set);
    }
  }
  return untilMs;
}

/** Lets the account spend its last credit again; rejects when that is not certain. */
export function endSuspension(simulation: Simulation, accountId: string): Promise<void> {
  return suspendBelow(simulation, accountId, undefined);
}

async function suspendBelow(
  simulation: Simulation,
  accountId: string,
  below: Nano | undefined,
): Promise<void> {
  const billing = simulation.anyBilling();
  if (billing === undefined) throw new Error('nobody answers');
  const thresholds = below && { amounts: [], days: [], suspendBelow: below };
  await billing.operations.thresholds.set(accountId, thresholds);
}

/**
 * Below the balance that it set an account gets no lease with credit in it, and each time that this
 * begins or ends its owner is told.
 */
export function watchSuspension(
  before: Account,
  after: Account,
  report: (violation: string) => void,
): void {
  const told = journalAbove(after, before.journalNo).flatMap((item) =>
    item.kind === 'notice' && item.notice.type.startsWith('spending.') ? [item.notice.type] : [],
  );
  const [was, is] = [isSuspended(before), isSuspended(after)];
  const wanted = is ? 'spending.suspended' : 'spending.resumed';
  if (was !== is && told.at(-1) !== wanted) report(`${after.id}: nobody is told: ${wanted}`);
  // One write may hold several changes: what was granted between two others is not known here.
  if (!was || !is || told.length > 0) return;
  for (const [number, { remaining }] of after.leases) {
    if (number <= before.leaseNo || remaining === 0n) continue;
    report(`${after.id}/${number} holds ${remaining} though the account spends no more`);
  }
}

export function isSuspended({ granted, posted, thresholds }: Account): boolean {
  const below = thresholds?.suspendBelow;
  return below !== undefined && granted - posted < below;
}
