import { createByteBound, type OwnerBytes } from './byte-bound';

const CHUNK = 10;

function takeAll(share: OwnerBytes): number {
  let bytes = 0;
  while (share.take(CHUNK)) bytes += CHUNK;
  return bytes;
}

it('leaves room for others whatever one account sends', () => {
  const bound = createByteBound(1000);
  expect(takeAll(bound.ofOwner('greedy'))).toBe(500);
  expect(takeAll(bound.ofOwner('second'))).toBe(250);
  expect(bound.ofOwner('third').take(CHUNK)).toBe(true);
});

it('counts all shares of one account together, and forgets what was released', () => {
  const bound = createByteBound(1000);
  const [first, second] = [bound.ofOwner('a'), bound.ofOwner('a')];
  expect(first.take(400)).toBe(true);
  expect(second.take(200)).toBe(false);
  first.release(400);
  expect(bound.held).toBe(0);
  expect(second.take(500)).toBe(true);
});
