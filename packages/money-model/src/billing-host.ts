import {
  type AcquireLease,
  accountRules,
  createOperations,
  type Fact,
  type LeaseDisposition,
  type LeaseGrant,
  type OperationSettings,
  type Operations,
  type QuarantineStore,
  type SpoolRecord,
  silentObserver,
  type Watermark,
} from '@tollgate/billing/testing';
import { silentLogger } from '@tollgate/core';
import type { Plant } from './plant';
import type { CallFaults, Process } from './process';
import type { StorePorts } from './replica-set';

/** One running instance of billing. */
export interface BillingInstance {
  readonly process: Process;
  readonly operations: Operations;
  acquire(accountId: string, command: AcquireLease, deadlineMs: number): Promise<LeaseGrant>;
  /** Settles, and answers how far each lease of the batch is settled now. */
  settle(records: readonly SpoolRecord[]): Promise<readonly SettledLease[]>;
  /** Relays and sweeps until the returned function is called. */
  lead(): () => void;
}

/** How far one lease is settled. */
export interface SettledLease extends Watermark {
  readonly accountId: string;
  readonly lease: number;
}

/** What an instance of billing is made of. */
export interface BillingParts {
  readonly process: Process;
  readonly ports: StorePorts;
  readonly settings: OperationSettings;
  readonly plant: Plant;
  readonly callHolder: (
    process: Process,
    address: string,
    request: { readonly accountId: string; readonly lease: number; readonly holder: string },
  ) => Promise<LeaseDisposition>;
  readonly publish: (facts: readonly Fact[]) => void;
  /** Nothing in a schedule is poisoned, so nothing may be set apart. */
  readonly quarantine: QuarantineStore;
  readonly faults: CallFaults;
  readonly random: () => number;
}

/** Starts an instance on the store. */
export function createBillingInstance(parts: BillingParts): BillingInstance {
  const { process, plant, ports } = parts;
  const rules = plant.accountRules?.(accountRules) ?? accountRules;
  const store = plant.accountStore?.(ports.store, process) ?? ports.store;
  const outbox = plant.outboxStore?.(ports.outbox, process) ?? ports.outbox;
  const operations = createOperations({
    ...{ store, outbox },
    ledger: ports.ledger,
    quarantine: parts.quarantine,
    holders: { recall: (request) => parts.callHolder(process, request.address, request) },
    publisher: {
      publish: (facts) => process.call(() => parts.publish(facts), parts.faults),
    },
    clock: process.clock,
    logger: silentLogger,
    observer: silentObserver,
    settings: parts.settings,
    rules,
    random: parts.random,
  });
  return {
    process,
    operations,
    async acquire(accountId, command, deadlineMs) {
      const handled = (await plant.acquireCommand?.(command, accountId, store)) ?? command;
      return operations.acquireLease(accountId, handled, deadlineMs);
    },
    async settle(records) {
      const { accounts, failures } = await operations.settleUsage(records);
      const answered = records.filter(
        ({ accountId }) => accounts.has(accountId) || !failures.has(accountId),
      );
      const places = new Map(answered.map((one) => [`${one.accountId}/${one.lease}`, one]));
      return [...places.values()].map(({ accountId, lease }) => ({
        accountId,
        lease,
        ...rules.watermarkOf(accounts.get(accountId), lease),
      }));
    },
    lead() {
      const term = new AbortController();
      void operations.relay.lead(term.signal);
      void operations.sweeper.lead(term.signal);
      return () => term.abort();
    },
  };
}
