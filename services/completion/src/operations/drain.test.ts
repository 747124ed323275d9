import { exampleOutcome, exampleStart } from '../testing/example-records';
import { createPublicationFixture } from '../testing/publication-fixture';
import { drainService } from './drain';

it('does not wait for records of a lease that billing never granted, and fails because they stay', async () => {
  const { clock, logger, publication, spool } = await createPublicationFixture();
  await spool.closeLease({ accountId: 'acc_1', lease: 1 });
  spool.addLease({ accountId: 'acc_restored', lease: 7 }, 1);
  await spool.begin(exampleStart({ accountId: 'acc_restored', lease: 7, requestId: 'req_x' }));
  await spool.end('req_x', exampleOutcome());
  await spool.closeLease({ accountId: 'acc_restored', lease: 7 });
  const beganMs = clock.monotonicMs();
  const runs = { count: 0, idle: async () => {}, refuse() {}, stopAll() {} };
  const parts = { clock, leases: { closeAll() {} }, logger, publication, runs, spool };
  const draining = drainService({ ...parts, streamsMs: 1_000 }, 10_000);
  await expect(draining).rejects.toThrow(/^2 usage records of spool .* are not settled/);
  expect(clock.monotonicMs()).toBe(beganMs);
  expect(spool.unsettledCount).toBe(2);
  expect(logger.lines).toMatchObject([{ fields: { records: 2 } }]);
});
