import { type Nano, nano } from '@tollgate/core';
import type { Simulation } from '../world/simulation';

/**
 * Accounts set a balance below which they spend no more, change it and take it back, at any time.
 * Answers the time of the schedule from which on nobody does.
 */
export function planSuspensions(simulation: Simulation): number {
  const { random, profile, scheduler } = simulation;
  let untilMs = scheduler.elapsedMs;
  for (const accountId of profile.workload.accounts) {
    for (let index = 0; index < profile.suspensions; index += 1) {
      const below = random.chance(0.8) ? nano(BigInt(random.int(20, 500))) : undefined;
      const delayMs = random.int(0, profile.workload.overMs);
      untilMs = Math.max(untilMs, scheduler.elapsedMs + delayMs);
      const set = () => void suspendBelow(simulation, accountId, below).catch(() => {});
      scheduler.after(undefined, delayMs, set);
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
