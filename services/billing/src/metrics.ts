import type { Metrics } from '@tollgate/observability';
import type { AuditReport } from './domain/audit-report';
import type { RecordOutcome } from './domain/settle-records';

/** Every metric of billing. */
export type BillingMetrics = ReturnType<typeof createBillingMetrics>;

function declare(metrics: Metrics) {
  const counter = (name: string, help: string) =>
    metrics.counter({ name: `tollgate_billing_${name}`, help });
  return {
    records: metrics.counter({
      name: 'tollgate_billing_records_total',
      help: 'Usage records received, by what became of them.',
      labels: ['result'],
    }),
    charges: metrics.counter({
      name: 'tollgate_billing_charges_total',
      help: 'Records charged, by the state in which they found their lease.',
      labels: ['settled_reason'],
    }),
    chargedNano: counter('charged_nano_total', 'Charged to accounts, in nano-units.'),
    absorbedNano: counter('absorbed_nano_total', 'Delivered and not chargeable, in nano-units.'),
    overrunNano: counter('overrun_nano_total', 'Priced beyond the reservation, in nano-units.'),
    mismatches: counter(
      'amount_mismatches_total',
      "Records whose own amount differs from what billing computed: a holder's arithmetic is off.",
    ),
    guardMisses: counter('guard_misses_total', 'Writes that found a newer account.'),
    leases: metrics.counter({
      name: 'tollgate_billing_leases_total',
      help: 'Leases granted and renewed.',
      labels: ['kind'],
    }),
    refusedLeases: metrics.counter({
      name: 'tollgate_billing_lease_denials_total',
      help: 'Leases refused, by reason.',
      labels: ['reason'],
    }),
    swept: counter('leases_swept_total', 'Leases that were not renewed in time.'),
    retired: counter('leases_retired_total', 'Leases given up with their spool.'),
    recalls: metrics.counter({
      name: 'tollgate_billing_recalls_total',
      help: 'Calls to lease holders, by their answer.',
      labels: ['answer'],
    }),
    stored: counter('stored_items_total', 'Journal items brought into the ledger and the outbox.'),
    published: counter('relayed_items_total', 'Ledger entries and notices published.'),
    quarantined: counter(
      'quarantined_total',
      'Times that work on an account, a claim or a batch was quarantined, having failed by itself.',
    ),
    quarantine: metrics.gauge({
      name: 'tollgate_billing_quarantine_records',
      help: 'Work on accounts, claims and batches that is quarantined, as counted once a minute.',
    }),
    auditDrift: metrics.gauge({
      name: 'tollgate_billing_audit_drift_nano',
      help: 'Sum of the differences that the newest complete audit found, in nano-units.',
    }),
    auditFindings: metrics.gauge({
      name: 'tollgate_billing_audit_findings',
      help: 'Findings of the newest complete audit, at most as many as it lists.',
    }),
    auditAge: metrics.gauge({
      name: 'tollgate_billing_audit_age_seconds',
      help: 'Time since the newest complete audit or, without one, the start; looked at once a minute.',
    }),
    credits: counter('credits_total', 'Credits added.'),
    adjustments: counter('adjustments_total', 'Balances corrected by an operator.'),
    commands: metrics.counter({
      name: 'tollgate_billing_store_commands_total',
      help: 'Calls of the stores, by store and operation.',
      labels: ['store', 'operation'],
    }),
  };
}

/** Declares the metrics. */
export function createBillingMetrics(metrics: Metrics) {
  const declared = declare(metrics);

  const count = (outcome: RecordOutcome): void => {
    declared.records.inc({ result: outcome.kind });
    if (outcome.kind !== 'charged') return;
    declared.charges.inc({ settled_reason: outcome.settledReason });
    if (outcome.mismatch) declared.mismatches.inc();
    // Counters are doubles: exact to a millionth of a unit far beyond any rate worth watching.
    declared.chargedNano.inc(undefined, Number(outcome.charged));
    declared.absorbedNano.inc(undefined, Number(outcome.absorbed));
    declared.overrunNano.inc(undefined, Number(outcome.overrun));
  };

  return {
    ...declared,
    /** Counts records that were settled, with what became of each. */
    settled(outcomes: readonly RecordOutcome[]): void {
      for (const outcome of outcomes) count(outcome);
    },
    /** Tells what the kept audit found. */
    auditKept({ drift, findings }: AuditReport): void {
      declared.auditDrift.set(Number(drift));
      declared.auditFindings.set(findings.length);
    },
    /** Tells how old the newest audit is, milliseconds. */
    auditAged(ageMs: number): void {
      declared.auditAge.set(Math.max(0, ageMs) / 1_000);
    },
    /** The store with its commands counted. */
    countCommands<Store extends object>(
      name: 'accounts' | 'ledger' | 'outbox',
      store: Store,
    ): Store {
      const counted: Record<string, unknown> = {};
      for (const [operation, member] of Object.entries(store)) {
        const child = declared.commands.child({ store: name, operation });
        counted[operation] = (...parameters: unknown[]) => {
          child.inc();
          return (member as (...all: unknown[]) => unknown).apply(store, parameters);
        };
      }
      // Every member is there again, with its own signature.
      return counted as typeof store;
    },
  };
}
