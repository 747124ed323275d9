import { AppError, nano } from '@tollgate/core';
import type { LeaseRef } from '../domain/lease-ref';
import { createLeaseFixture } from '../testing/lease-fixture';
import { recallLease } from './recall';

const ref = { accountId: 'acc_1', lease: 1 };

async function start(available?: bigint) {
  const fixture = await createLeaseFixture(available);
  const recall = (lease: LeaseRef, holder: string) => recallLease(fixture, lease, holder);
  return { ...fixture, recall };
}

it('closes an idle lease and leaves a busy one to its last reservation', async () => {
  const { spool, ask, finish, recall } = await start();
  const reservation = await ask(10n);
  expect(await recall(ref, spool.spoolId)).toBe('busy');
  expect(spool.isClosed(ref)).toBe(false);
  await finish(reservation, 1n);
  expect(spool.isClosed(ref)).toBe(true);
  expect(await recall(ref, spool.spoolId)).toBe('closing');
  expect((await ask(10n)).ref.lease).toBe(2);
});

it('lets small requests have what a busy lease has free until its last reservation ends', async () => {
  const { billing, clock, spool, settleAll, ask, finish, recall } = await start(600n);
  await finish(await ask(600n), 0n);
  const stream = await ask(300n);
  billing.beforeRefusal = async () => {
    await recall(ref, spool.spoolId);
  };
  await expect(ask(400n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  const small = await ask(100n);
  expect(small.ref.lease).toBe(1);
  await finish(small, 100n);
  expect(spool.isClosed(ref)).toBe(false);
  await finish(stream, 100n);
  await settleAll();
  expect(billing.availableOf('acc_1')).toBe(400n);
  await clock.advance(1_000);
  await expect(ask(400n)).resolves.toMatchObject({ amount: 400n });
});

it('does nothing for the lease of another spool', async () => {
  const { recall } = await start();
  expect(await recall(ref, 'spl_other')).toBe('notHolder');
});

it('writes CLOSE as record 1 of a lease that it never heard of', async () => {
  const { billing, spool, settleAll, recall } = await start();
  const lost = { accountId: 'acc_1', nonce: 'lost', budget: undefined };
  await billing.acquireLease({ ...lost, amount: nano(50n), minimum: nano(50n) });
  expect(await recall(ref, spool.spoolId)).toBe('unknownClosed');
  await settleAll();
  expect(billing.applied).toMatchObject([{ kind: 'close', number: 1 }]);
  expect(billing.availableOf('acc_1')).toBe(1_000n);
});

it('waits while an acquire that may concern the lease is under way', async () => {
  const { billing, spool, ask, recall } = await start();
  const open = billing.hold();
  const reservation = ask(10n);
  expect(await recall(ref, spool.spoolId)).toBe('busy');
  open();
  expect((await reservation).ref.lease).toBe(1);
});

it('lets nothing be reserved in a lease whose answer came after it was closed', async () => {
  const { billing, spool, ask, recall } = await start();
  billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
  await expect(ask(10n)).rejects.toBeInstanceOf(AppError);
  expect(await recall(ref, spool.spoolId)).toBe('unknownClosed');
  expect((await ask(10n)).ref.lease).toBe(2);
});
