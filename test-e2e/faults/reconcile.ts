import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedAccount } from './accounts';
import type { Attempt } from './attempt';
import { readAudit, readBooks } from './books';
import { checkEvidence, isSettled } from './check-evidence';
import type { RequestSums } from './check-requests';
import type { Evidence, Violation } from './evidence';
import type { FaultSystem } from './fault-system';

/** What a run comes to once everything is compared with everything. */
export interface Reconciled {
  readonly evidence: Evidence;
  readonly violations: readonly Violation[];
  readonly sums: RequestSums;
  /** From the end of the last fault and the last request until everything was settled. */
  readonly settledMs: number;
}

const SETTLE_MS_MAX = 60_000;
const SETTLE_POLL_MS = 1_000;

/** Waits until everything is settled, a bounded time, and compares everything with everything. */
export async function reconcile(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  attempts: readonly Attempt[],
): Promise<Reconciled> {
  const ends = [...attempts, ...system.outages()].map(({ untilMs }) => untilMs);
  const fromMs = ends.reduce((latest, ms) => Math.max(latest, ms), 0);
  for (;;) {
    const evidence: Evidence = {
      attempts,
      deliveries: await system.deliveries(),
      accounts: await Promise.all(accounts.map((account) => readBooks(system, account))),
      audit: await readAudit(system),
      outages: system.outages(),
      crashes: system.crashes(),
    };
    const settledMs = system.elapsedMs() - fromMs;
    const settled = isSettled(evidence);
    if (settled || settledMs > SETTLE_MS_MAX) {
      const { violations, sums } = checkEvidence(evidence);
      const late: Violation = { kind: 'unsettled', text: `after ${SETTLE_MS_MAX} ms` };
      const all = settled ? violations : [...violations, late];
      return { evidence, violations: all, sums, settledMs };
    }
    await delay(SETTLE_POLL_MS);
  }
}
