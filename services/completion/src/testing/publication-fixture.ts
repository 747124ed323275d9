import { AppError, delay, EventKeysRefused, type NumberedRecord, nano } from '@tollgate/core';
import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import { UsagePublication } from '../usage/publish';
import { exampleOutcome, exampleStart } from './example-records';
import { createFakeBilling } from './fake-billing';
import { createMemoryDisk, openMemorySpool } from './memory-disk';
import { createUnreadMetrics } from './unread-metrics';

/** Bounds under which the publication of a fixture works. */
export const PUBLICATION_BOUNDS = {
  batchMs: 50,
  batchRecordsMax: 3,
  pollMs: 500,
  leasesPerPollMax: 10,
  resendMs: 5_000,
  busTimeoutMs: 2_000,
  busPauseMs: 5_000,
};

/** The real publication over a spool on a disk in memory, a fake billing and a fake bus. */
export async function createPublicationFixture(bounds = PUBLICATION_BOUNDS) {
  const clock = createFakeClock();
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', 1_000n);
  const disk = createMemoryDisk();
  const spool = await openMemorySpool({ disk, clock });
  const metrics = createUnreadMetrics();
  let held: Promise<void> | undefined;
  const bus = {
    batches: [] as number[],
    mode: 'good' as 'good' | 'away' | 'drops' | 'hangs',
    /** Accounts of a part of the bus that takes nothing. */
    refused: new Set<string>(),
    /** Keeps the next publications under way until the answer is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
  const publisher = {
    async publish(records: readonly NumberedRecord[]) {
      bus.batches.push(records.length);
      await held;
      if (bus.mode === 'hangs') await delay(clock, bounds.busTimeoutMs);
      if (bus.mode === 'away' || bus.mode === 'hangs') throw new AppError('SERVICE_UNAVAILABLE');
      const taken = records.filter(({ accountId }) => !bus.refused.has(accountId));
      if (bus.mode === 'good') await billing.settleUsage(taken);
      if (taken.length < records.length) throw new EventKeysRefused(bus.refused, {});
    },
  };
  const logger = createRecordingLogger();
  const parts = { spool, billing, publisher, clock, logger, metrics };
  const publication = new UsagePublication({ ...parts, bounds });
  const amounts = { amount: nano(1_000n), minimum: nano(0n) };
  const grant = { accountId: 'acc_1', nonce: 'nonce', budget: undefined };
  await billing.acquireLease({ ...grant, ...amounts });
  spool.addLease({ accountId: 'acc_1', lease: 1 }, 1);
  let requests = 0;
  const runRequests = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      requests += 1;
      await spool.begin(exampleStart({ requestId: `req_${requests}` }));
      await spool.end(`req_${requests}`, exampleOutcome());
    }
  };
  return { billing, bus, clock, disk, logger, metrics, publication, runRequests, spool };
}
