import { beginErasure, changeAccount, endErasure, newAccount } from './account';

test('the times of an account’s changes grow, also where the clock of a replica is behind', () => {
  const created = newAccount({ id: 'acc_1', name: 'a', plan: 'free' }, 1_000);
  const source = { id: 'evt_1', atMs: 990, actor: undefined };
  const changed = changeAccount(created, { plan: 'pro' }, source);
  expect(changed?.updatedAt).toBe(1_001);
  expect(changed?.outbox.map(({ at }) => at)).toEqual([1_000, 1_001]);
  const erased = endErasure(beginErasure(created, source), source);
  expect(erased.updatedAt).toBe(1_002);
  expect(erased.outbox.map(({ at }) => at)).toEqual([1_000, 1_001, 1_002]);
});
