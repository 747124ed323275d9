import fc from 'fast-check';
import { createFairShare, type FairShare } from './fair-share';

function takeAll(share: FairShare, owner: string): number {
  const before = share.held;
  while (share.take(owner));
  return share.held - before;
}

test.each([
  [1, 12, [6, 3, 2, 1]],
  [3, 12, [9, 3]],
  [1, 1, [1]],
  [1, 3, [2]],
])(
  'with factor %i of %i slots each owner in turn gets what it leaves free',
  (factor, max, gets) => {
    const share = createFairShare(max, factor);
    expect(gets.map((_, index) => takeAll(share, `owner ${index}`))).toEqual(gets);
  },
);

test('heavy owners that take by turns end with equal parts', () => {
  const share = createFairShare(300);
  const held = [0, 0];
  for (let step = 0; step < 600; step += 1) {
    if (share.take(`owner ${step % 2}`)) held[step % 2] = (held[step % 2] ?? 0) + 1;
  }
  expect(held).toEqual([100, 100]);
});

test('many are taken when one after another would be', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 9 }))),
      (max, factor, takes) => {
        const [atOnce, oneByOne] = [createFairShare(max, factor), createFairShare(max, factor)];
        for (const [owner, count] of takes) {
          let taken = 0;
          while (taken < count && oneByOne.take(owner)) taken += 1;
          expect(atOnce.take(owner, count)).toBe(taken === count);
          if (taken < count) for (; taken > 0; taken -= 1) oneByOne.release(owner);
          expect(atOnce.held).toBe(oneByOne.held);
        }
        for (const owner of ['a', 'b']) expect(atOnce.hasRoom(owner)).toBe(oneByOne.hasRoom(owner));
      },
    ),
  );
});

const owners = fc.constantFrom('a', 'b', 'c', 'd');
const steps = fc.array(fc.tuple(fc.boolean(), owners), { maxLength: 200 });

test('an owner is refused exactly when it holds no less than the factor times what is free', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3 }), steps, (...of) => {
      const [max, factor, events] = of;
      const share = createFairShare(max, factor);
      const model = new Map<string, number>();
      for (const [isTake, owner] of events) {
        const own = model.get(owner) ?? 0;
        const held = [...model.values()].reduce((sum, each) => sum + each, 0);
        expect(share.held).toBe(held);
        const isDue = own < factor * (max - held);
        expect(share.hasRoom(owner)).toBe(isDue);
        expect(share.ownersWithoutRoom().includes(owner)).toBe(own > 0 && !isDue);
        if (isTake) {
          expect(share.take(owner)).toBe(isDue);
          if (isDue) model.set(owner, own + 1);
        } else if (own > 0) {
          share.release(owner);
          model.set(owner, own - 1);
        }
        expect(share.held).toBeLessThanOrEqual(max);
      }
    }),
  );
});
