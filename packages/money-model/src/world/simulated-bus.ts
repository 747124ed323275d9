import { checkKeepable, type ReceivedRecord } from '@tollgate/billing/model-api';
import type { UsagePublisherPort } from '@tollgate/completion/model-api';
import type { NumberedRecord } from '@tollgate/core';
import { answerWithin } from './network';
import type { CallFaults, Process } from './process';
import type { Scheduler } from './scheduler';

/** How often the bus does what a bus may do, each in [0, 1). */
export interface BusFaults extends CallFaults {
  /** A record is acknowledged and gone. */
  readonly drop: number;
  /** A record is there more than once, up to five times. */
  readonly duplicate: number;
  /** A batch comes in another order. */
  readonly shuffle: number;
}

/** The usage topic: one log per account and one group that consumes it. */
export interface SimulatedBus {
  publisherFor(process: Process, faults: BusFaults): UsagePublisherPort;
  /** The process consumes until it is killed. */
  join(process: Process, handle: (records: readonly ReceivedRecord[]) => Promise<unknown>): void;
  /** The account's log goes to another member while the former one is still at work. */
  rebalance(): void;
  /** The group begins anew. */
  resetOffsets(): void;
}

interface Member {
  readonly process: Process;
  readonly handle: (records: readonly ReceivedRecord[]) => Promise<unknown>;
}

interface Partition {
  readonly log: ReceivedRecord[];
  committed: number;
  /** One more with every hand-over; only the newest assignment goes on. */
  assignment: number;
  busy: boolean;
}

const COPIES_MAX = 5;
const BATCH_MAX = 6;
const RETRY_MS = 150;

function createConsumption(scheduler: Scheduler, members: readonly Member[], faults: CallFaults) {
  const { random } = scheduler;

  const pump = (partition: Partition): void => {
    const alive = members.filter(({ process }) => process.alive);
    if (partition.busy || partition.committed >= partition.log.length || alive.length === 0) return;
    partition.busy = true;
    partition.assignment += 1;
    const { assignment } = partition;
    const member = random.pick(alive);
    const release = () => {
      if (partition.assignment !== assignment) return;
      partition.busy = false;
      pump(partition);
    };
    const releaseSoon = () => void scheduler.after(undefined, RETRY_MS, release);
    member.process.onKilled(releaseSoon);
    scheduler.add(member.process, () => {
      const from = partition.committed;
      const end = Math.min(partition.log.length, from + random.int(1, BATCH_MAX));
      const commit = () => {
        partition.committed = end;
      };
      member
        .handle(partition.log.slice(from, end))
        .then(() => member.process.call(commit, faults))
        .then(release, releaseSoon);
    });
  };
  return pump;
}

/** An empty bus; its consumers lose commits as often as `commitFaults` say. */
export function createSimulatedBus(scheduler: Scheduler, commitFaults: CallFaults): SimulatedBus {
  const { random } = scheduler;
  const partitions = new Map<string, Partition>();
  const members: Member[] = [];
  const pump = createConsumption(scheduler, members, commitFaults);

  const partitionOf = (accountId: string): Partition => {
    const known = partitions.get(accountId);
    if (known !== undefined) return known;
    const partition = { log: [], committed: 0, assignment: 0, busy: false };
    partitions.set(accountId, partition);
    return partition;
  };

  const accept = (records: readonly NumberedRecord[], faults: BusFaults): void => {
    const batch = [...records];
    if (!scheduler.isCalm && random.chance(faults.shuffle)) batch.reverse();
    for (const record of batch) {
      const partition = partitionOf(record.accountId);
      if (!scheduler.isCalm && random.chance(faults.drop)) continue;
      const more = !scheduler.isCalm && random.chance(faults.duplicate);
      const copies = more ? random.int(2, COPIES_MAX) : 1;
      for (let copy = 0; copy < copies; copy += 1) partition.log.push(receivedRecordOf(record));
      pump(partition);
    }
  };

  return {
    publisherFor: (process, faults) => ({
      publish: (records, timeoutMs) =>
        answerWithin(
          process,
          timeoutMs,
          process.call(() => accept(records, faults), faults),
        ),
    }),
    join(process, handle) {
      members.push({ process, handle });
      for (const partition of partitions.values()) pump(partition);
    },
    rebalance() {
      for (const partition of partitions.values()) {
        partition.assignment += 1;
        partition.busy = false;
        pump(partition);
      }
    },
    resetOffsets() {
      for (const partition of partitions.values()) {
        partition.committed = 0;
        pump(partition);
      }
    },
  };
}

/** The record as billing takes it: its edge checks the texts. */
export function receivedRecordOf(record: NumberedRecord): ReceivedRecord {
  return record.kind === 'usage' ? checkKeepable(record) : record;
}
