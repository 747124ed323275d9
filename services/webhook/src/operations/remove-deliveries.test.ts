import { createRecordingLogger } from '@tollgate/testkit';
import type { Erasure } from '../domain/ports';
import { createRemoveDeliveries } from './remove-deliveries';

/** Accounts with so many pages of deliveries each. */
function createFixture(pages: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(pages));
  const open = new Map<string, Erasure>();
  for (const accountId of left.keys()) open.set(accountId, { accountId, times: 1 });
  const removed: string[] = [];
  const logger = createRecordingLogger();
  const removeDeliveries = createRemoveDeliveries({
    logger,
    erasures: {
      begin: async () => {},
      listOpen: async ({ after = '', limit }) =>
        [...open.values()].filter(({ accountId }) => accountId > after).slice(0, limit),
      async end({ accountId }) {
        open.delete(accountId);
      },
    },
    deliveries: {
      async removeSomeOf(accountId) {
        const count = left.get(accountId) ?? 0;
        if (Number.isNaN(count)) throw new TypeError('it has no form');
        if (count === 0) return false;
        left.set(accountId, count - 1);
        removed.push(accountId);
        return true;
      },
    },
  });
  const run = () => removeDeliveries(new AbortController().signal);
  return { logger, open, removed, run };
}

test('an account with very many deliveries keeps those that were erased later waiting for a round', async () => {
  const { open, removed, run } = createFixture({ acc_a: 150, acc_b: 2 });
  await run();
  expect(removed.filter((id) => id === 'acc_b')).toHaveLength(2);
  expect([...open.keys()]).toEqual(['acc_a']);
  await run();
  expect(removed).toHaveLength(152);
  expect(open.size).toBe(0);
});

test('an account whose deliveries cannot be removed is named, and stays for the next round', async () => {
  const { logger, open, removed, run } = createFixture({ acc_a: Number.NaN, acc_b: 1 });
  await run();
  expect(removed).toEqual(['acc_b']);
  expect([...open.keys()]).toEqual(['acc_a']);
  expect(logger.text()).toContain('acc_a');
});

test('erasures of more than a page are all gone through in one round', async () => {
  const accounts = Array.from({ length: 101 }, (_, index) => `acc_${1_000 + index}`);
  const { open, removed, run } = createFixture(Object.fromEntries(accounts.map((id) => [id, 1])));
  await run();
  expect(removed).toEqual(accounts);
  expect(open.size).toBe(0);
});
