import { silentLogger } from '@tollgate/core';
import { createFakeClock, createMemoryJobLeaseStore, settlePromises } from '@tollgate/testkit';
import { createStatsJobs } from './jobs';

test('while stats runs its lease grows, and it reads again what is kept', async () => {
  const clock = createFakeClock();
  const leases = createMemoryJobLeaseStore();
  let read = 0;
  const rereadRetention = async () => {
    read += 1;
  };
  const jobs = createStatsJobs({ leases, rereadRetention, clock, logger: silentLogger });
  const held = () => leases.read('stats-jobs');
  jobs.start();
  await settlePromises();
  const first = await held();
  expect(first?.replica).not.toBe('');
  await clock.advance(60_000);
  expect(read).toBe(1);
  const later = await held();
  expect(later).toMatchObject({ replica: first?.replica, fence: first?.fence });
  expect((later?.beat ?? 0n) > (first?.beat ?? 0n)).toBe(true);
  const stopped = jobs.stop();
  await clock.advance(1);
  await stopped;
  expect((await held())?.replica).toBe('');
});
