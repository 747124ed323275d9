import type { RepeatedWork } from '@tollgate/jobs';
import type { AuditRuns } from '../operations/audit-runs';

/** A process that has just started has other things to do than to audit. */
const START_DELAY_MS = 15_000;
/** Between two looks whether an audit is due: another replica may have made one. */
const LOOK_INTERVAL_MS = 60_000;

/** The leader's job that makes audits, and every replica's that tells of the kept one. */
export function createAuditJobs(
  audits: AuditRuns,
  auditIntervalMs: number,
): Readonly<Record<'makeAudits' | 'observeAudits', RepeatedWork>> {
  return {
    makeAudits: {
      name: 'audit',
      intervalMs: Math.min(LOOK_INTERVAL_MS, auditIntervalMs),
      firstAfterMs: Math.min(START_DELAY_MS, auditIntervalMs),
      run: audits.makeIfDue,
    },
    observeAudits: { name: 'audit-figures', intervalMs: LOOK_INTERVAL_MS, run: audits.observe },
  };
}
