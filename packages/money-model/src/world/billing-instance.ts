import {
  type AcquiredLease,
  type AcquireLease,
  accountRules,
  type BillingEvent,
  type BillingSettings,
  createMoneyJobs,
  createMoneyOperations,
  createParts,
  createUnreadMetrics,
  type LeaseDisposition,
  type LeaseWatermark,
  type MoneyOperations,
  type QuarantineStore,
  type ReceivedRecord,
  repeatAll,
} from '@tollgate/billing/model-api';
import { silentLogger } from '@tollgate/core';
import type { PlantedBug } from '../check/planted-bug';
import type { CallFaults, Process } from './process';
import type { StorePorts } from './replica-set';

/** One running instance of billing. */
export interface BillingInstance {
  readonly process: Process;
  readonly operations: MoneyOperations;
  acquire(accountId: string, command: AcquireLease, deadlineMs: number): Promise<AcquiredLease>;
  /** Settles, and answers how far each lease of the batch is settled now. */
  settle(records: readonly ReceivedRecord[]): Promise<readonly LeaseWatermark[]>;
  /** Relays and sweeps until the returned function is called. */
  lead(): () => void;
}

export interface BillingDependencies {
  readonly process: Process;
  readonly ports: StorePorts;
  readonly settings: BillingSettings;
  readonly bug: PlantedBug;
  readonly callHolder: (
    process: Process,
    address: string,
    request: { readonly accountId: string; readonly lease: number; readonly holder: string },
  ) => Promise<LeaseDisposition>;
  readonly publish: (events: readonly BillingEvent[]) => void;
  /** No document and no record of a schedule is damaged, so nothing may be quarantined. */
  readonly quarantine: QuarantineStore;
  readonly faults: CallFaults;
  readonly random: () => number;
}

/** Starts an instance on the store. */
export function createBillingInstance(deps: BillingDependencies): BillingInstance {
  const { process, bug, ports } = deps;
  const rules = bug.accountRules?.(accountRules) ?? accountRules;
  const store = bug.accountStore?.(ports.store, process) ?? ports.store;
  const outbox = bug.outboxStore?.(ports.outbox, process) ?? ports.outbox;
  const claims = bug.claimStore?.(ports.claims) ?? ports.claims;
  const host = { clock: process.clock, logger: silentLogger, metrics: createUnreadMetrics() };
  const parts = createParts({
    store,
    outbox,
    claims,
    ledger: ports.ledger,
    quarantineStore: deps.quarantine,
    holders: {
      recall: ({ leaseNumber: lease, address, ...of }) =>
        deps.callHolder(process, address, { ...of, lease }),
    },
    ...host,
    settings: deps.settings,
    rules,
    random: deps.random,
  });
  const publisher = {
    publish: (events: readonly BillingEvent[]) =>
      process.call(() => deps.publish(events), deps.faults),
  };
  const operations = createMoneyOperations(parts, publisher, 'USD');
  const jobs = createMoneyJobs(operations, deps.settings, process.clock);
  // A process that is killed never hears of it.
  void repeatAll(jobs.replicaJobs, host, new AbortController().signal);
  return {
    process,
    operations,
    async acquire(accountId, command, deadlineMs) {
      const handled = (await bug.acquireCommand?.(command, accountId, store)) ?? command;
      return operations.acquireLease(accountId, handled, deadlineMs);
    },
    async settle(records) {
      return (await operations.settleUsage(records)).watermarks;
    },
    lead() {
      const term = new AbortController();
      void repeatAll([...jobs.outboxJobs, ...jobs.leaseJobs, ...jobs.claimJobs], host, term.signal);
      return () => term.abort();
    },
  };
}
