import { createByteBudget, type OwnerBytes } from './byte-budget';

const CHUNK = 10;

function takeAll(share: OwnerBytes): number {
  let bytes = 0;
  while (share.take(CHUNK)) bytes += CHUNK;
  return bytes;
}

it('leaves room for others whatever one account sends', () => {
  const budget = createByteBudget(1000);
  expect(takeAll(budget.ofOwner('greedy'))).toBe(500);
  expect(takeAll(budget.ofOwner('second'))).toBe(250);
  expect(budget.ofOwner('third').take(CHUNK)).toBe(true);
});

it('counts all shares of one account together, and forgets what was released', () => {
  const budget = createByteBudget(1000);
  const [first, second] = [budget.ofOwner('a'), budget.ofOwner('a')];
  expect(first.take(400)).toBe(true);
  expect(second.take(200)).toBe(false);
  first.release(400);
  expect(budget.held).toBe(0);
  expect(second.take(500)).toBe(true);
});
